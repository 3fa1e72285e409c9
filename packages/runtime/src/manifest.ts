import type { JsonSchema } from "./protocol/json-schema.js";
import type { Implementation, Prompt, Resource, ResourceTemplate, Tool } from "./protocol/specification.js";

/** Raised whenever a runtime of this version could misread an older manifest. */
export const MANIFEST_VERSION = 1;

/** The formats that a running server checks; any other `format` is an annotation. */
export const CHECKED_FORMATS = [
  "date-time",
  "date",
  "time",
  "duration",
  "email",
  "idn-email",
  "hostname",
  "ipv4",
  "ipv6",
  "uri",
  "uri-reference",
  "uri-template",
  "url",
  "iri",
  "iri-reference",
  "uuid",
  "regex",
  "json-pointer",
  "byte",
  "base64",
] as const;

/** The most entries in one list reply, where the server says nothing else. */
export const DEFAULT_PAGE_SIZE = 1000;

/** Which clients the listed input schemas are written for. */
export const PROFILES = ["portable", "openai-strict", "gemini"] as const;

/**
 * - `portable`: every client that takes JSON Schema, the default
 * - `openai-strict`: OpenAI functions with `strict: true`
 * - `gemini`: the `parameters` of Gemini's function declarations
 */
export type Profile = (typeof PROFILES)[number];

export type CheckedFormat = (typeof CHECKED_FORMATS)[number];

/**
 * Everything the compiler tells the runtime, as plain JSON with stable bytes: the same source always gives
 * the same manifest. Entries are sorted by name (resources by URI), so a diff of it is a review of an API change.
 */
export interface Manifest {
  manifestVersion: typeof MANIFEST_VERSION;
  server: Implementation;
  instructions?: string;
  /**
   * Who calls over HTTP has to show who it is. The running server has it from `defineServer`; here it is for those who
   * review changes. Absent without `auth`.
   */
  auth?: KnownAuth;
  /** How often one caller may call, whatever it is. Likewise for those who review changes; absent without such a limit. */
  rateLimit?: KnownRateLimit;
  tools: ToolEntry[];
  prompts: PromptEntry[];
  resources: ResourceEntry[];
  resourceTemplates: ResourceTemplateEntry[];
  /**
   * Some of the author's code reports that resources were updated, so clients may subscribe to them. Absent where none
   * does, or there are no resources.
   */
  resourceUpdates?: true;
  /** What `Context.elicit` asks for, by the id that the compiler gave each call. Absent when nothing does. */
  forms?: Record<string, Form>;
}

/** Whether arguments that no schema names are an error, or left out of what the handler is given. */
export type UnknownArguments = "reject" | "ignore";

/** So many calls at most in any stretch of so many milliseconds. */
export interface RateLimit {
  calls: number;
  windowMs: number;
}

/**
 * What the source tells of a rate limit. What a `"function"` decides for each caller, and numbers that are `"unknown"` before
 * the server runs, it has from the decorator itself, or from `defineServer`.
 */
export type KnownRateLimit = RateLimit | "function" | "unknown";

/** `definition` is the specification's own object, listed verbatim; `handler` is the user's method. */
export interface Entry<Definition> {
  definition: Definition;
  handler: HandlerRef;
  /** What callers must have been granted. Absent where everybody may call who may connect. */
  scopes?: string[];
  /** Options that decide for each caller while the server runs. Absent where there are none. */
  guards?: Guard[];
  /** How often one caller may call. Absent where only the server's own limit holds. */
  rateLimit?: KnownRateLimit;
  /** How long a call may take. Absent where the server decides. */
  timeoutMs?: number;
}

/** Options of decorators that decide who may: code, of which the manifest knows that it is there. */
export const GUARDS = ["authorize", "enabled"] as const;

export type Guard = (typeof GUARDS)[number];

/** What the source tells of `auth`. */
export interface KnownAuth {
  /** Absent where the source does not tell which there are. */
  scopes?: KnownScopes;
}

/** The scopes there are, and what the source tells of those that each implies. */
export type KnownScopes = Record<string, { implies?: string[] }>;

export interface ToolEntry extends Entry<Tool> {
  input: Input;
  output: Output;
  /** What happens to arguments the schema does not name. Absent where the server decides. */
  unknownArguments?: UnknownArguments;
  /** Calls may be answered with a task; `start` tells whether at once or when the handler says so. */
  task?: { support: "optional" | "required"; start: "call" | "handler" };
}

export interface PromptEntry extends Entry<Prompt> {
  input: Input;
}

export interface ResourceEntry extends Entry<Resource> {
  /** Absent where text, bytes or the specification's contents are all that comes back. */
  output?: DataOutput;
}

export interface ResourceTemplateEntry extends Entry<ResourceTemplate> {
  input: Input;
  /** Absent where text, bytes or the specification's contents are all that comes back. */
  output?: DataOutput;
}

/** One call of `Context.elicit<T>`: what is shown to the user, and how answers become a `T`. */
export interface Form extends Input {
  /** A flat object, as the specification's `requestedSchema` has it. Answers are checked against `schema`. */
  requestedSchema: JsonSchema;
  schema: JsonSchema;
}

/**
 * The user's method.
 *
 * @example
 * { module: "src/weather.ts", export: "Weather", method: "current",
 *   parameters: [{ from: "argument", name: "city" }, { from: "argument", name: "units" }] }
 */
export interface HandlerRef {
  /** Source file, relative to the project folder, with forward slashes. */
  module: string;
  /** The name the class is exported under; `"default"` for a default export. */
  export: string;
  method: string;
  /** Set when the class is decorated, and not the method: behaviours are those of the class. */
  classForm?: true;
  /** Set when the method is static: it is then called on the class itself. */
  static?: true;
  /** One per parameter of the method, in order. */
  parameters: HandlerParameter[];
}

export type HandlerParameter =
  /** The whole arguments object. */
  | { from: "arguments" }
  /** One argument by name; `rest` spreads an array argument into a rest parameter. */
  | { from: "argument"; name: string; rest?: true }
  /** The `Context` of this call. */
  | { from: "context" }
  /** The `AbortSignal` of this call. */
  | { from: "signal" }
  /** On whose behalf the call is made. Without `optional`, calls of nobody in particular are refused. */
  | { from: "principal"; optional?: true };

/** How arguments are checked and turned into the values the handler declares. */
export interface Input {
  /** The schema that arguments must satisfy. Absent when it is the listed `inputSchema` itself. */
  schema?: JsonSchema;
  /** Absent when JSON values are already what the handler declares. */
  conversion?: Conversion;
  /** Targets of `{ kind: "ref" }`, by name. */
  conversions?: Record<string, Conversion>;
}

/** How a tool's return value becomes `content` and `structuredContent`. */
export interface Output {
  /**
   * - `text`: a string, sent as one text block
   * - `structured`: sent as `structuredContent`, plus its JSON as text; `definition.outputSchema` describes it
   * - `content`: the handler returns `Content`, `Content[]` or a `ToolResult`; an `outputSchema` describes its
   *   `structuredContent`
   * - `mixed`: `content` where the value is content, else `structured`
   * - `none`: nothing comes back
   * - `unknown`: decided by the value, since the declared type says too little
   */
  kind: "text" | "structured" | "content" | "mixed" | "none" | "unknown";
  /** The schema that values must satisfy. Absent when it is the listed `outputSchema` itself, or there is none. */
  schema?: JsonSchema;
  /** Members that the schema does not name are sent all the same, because it is the author's own. */
  openMembers?: true;
  conversion?: Conversion;
  conversions?: Record<string, Conversion>;
}

/** What the string of a `bigint` matches; by it a number is known to be welcome as well. */
export const BIGINT_PATTERN = "^-?\\d+$";

/** How the data that a resource holds becomes JSON, which is no part of what is listed. */
export interface DataOutput {
  schema: JsonSchema;
  conversion?: Conversion;
  conversions?: Record<string, Conversion>;
}

/** Values that JSON writes as strings. A `date` is a `Date` as a moment; a `day`, one as a date alone, in UTC. */
export const SCALAR_KINDS = ["date", "day", "url", "bigint", "bytes", "regexp"] as const;

export type ScalarKind = (typeof SCALAR_KINDS)[number];

/** What a `bigint` must satisfy beyond being one. Decimal, since JSON's numbers lose digits of large ones. */
export interface BigintLimits {
  minimum?: string;
  maximum?: string;
  exclusiveMinimum?: string;
  exclusiveMaximum?: string;
  multipleOf?: string;
}

/**
 * Where JSON stands for a richer JavaScript value, from the outside in. Inputs are converted towards the
 * JavaScript value after validation; outputs towards JSON. A part without a `Conversion` is JSON as it is.
 *
 * @example
 * // { since: Date; tags: Set<string>; until: Date | null }
 * { kind: "object", properties: { since: { kind: "date" }, tags: { kind: "set" }, until: { kind: "date" } } }
 */
export type Conversion =
  /**
   * A string stands for the value, and of a bigint a whole number as well. A JSON value of any other type (the `null`
   * of `Date | null`) stays as it is.
   */
  | ScalarPlan
  | { kind: "array"; items: Conversion }
  /** `items` from the front and `last` up to the end have a place of their own; `rest` is between them. */
  | { kind: "tuple"; items: (Conversion | null)[]; rest?: Conversion; last?: (Conversion | null)[] }
  /** An array stands for the `Set`. */
  | { kind: "set"; items?: Conversion }
  /** An array of `[key, value]` stands for the `Map`; with `object`, an object with string keys does. */
  | { kind: "map"; keys?: Conversion; values?: Conversion; object?: true }
  /**
   * A member with a name of its own is converted as `properties` says; any other as the first of `patterns` says
   * that matches its name, or else as `additional` says. `null` leaves it as it is.
   */
  | {
      kind: "object";
      properties: Record<string, Conversion | null>;
      patterns?: [pattern: string, convert: Conversion | null][];
      additional?: Conversion;
    }
  /** The first branch whose `when` the JSON value satisfies is taken; `convert: null` leaves it as it is. */
  | { kind: "union"; branches: { when: JsonSchema; convert: Conversion | null }[] }
  /** Looked up in `conversions` of the same `Input` or `Output`: how recursive types are told. */
  | { kind: "ref"; name: string };

/** `limits` are of a `bigint` alone: schemas have no words for those of numbers that are written as strings. */
export interface ScalarPlan {
  kind: ScalarKind;
  limits?: BigintLimits;
}

/** True for a conversion with no other inside of it, of a value that JSON writes as a string. */
export function isScalarConversion(conversion: Conversion): conversion is ScalarPlan {
  return SCALAR_KINDS.some((kind) => kind === conversion.kind);
}

export { CONTENT_KINDS } from "./protocol/content-kinds.js";
export type { JsonSchema, JsonTypeName, JsonValue } from "./protocol/json-schema.js";
export type * from "./protocol/specification.js";
