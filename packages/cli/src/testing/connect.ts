/**
 * Tests of a server by a client in the same process: no build before, no port, nothing started.
 *
 * vitest needs `tenon()` of `@tenon/cli/vitest` in its configuration, and node's own runner
 * `--import=@tenon/cli/register`.
 * @module
 */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { LogEntry, ServerConfig } from "@tenon/runtime";
import type { Manifest, PromptResult } from "@tenon/runtime/manifest";
import type { Application, createServer, Server } from "@tenon/runtime/server";
import type {
  connect as connectTo,
  ConnectOptions,
  RequestOptions,
  TestClient,
} from "@tenon/runtime/testing";
import { parseTemplate } from "url-template";
import { projectRoot } from "../project/project-root.js";
import { answersOf, type CannedAnswers } from "./canned-answers.js";
import { resourceValue, toolValue } from "./call-value.js";
import { TEST_MODULE } from "./test-module.js";
import type { TestServer } from "./typed-server.js";
import { wireText, wireValue } from "./wire-value.js";

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
export type { CannedAnswers } from "./canned-answers.js";
export type { Elicitation } from "@tenon/runtime/testing";

export interface TestOptions extends Omit<ConnectOptions, "onMessage" | "answers"> {
  answers?: CannedAnswers;
  /** Instances that take the place of those the server would use: mocks of the author's classes, or made with mocks. */
  provide?: readonly object[];
  /** What else of `defineServer` is to be otherwise in this test. */
  config?: Partial<Omit<ServerConfig, "provide" | "log">>;
}

/** What a project's tests get of it: see `test-modules.ts`. */
interface TestModule {
  application: Application;
  createServer: typeof createServer;
  connect: typeof connectTo;
}

/**
 * Compiles the project and connects to its server, which is a new one each time. What `src/server.ts` makes itself is made
 * once for a test file, and `close` disposes of it.
 *
 * @param project its folder, or any file in it; default the current folder
 * @throws Error with every diagnostic when the project has errors
 * @example
 * const server = await connect(new URL("../src/server.ts", import.meta.url));
 * expect(await server.tools.current({ city: "Oslo" })).toMatchObject({ sky: "clear" });
 */
export async function connect(
  project: URL | string = process.cwd(),
  { provide = [], config, answers = {}, ...options }: TestOptions = {},
): Promise<TestServer> {
  const { application, createServer, connect: connectClient } = await load(rootOf(project));
  const serverLog: LogEntry[] = [];
  const server = createServer({
    ...application,
    config: {
      ...application.config,
      ...config,
      provide: [...provide, ...(application.config?.provide ?? [])],
      log: (entry) => serverLog.push(entry),
    },
  });
  const client = await connectClient(server, { logLevel: "debug", ...options, answers: answersOf(answers) });
  return testServer(server, client, application.manifest, serverLog);
}

function testServer(
  server: Server,
  client: TestClient,
  { tools, prompts, resources, resourceTemplates }: Manifest,
  serverLog: readonly LogEntry[],
): TestServer {
  const progress: { progress: number; total?: number; message?: string }[] = [];
  const observed = (options?: RequestOptions): RequestOptions => ({
    ...options,
    onProgress: (each) => {
      progress.push(each);
      options?.onProgress?.(each);
    },
  });
  const close = async (): Promise<void> => {
    client.close();
    await server.close();
  };
  const read = (uriOf: (args: object) => string) => (args: object, options?: RequestOptions) =>
    client.readResource(uriOf(args), observed(options));
  const served = {
    tools: callsOf(
      tools,
      toolValue,
      ({ definition: { name } }) =>
        (args, options) =>
          client.callTool(name, wireValue(args) as Record<string, unknown>, observed(options)),
    ),
    prompts: callsOf(
      prompts,
      (_entry, { messages }: PromptResult) => messages,
      ({ definition: { name } }) =>
        (args, options) =>
          client.getPrompt(name, textsOf(args), observed(options)),
    ),
    resources: {
      ...callsOf(resources, resourceValue, ({ definition: { uri } }) => read(() => uri)),
      ...callsOf(resourceTemplates, resourceValue, ({ definition: { uriTemplate } }) =>
        read((args) => parseTemplate(uriTemplate).expand(wireValue(args) as Record<string, string>)),
      ),
    },
  };
  return {
    ...(served as Pick<TestServer, "tools" | "prompts" | "resources">),
    get logs() {
      const logged = client.notifications.filter(({ method }) => method === "notifications/message");
      return logged.map(({ params }) => params) as unknown as TestServer["logs"];
    },
    progress,
    serverLog,
    client,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** How each of these is called, by name: for its value or for the whole result. */
function callsOf<Entry extends { definition: { name: string } }, Result>(
  entries: readonly Entry[],
  valueOf: (entry: Entry, result: Result) => unknown,
  resultOf: (entry: Entry) => (args: object, options?: RequestOptions) => Promise<Result>,
): object {
  const calls = entries.map((entry) => {
    const request = resultOf(entry);
    const result = (args: object = {}, options?: RequestOptions): Promise<Result> => request(args, options);
    const call = async (args?: object, options?: RequestOptions): Promise<unknown> =>
      valueOf(entry, await result(args, options));
    return [entry.definition.name, Object.assign(call, { result })] as const;
  });
  return Object.fromEntries(calls);
}

function textsOf(args: object): Record<string, string> {
  const given = Object.entries(args).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, wireText(value)]));
}

/** Of the folder that has the `package.json`. */
function rootOf(project: URL | string): string {
  const start = projectRoot(typeof project === "string" ? project : fileURLToPath(project));
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, "package.json"))) return projectRoot(folder);
    if (folder === dirname(folder)) throw new Error(`There is no package.json in ${start} or above it.`);
  }
}

async function load(root: string): Promise<TestModule> {
  try {
    return (await import(/* @vite-ignore */ `${TEST_MODULE}${root}`)) as TestModule;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_UNSUPPORTED_ESM_URL_SCHEME") throw error;
    throw new Error(
      "The project cannot be compiled for its tests. Put tenon() of @tenon/cli/vitest into `plugins` of " +
        "vitest.config.ts, or start node with --import @tenon/cli/register.",
      { cause: error },
    );
  }
}
