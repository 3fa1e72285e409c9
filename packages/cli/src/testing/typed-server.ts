/**
 * The server that tests see, with the types of the author's methods. When Tenon compiles the project for its tests, it
 * writes `.tenon/server.d.ts`, which maps each tool to its method.
 * @module
 */
import type { LogEntry } from "@tenon/runtime";
import type {
  Content,
  LoggingLevel,
  PromptMessage,
  PromptResult,
  ResourceContents,
  ResourceResult,
  ToolResult,
} from "@tenon/runtime/manifest";
import type { RequestOptions, TestClient } from "@tenon/runtime/testing";

/** The types of the project's server, declared in `.tenon/server.d.ts`. */
export interface ProjectServer {}

/** A part of the project's server. Before the project is first compiled, it accepts any name. */
type Served<Part extends string, Otherwise> =
  ProjectServer extends Record<Part, infer Known> ? Known : Record<string, Otherwise>;

/** A call whose arguments and result are unknown. */
interface AnyCall<Result> {
  // oxlint-disable-next-line typescript/no-explicit-any -- what is compared with it in a test is anything
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
  /** Resources and resource templates by name. Each returns its text, bytes or data. */
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

type Method = (...args: never[]) => unknown;

/** The index of each argument's parameter; `[1]` for a rest parameter. A number if one parameter receives all arguments. */
type ParameterIndexes = Record<string, number | [number]> | number;

type At<Parameters extends readonly unknown[], Index> = Index extends [infer Rest extends number]
  ? Parameters[Rest][]
  : Index extends number
    ? Parameters[Index]
    : never;

type Named<Parameters extends readonly unknown[], Names> = {
  [Name in keyof Names as undefined extends At<Parameters, Names[Name]> ? never : Name]: At<
    Parameters,
    Names[Name]
  >;
} & {
  [Name in keyof Names as undefined extends At<Parameters, Names[Name]> ? Name : never]?: At<
    Parameters,
    Names[Name]
  >;
};

type Arguments<Handler extends Method, Indexes extends ParameterIndexes> = Indexes extends number
  ? NonNullable<Parameters<Handler>[Indexes]>
  : Named<Parameters<Handler>, Indexes>;

type CallParameters<Given> =
  Record<string, never> extends Given
    ? [args?: Given, options?: RequestOptions]
    : [args: Given, options?: RequestOptions];

/** The JSON type that a value is sent as: dates as text, maps as objects, sets as arrays. */
export type JsonOf<Value> = unknown extends Value
  ? unknown
  : Value extends Date | URL | bigint | Uint8Array | RegExp
    ? string
    : Value extends ReadonlyMap<infer Key, infer Item>
      ? Key extends string
        ? Record<Key, JsonOf<Item>>
        : [JsonOf<Key>, JsonOf<Item>][]
      : Value extends ReadonlySet<infer Item>
        ? JsonOf<Item>[]
        : Value extends Method
          ? never
          : Value extends object
            ? { [Name in keyof Value]: JsonOf<Value[Name]> }
            : Value;

type ToolValue<Returned> = [Returned] extends [void]
  ? undefined
  : [Returned] extends [ToolResult<infer Data>]
    ? unknown extends Data
      ? Content[]
      : JsonOf<Data>
    : [Returned] extends [Content | readonly Content[]]
      ? Content[]
      : JsonOf<Returned>;

type ResourceValue<Returned> = [Returned] extends [string | Uint8Array | undefined]
  ? NonNullable<Returned>
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
  (...args: CallParameters<Arguments<Handler, Indexes>>): Promise<ToolValue<Awaited<ReturnType<Handler>>>>;
  /** Calls the tool and returns the whole result, even if it failed. */
  result(...args: CallParameters<Arguments<Handler, Indexes>>): Promise<ToolResult>;
}

/** A prompt with the types of its method. */
export interface PromptCall<Handler extends Method, Indexes extends ParameterIndexes> {
  (...args: CallParameters<Arguments<Handler, Indexes>>): Promise<PromptMessage[]>;
  result(...args: CallParameters<Arguments<Handler, Indexes>>): Promise<PromptResult>;
}

/** A resource or a resource template with the types of its method. */
export interface ResourceCall<Handler extends Method, Indexes extends ParameterIndexes> {
  (
    ...args: CallParameters<Arguments<Handler, Indexes>>
  ): Promise<ResourceValue<Awaited<ReturnType<Handler>>>>;
  result(...args: CallParameters<Arguments<Handler, Indexes>>): Promise<ResourceResult>;
}
