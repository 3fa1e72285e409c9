import type { JsonValue } from "@tenon/runtime/manifest";
import type { PromptOptions, ResourceOptions, ServerConfig, ToolOptions } from "@tenon/runtime";

/**
 * Options by name. The build reads options with a kind from the source. The running server reads options with "server",
 * and options with both if the source does not show the value.
 */
type OptionTable<Declared> = {
  readonly [Name in keyof Declared]-?:
    | KindOf<NonNullable<Declared[Name]>>
    | `${KindOf<NonNullable<Declared[Name]>>} or ${KindOf<NonNullable<Declared[Name]>> | "server"}`
    | "server";
};

/** The kind of a value in JSON. JSON has no functions, so the server reads these. */
type KindOf<Value> = Value extends (...values: never[]) => unknown
  ? never
  : Value extends string
    ? "string"
    : Value extends number
      ? "number"
      : Value extends boolean
        ? "boolean"
        : Value extends readonly unknown[]
          ? "array"
          : "object";

type DecoratorOptions = ToolOptions & PromptOptions & ResourceOptions;

/** Every option of `@Tool`, `@Prompt`, and `@Resource`. An option of the runtime that is missing here is a type error. */
export const DECORATOR_OPTIONS = {
  name: "string",
  title: "string",
  description: "string",
  icons: "array",
  meta: "object",
  scopes: "array",
  readOnly: "boolean",
  destructive: "boolean",
  idempotent: "boolean",
  openWorld: "boolean",
  prefix: "string",
  inputSchema: "object",
  outputSchema: "object",
  unknownArguments: "string",
  maxResultChars: "number",
  task: "string",
  taskStart: "string",
  view: "string or object",
  visibility: "array",
  openai: "object",
  mimeType: "string",
  size: "number",
  annotations: "object",
  cache: "server",
  complete: "server",
  list: "server",
  enabled: "server",
  authorize: "server",
  rateLimit: "object or server",
  timeoutMs: "number or server",
  use: "server",
} as const satisfies OptionTable<DecoratorOptions>;

/**
 * Every option of `defineServer`. An option of the runtime that is missing here is a type error. The build also reads the
 * classes of the instances in `provide`.
 */
export const SERVER_OPTIONS = {
  name: "string",
  title: "string",
  version: "string",
  description: "string",
  websiteUrl: "string",
  icons: "array",
  instructions: "string or object",
  toolSearch: "boolean or object",
  profile: "string",
  dialects: "array",
  provide: "server",
  limits: "server",
  http: "server",
  files: "server",
  stdio: "server",
  auth: "server",
  use: "server",
  listTtlMs: "server",
  cache: "server",
  pageSize: "server",
  unknownArguments: "server",
  outputValidation: "server",
  sanitize: "server",
  log: "server",
  observe: "server",
  rateLimit: "object or server",
  notifier: "server",
  skills: "server",
  store: "server",
  tasks: "server",
} as const satisfies OptionTable<ServerConfig>;

/** The options of a table that are read from the source, all optional. */
type ReadFrom<Table, Declared> = {
  -readonly [Name in keyof Declared & keyof Table as Table[Name] extends "server" ? never : Name]?: Exclude<
    NonNullable<Declared[Name]>,
    (...values: never[]) => unknown
  >;
};

/** The options of a decorator that the manifest contains. */
export type PlainOptions = ReadFrom<typeof DECORATOR_OPTIONS, DecoratorOptions>;

/** The options of `defineServer` that the manifest contains. */
export type PlainConfig = ReadFrom<typeof SERVER_OPTIONS, ServerConfig>;

/** Returns whether the running server reads an option from the argument of the decorator or `defineServer`. */
export function isReadByServer(name: string, table: Readonly<Record<string, string>>): boolean {
  return Object.hasOwn(table, name) && table[name] === "server";
}

/** Returns whether the running server can read an option if the source does not show its value. */
export function canBeReadByServer(name: string, table: Readonly<Record<string, string>>): boolean {
  return Object.hasOwn(table, name) && table[name]?.endsWith("server") === true;
}

/** Returns whether a value has the kind that an option requires. TypeScript reports values of other kinds. */
export function isOption(name: string, value: JsonValue, table: Readonly<Record<string, string>>): boolean {
  const kind = Array.isArray(value) ? "array" : typeof value;
  return Object.hasOwn(table, name) && table[name]?.split(" or ").includes(kind) === true && value !== null;
}
