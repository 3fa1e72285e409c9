/**
 * Connects tests to a server in the same process, without a build, a port, or another process.
 *
 * Vitest needs `tenon()` from `@tenon/cli/vitest` in its configuration, and Node's test runner
 * `--import=@tenon/cli/register`.
 * @module
 */
import { openProject, type TestOptions } from "./open-project.js";
import type { TestServer } from "./typed-server.js";

export { ToolFailure } from "./call-value.js";
export type {
  JsonOf,
  ProjectServer,
  PromptCall,
  ResourceCall,
  TestServer,
  ToolCall,
} from "./typed-server.js";
export { RpcError } from "@tenon/runtime/testing";
export {
  defineEvals,
  type AnyToolCase,
  type EvalCase,
  type Evals,
  type EvalThresholds,
  type EvalToolName,
  type ExpectedArgument,
  type ExpectedArguments,
  type OneToolCase,
  type OtherToolCase,
} from "./define-evals.js";
export type { CannedAnswers } from "./canned-answers.js";
export type { MockExchange } from "./mock-exchange.js";
export type { TestOptions } from "./open-project.js";
export { renderView, type RenderedView, type ViewCall, type ViewTest } from "./render-view.js";
export type { HostSettings, ViewMessage } from "../view/view-host.js";
export type { Elicitation } from "@tenon/runtime/testing";

/**
 * Compiles the project and connects to a new server. Servers of one test file share the instances that `src/server.ts` creates;
 * `close` disposes of them.
 *
 * @param project the project folder, or any file in it (default: the current folder)
 * @throws Error with every diagnostic if the project has errors, or if an instance in `provide` replaces nothing
 * @example
 * const server = await connect(new URL("../src/server.ts", import.meta.url));
 * expect(await server.tools.current({ city: "Oslo" })).toMatchObject({ sky: "clear" });
 */
export async function connect(
  project: URL | string = process.cwd(),
  options: TestOptions = {},
): Promise<TestServer> {
  return (await openProject(project, options)).server;
}
