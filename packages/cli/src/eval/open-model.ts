import type { Tool } from "@tenon/runtime/manifest";
import { Failure } from "../terminal/failure.js";
import { openProject, type TestOptions } from "../testing/open-project.js";
import { askModel } from "./model/ask-model.js";
import type { ApiName } from "./model/api-names.js";
import { findEndpoint, listVariables } from "./model/endpoint.js";
import type { ModelAnswer, ModelCall } from "./model/question.js";
import { listModelTools } from "./open-evals.js";

/** The options of `openModel`. */
export interface ModelOptions extends TestOptions {
  /** The name of the model. */
  model: string;
  /** The API to use if the environment has keys for both APIs. Default: Anthropic's for models whose name begins with `claude`. */
  api?: ApiName | undefined;
  /** Maximum duration of a request, in milliseconds. Default: a minute. */
  timeoutMs?: number | undefined;
}

/** A model that receives the tools of a project. */
export interface Model {
  /** The tools that it receives. */
  readonly tools: readonly Tool[];
  /**
   * Sends a user's message to the model. Tools are not called. Arguments that the model omits are set to their defaults.
   *
   * @throws Error if the endpoint sends no usable response, for example because the key is wrong. The message does not contain the key
   */
  ask(prompt: string): Promise<ModelAnswer>;
  /** Stops the server and disposes of its instances. */
  close(): Promise<void>;
  /** The same as `close`. */
  [Symbol.asyncDispose](): Promise<void>;
}

const DEFAULT_TIMEOUT_MS = 60_000;

/**
 * Returns whether the environment has a key, or the URL of a server that needs no key. Use it to skip tests that need a model.
 *
 * @example
 * import { hasModel } from "@tenon/cli/matchers";
 * import { test } from "vitest";
 *
 * test.skipIf(!hasModel())("chooses the tool", async () => {});
 */
export function hasModel(env: NodeJS.ProcessEnv = process.env): boolean {
  return findEndpoint(env, undefined) !== undefined;
}

/**
 * Compiles the project, and connects a model to its tools. The API key comes from the environment, as for `tenon eval`.
 *
 * @param project the project folder, or any file in it
 * @throws Error if the project has errors, or the environment has no key
 * @example
 * import { matchers, openModel } from "@tenon/cli/matchers";
 * import { expect } from "vitest";
 *
 * expect.extend(matchers);
 * const model = await openModel(".", { model: "gpt-5-mini" });
 * expect(await model.ask("What is the weather like in Oslo?")).toCallTool("current", { city: /oslo/i });
 * await model.close();
 */
export async function openModel(
  project: URL | string,
  { model, api, timeoutMs = DEFAULT_TIMEOUT_MS, ...options }: ModelOptions,
): Promise<Model> {
  const endpoint = await withHint(() => Promise.resolve(findEndpoint(process.env, model, api)));
  if (!endpoint) throw new Error(`No model is configured. Set ${listVariables(api)}.`);
  const { server, application } = await openProject(project, options);
  const { instructions } = server.client.server;
  const listed = await server.client.listTools().catch(async (error: unknown) => {
    await server.close();
    throw error;
  });
  const tools = listModelTools(listed, application.manifest);
  return {
    tools,
    ask: (prompt) =>
      withHint(async () => {
        const { signal } = new AbortController();
        const answer = await askModel(
          endpoint,
          { prompt, tools, instructions },
          { model, timeoutMs, signal },
        );
        return { ...answer, calls: answer.calls.map((call) => withDefaults(call, tools)) };
      }),
    close: () => server.close(),
    [Symbol.asyncDispose]: () => server.close(),
  };
}

function withDefaults(call: ModelCall, tools: readonly Tool[]): ModelCall {
  const { properties = {} } = tools.find(({ name }) => name === call.tool)?.inputSchema ?? {};
  if (call.arguments === undefined) return call;
  const defaults = Object.entries(properties).flatMap(([name, schema]) =>
    schema.default === undefined ? [] : [[name, schema.default] as const],
  );
  return { ...call, arguments: { ...Object.fromEntries(defaults), ...call.arguments } };
}

/** Adds the hint of a failure to its message, because test runners show only the message. */
async function withHint<Value>(run: () => Promise<Value>): Promise<Value> {
  try {
    return await run();
  } catch (failure) {
    if (failure instanceof Failure && failure.hint !== undefined)
      throw new Error(`${failure.message} ${failure.hint}`, { cause: failure });
    throw failure;
  }
}
