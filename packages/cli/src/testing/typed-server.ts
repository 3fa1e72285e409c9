/**
 * What tests see of a server, typed by the author's own methods. Tenon writes `.tenon/server.d.ts`, which says which tool
 * is which method, whenever it compiles the project for its tests.
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

/** Filled in by `.tenon/server.d.ts`. */
export interface ProjectServer {}

/** A part of the project's server; of a project that has not been compiled yet, anything. */
type Served<Part extends string, Otherwise> =
  ProjectServer extends Record<Part, infer Known> ? Known : Record<string, Otherwise>;

/** A call of which nothing is known. */
interface AnyCall<Result> {
  // oxlint-disable-next-line typescript/no-explicit-any -- what is compared with it in a test is anything
  (args?: object, options?: RequestOptions): Promise<any>;
  result(args?: object, options?: RequestOptions): Promise<Result>;
}

export interface TestServer {
  /** The tools by name: each takes its arguments as its method declares them, and gives the value that clients get. */
  readonly tools: Served<"tools", AnyCall<ToolResult>>;
  /** The prompts by name: each gives its messages. */
  readonly prompts: Served<"prompts", AnyCall<PromptResult>>;
  /** The resources and resource templates by name: each gives its text, its bytes or its data. */
  readonly resources: Served<"resources", AnyCall<ResourceResult>>;
  /** What handlers logged by `ctx.log`, oldest first. */
  readonly logs: readonly { level: LoggingLevel; data: unknown; logger?: string }[];
  /** What handlers reported by `ctx.progress`, oldest first. */
  readonly progress: readonly { progress: number; total?: number; message?: string }[];
  /** What the server itself logged: its operator would read it. */
  readonly serverLog: readonly LogEntry[];
  /** Everything else that a client can do. */
  readonly client: TestClient;
  /** Ends the server, and disposes of the instances that want it. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

type Method = (...args: never[]) => unknown;

/** Where each argument is among a method's parameters: `[1]` for one that takes all that follow; a number alone where one parameter is all arguments. */
type Places = Record<string, number | [number]> | number;

type At<Parameters extends readonly unknown[], Place> = Place extends [infer Rest extends number]
  ? Parameters[Rest][]
  : Place extends number
    ? Parameters[Place]
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

type Arguments<Handler extends Method, Where extends Places> = Where extends number
  ? NonNullable<Parameters<Handler>[Where]>
  : Named<Parameters<Handler>, Where>;

type CallParameters<Given> =
  Record<string, never> extends Given
    ? [args?: Given, options?: RequestOptions]
    : [args: Given, options?: RequestOptions];

/** JSON of a value as it is sent: dates as text, maps as objects, sets as arrays. */
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

/** A tool, as the method behind it declares it. */
export interface ToolCall<Handler extends Method, Where extends Places> {
  /**
   * Calls the tool.
   *
   * @throws ToolFailure when it fails, with the words that a model would read
   */
  (...args: CallParameters<Arguments<Handler, Where>>): Promise<ToolValue<Awaited<ReturnType<Handler>>>>;
  /** Calls the tool, and gives the whole result, whether it failed or not. */
  result(...args: CallParameters<Arguments<Handler, Where>>): Promise<ToolResult>;
}

/** A prompt, as the method behind it declares it. */
export interface PromptCall<Handler extends Method, Where extends Places> {
  (...args: CallParameters<Arguments<Handler, Where>>): Promise<PromptMessage[]>;
  result(...args: CallParameters<Arguments<Handler, Where>>): Promise<PromptResult>;
}

/** A resource or a resource template, as the method behind it declares it. */
export interface ResourceCall<Handler extends Method, Where extends Places> {
  (...args: CallParameters<Arguments<Handler, Where>>): Promise<ResourceValue<Awaited<ReturnType<Handler>>>>;
  result(...args: CallParameters<Arguments<Handler, Where>>): Promise<ResourceResult>;
}
