import { existsSync } from "node:fs";
import { dirname, extname } from "node:path";
import { fileURLToPath } from "node:url";
import type { LogEntry, ServerConfig } from "@tenon/runtime";
import type { configuration, resultLimits, secrets, subscriptions } from "@tenon/runtime/features";
import type { Manifest, PromptResult, ToolResult } from "@tenon/runtime/manifest";
import type { Application, createServer, Server } from "@tenon/runtime/server";
import type {
  Answers,
  connect as connectTo,
  ConnectOptions,
  RequestOptions,
  TestClient,
} from "@tenon/runtime/testing";
import { parseTemplate } from "url-template";
import { findNearest } from "../files/find-nearest.js";
import { resolveProjectRoot } from "../project/project-root.js";
import { getAuthorCapabilities } from "../project/view-capability.js";
import { toResourceValue, toToolValue } from "./call-value.js";
import { toAnswers, type CannedAnswers } from "./canned-answers.js";
import { type MockExchange, toExchange } from "./mock-exchange.js";
import { followTask } from "./follow-task.js";
import { TEST_MODULE } from "./test-module.js";
import type { TestServer } from "./typed-server.js";
import { toWireText, toWireValue, withDataUris } from "./wire-value.js";

/** The options of a test's connection. */
export interface TestOptions extends Omit<ConnectOptions, "onMessage" | "answers"> {
  /** Answers to requests from the server, such as user input. */
  answers?: CannedAnswers | undefined;
  /** Instances that replace those of the server: mocks of your classes, or instances with mocked dependencies. */
  provide?: readonly object[] | undefined;
  /** Replaces `ctx.exchange`: returns the token for a request. Default: that of the server's configuration. */
  exchange?: MockExchange | undefined;
  /** Options of `defineServer` to override in this test. */
  config?: Partial<Omit<ServerConfig, "provide" | "log">> | undefined;
}

/** The names of all options. */
export const TEST_OPTIONS: Record<keyof TestOptions, true> = {
  answers: true,
  provide: true,
  exchange: true,
  config: true,
  revision: true,
  capabilities: true,
  clientInfo: true,
  principal: true,
  address: true,
  logLevel: true,
  showErrors: true,
};

/** The module of a project that its tests load, which `test-modules.ts` generates. */
interface TestModule {
  application: Application;
  createServer: typeof createServer;
  connect: typeof connectTo;
  configuration: typeof configuration;
  resultLimits: typeof resultLimits;
  secrets: typeof secrets;
  subscriptions: typeof subscriptions;
}

/** A project whose server is tested. */
export interface OpenedProject {
  /** The project folder, absolute. */
  root: string;
  application: Application;
  server: TestServer;
}

/**
 * Compiles a project and connects to a new server.
 *
 * @throws TypeError for an option or an answer that does not exist
 * @see connect
 */
export async function openProject(project: URL | string, testOptions: TestOptions): Promise<OpenedProject> {
  checkNames(testOptions, TEST_OPTIONS);
  const { provide = [], config, answers = {}, exchange, ...options } = testOptions;
  const clientAnswers = toAnswers(answers);
  const root = findRoot(project);
  const module = await loadTestModule(root);
  const { application, createServer, connect: connectClient } = module;
  checkProvided(provide, application);
  const serverLog: LogEntry[] = [];
  // The build omits these from a project that does not need them, but the options of a test may.
  const configurable = config === undefined ? [] : [module.resultLimits, module.subscriptions];
  const needed = [module.configuration, module.secrets, ...configurable];
  const server = createServer(
    {
      ...application,
      features: [...new Set([...(application.features ?? []), ...needed])],
      config: {
        ...application.config,
        ...config,
        provide: [...provide, ...(application.config?.provide ?? [])],
        log: (entry) => serverLog.push(entry),
      },
    },
    exchange === undefined ? {} : { exchange: toExchange(exchange) },
  );
  const client = await connectClient(server, {
    logLevel: "debug",
    capabilities: getAuthorCapabilities(application.manifest, clientAnswers),
    ...options,
    answers: clientAnswers,
  });
  const { manifest } = application;
  const tested = createTestServer({ server, client, answers: clientAnswers, manifest, serverLog });
  return { root, application, server: tested };
}

/**
 * Checks the names of options: a misspelled one would have no effect in a test without types.
 *
 * @param known an object with all names
 * @param prefix the path of the options, such as `"host."`
 * @throws TypeError for an unknown name
 */
export function checkNames(given: object, known: object, prefix = ""): void {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return;
  throw new TypeError(
    `\`${prefix}${unknown}\` is not an option. Remove it, or use one of: ${Object.keys(known).join(", ")}.`,
  );
}

/**
 * Checks that each instance replaces an instance of the server, or is disposed of with it.
 *
 * @throws Error for an instance that would have no effect
 */
function checkProvided(provide: readonly object[], { classes }: Application): void {
  const served = Object.values(classes).flatMap((exported) => Object.values(exported));
  for (const [index, instance] of provide.entries()) {
    // Values other than objects are reported with the configuration.
    if (Object(instance) !== instance || served.some((each) => instance instanceof each)) continue;
    if (Symbol.asyncDispose in instance || Symbol.dispose in instance) continue;
    const names = served.map(({ name }) => name).join(", ");
    throw new Error(
      `provide[${index}] replaces nothing: it is not an instance of a class with tools, prompts, or resources (${names}).`,
    );
  }
}

interface TestedServer {
  readonly server: Server;
  readonly client: TestClient;
  readonly answers: Answers;
  readonly manifest: Manifest;
  readonly serverLog: readonly LogEntry[];
}

function createTestServer({ server, client, answers, manifest, serverLog }: TestedServer): TestServer {
  const { tools, prompts, resources, resourceTemplates } = manifest;
  const progress: { progress: number; total?: number; message?: string }[] = [];
  const withProgress = (options?: RequestOptions): RequestOptions => ({
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
  const read = (toUri: (args: object) => string) => (args: object, options?: RequestOptions) =>
    client.readResource(toUri(args), withProgress(options));
  const served = {
    tools: createCalls(
      tools,
      (entry, result: ToolResult) => toToolValue(entry, result, client.revision),
      ({ definition: { name } }) =>
        async (args, options) => {
          const values = toWireValue(await withDataUris(args)) as Record<string, unknown>;
          const received = await client.callTool(name, values, withProgress(options));
          return followTask(client, received, answers, options?.signal);
        },
    ),
    prompts: createCalls(
      prompts,
      (_entry, { messages }: PromptResult) => messages,
      ({ definition: { name } }) =>
        async (args, options) =>
          client.getPrompt(name, toTexts(await withDataUris(args)), withProgress(options)),
    ),
    resources: {
      ...createCalls(resources, toResourceValue, ({ definition: { uri } }) => read(() => uri)),
      ...createCalls(resourceTemplates, toResourceValue, ({ definition: { uriTemplate } }) =>
        read((args) => parseTemplate(uriTemplate).expand(toWireValue(args) as Record<string, string>)),
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

/** Returns a function for each entry, by name. It returns the value, and its `result` the whole result. */
function createCalls<Entry extends { definition: { name: string } }, Result>(
  entries: readonly Entry[],
  toValue: (entry: Entry, result: Result) => unknown,
  createRequest: (entry: Entry) => (args: object, options?: RequestOptions) => Promise<Result>,
): object {
  const calls = entries.map((entry) => {
    const request = createRequest(entry);
    const result = (args: object = {}, options?: RequestOptions): Promise<Result> => request(args, options);
    const call = async (args?: object, options?: RequestOptions): Promise<unknown> =>
      toValue(entry, await result(args, options));
    return [entry.definition.name, Object.assign(call, { result })] as const;
  });
  return Object.fromEntries(calls);
}

function toTexts(args: object): Record<string, string> {
  const defined = Object.entries(args).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined.map(([name, value]) => [name, toWireText(value)]));
}

/** Finds the project of a file or folder: the nearest folder with a `package.json`. */
function findRoot(project: URL | string): string {
  const start = resolveProjectRoot(typeof project === "string" ? project : fileURLToPath(project));
  // `src/server.ts` may be named in a project that needs no such file.
  if (!existsSync(extname(start) === "" ? start : dirname(start)))
    throw new Error(`${start} does not exist. Pass the project folder, or a file in it.`);
  const path = findNearest("package.json", start);
  if (path === undefined) throw new Error(`No package.json was found in ${start} or its parent folders.`);
  return resolveProjectRoot(dirname(path));
}

async function loadTestModule(root: string): Promise<TestModule> {
  try {
    return (await import(/* @vite-ignore */ `${TEST_MODULE}${root}`)) as TestModule;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_UNSUPPORTED_ESM_URL_SCHEME") throw error;
    throw new Error(
      "The project cannot be compiled for its tests. Add tenon() from @tenon/cli/vitest to `plugins` in " +
        "vitest.config.ts, or start Node with --import @tenon/cli/register.",
      { cause: error },
    );
  }
}
