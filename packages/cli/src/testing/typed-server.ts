/**
 * The server that tests see, with the types of the author's methods. When Tenon compiles the project for its tests, it
 * writes `.tenon/server.d.ts`, which maps each tool to its method.
 * @module
 */
import type { LogEntry } from "@tenon/runtime";
import type {
  LoggingLevel,
  PromptMessage,
  PromptResult,
  ResourceContents,
  ResourceResult,
  ToolResult,
} from "@tenon/runtime/manifest";
import type {
  ArgumentsOf,
  JsonOf,
  Method,
  ParameterIndexes,
  RequestOptions,
  TestClient,
  ToolValue,
} from "@tenon/runtime/testing";

export type { JsonOf } from "@tenon/runtime/testing";

/** The types of the project's server, declared in `.tenon/server.d.ts`. */
export interface ProjectServer {}

/** A part of the project's server. Before the project is first compiled, it accepts any name. */
type Served<Part extends string, Otherwise> =
  ProjectServer extends Record<Part, infer Known> ? Known : Record<string, Otherwise>;

/** A call whose arguments and result are unknown. */
interface AnyCall<Result> {
  // oxlint-disable-next-line typescript/no-explicit-any -- a test may compare it with anything
  (args?: object, options?: RequestOptions): Promise<any>;
  result(args?: object, options?: RequestOptions): Promise<Result>;
}

/** A server under test. */
export interface TestServer {
  /**
   * Tools by name. Each accepts the arguments of its method and returns the value that clients receive. If a call becomes a
   * task, because `capabilities` contain tasks, it waits for the task.
   */
  readonly tools: Served<"tools", AnyCall<ToolResult>>;
  /** Prompts by name. Each returns its messages. */
  readonly prompts: Served<"prompts", AnyCall<PromptResult>>;
  /** Resources and resource templates by name. Each returns its text, bytes, or data. */
  readonly resources: Served<"resources", AnyCall<ResourceResult>>;
  /** Messages that handlers sent with `ctx.log`, oldest first. */
  readonly logs: readonly { level: LoggingLevel; data: unknown; logger?: string }[];
  /** Reports that handlers sent with `ctx.progress`, oldest first. */
  readonly progress: readonly { progress: number; total?: number; message?: string }[];
  /** Log entries of the server, which are for its operator. */
  readonly serverLog: readonly LogEntry[];
  /** The client, for everything else. */
  readonly client: TestClient;
  /** Stops the server and disposes of its instances. */
  close(): Promise<void>;
  /** The same as `close`. */
  [Symbol.asyncDispose](): Promise<void>;
}

type CallParameters<Given> =
  Record<string, never> extends Given
    ? [args?: Given, options?: RequestOptions]
    : [args: Given, options?: RequestOptions];

/** Content of a resource. A file arrives as text or as bytes, depending on its type. */
type FileValue<Returned> = Returned extends Blob ? string | Uint8Array : Returned;

type ResourceValue<Returned> = [Returned] extends [string | Uint8Array | Blob | undefined]
  ? FileValue<NonNullable<Returned>>
  : [Returned] extends [ResourceContents | readonly ResourceContents[] | ResourceResult | undefined]
    ? string | Uint8Array | ResourceContents[]
    : JsonOf<NonNullable<Returned>>;

/** A tool with the types of its method. */
export interface ToolCall<Handler extends Method, Indexes extends ParameterIndexes> {
  /**
   * Calls the tool.
   *
   * @throws ToolFailure if it fails, with the text that a model would read
   */
  (...args: CallParameters<ArgumentsOf<Handler, Indexes>>): Promise<ToolValue<Awaited<ReturnType<Handler>>>>;
  /** Calls the tool and returns the whole result, even if it failed. */
  result(...args: CallParameters<ArgumentsOf<Handler, Indexes>>): Promise<ToolResult>;
}

/** A prompt with the types of its method. */
export interface PromptCall<Handler extends Method, Indexes extends ParameterIndexes> {
  (...args: CallParameters<ArgumentsOf<Handler, Indexes>>): Promise<PromptMessage[]>;
  result(...args: CallParameters<ArgumentsOf<Handler, Indexes>>): Promise<PromptResult>;
}

/** A resource or a resource template with the types of its method. */
export interface ResourceCall<Handler extends Method, Indexes extends ParameterIndexes> {
  (
    ...args: CallParameters<ArgumentsOf<Handler, Indexes>>
  ): Promise<ResourceValue<Awaited<ReturnType<Handler>>>>;
  result(...args: CallParameters<ArgumentsOf<Handler, Indexes>>): Promise<ResourceResult>;
}
