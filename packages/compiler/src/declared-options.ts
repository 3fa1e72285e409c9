import type { JsonValue } from "@tenon/runtime/manifest";
import type { PromptOptions, ResourceOptions, ServerConfig, ToolOptions } from "@tenon/runtime";

/**
 * Options by name: those with a kind are read from the source, the others by the running server. Of those that may be
 * either, it reads what the source does not tell.
 */
type OptionTable<Declared> = {
  readonly [Name in keyof Declared]-?:
    KindOf<NonNullable<Declared[Name]>> | `${KindOf<NonNullable<Declared[Name]>>} or server` | "server";
};

/** What a value is in JSON. Functions are nothing there, so the server has to read them. */
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

/** Every option of `@Tool`, `@Prompt` and `@Resource`: one that the runtime declares and this table lacks is a type error. */
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
  task: "string",
  taskStart: "string",
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

/** Every option of `defineServer`, likewise. `provide` holds instances, of which the source tells the classes. */
export const SERVER_OPTIONS = {
  name: "string",
  title: "string",
  version: "string",
  description: "string",
  websiteUrl: "string",
  icons: "array",
  instructions: "string",
  profile: "string",
  provide: "server",
  limits: "server",
  http: "server",
  stdio: "server",
  auth: "server",
  use: "server",
  listTtlMs: "server",
  cache: "server",
  pageSize: "server",
  unknownArguments: "server",
  outputChecks: "server",
  sanitize: "server",
  log: "server",
  observe: "server",
  rateLimit: "object or server",
  notifier: "server",
  store: "server",
  tasks: "server",
} as const satisfies OptionTable<ServerConfig>;

/** The options of a table that are read from the source, each present if it is written there. */
type ReadFrom<Table, Declared> = {
  -readonly [Name in keyof Declared & keyof Table as Table[Name] extends "server" ? never : Name]?: Exclude<
    NonNullable<Declared[Name]>,
    (...values: never[]) => unknown
  >;
};

/** What a decorator says, as far as the manifest holds it. */
export type PlainOptions = ReadFrom<typeof DECORATOR_OPTIONS, DecoratorOptions>;

/** What `defineServer` says, as far as the manifest holds it. */
export type PlainConfig = ReadFrom<typeof SERVER_OPTIONS, ServerConfig>;

/** Whether the running server reads an option by itself, from what the decorator or `defineServer` was given. */
export function isReadByServer(name: string, table: Readonly<Record<string, string>>): boolean {
  return Object.hasOwn(table, name) && table[name] === "server";
}

/** Whether the running server can read an option by itself, where the source does not tell its value. */
export function canBeReadByServer(name: string, table: Readonly<Record<string, string>>): boolean {
  return Object.hasOwn(table, name) && table[name]?.endsWith("server") === true;
}

/** Whether a value is of the kind that an option has. One that is not is TypeScript's to report. */
export function isOption(name: string, value: JsonValue, table: Readonly<Record<string, string>>): boolean {
  const kind = Array.isArray(value) ? "array" : typeof value;
  return Object.hasOwn(table, name) && table[name]?.split(" ", 1)[0] === kind && value !== null;
}
