import type { JsonSchema, NumberLimits } from "./protocol/json-schema.js";
import type {
  Implementation,
  Prompt,
  Resource,
  ResourceTemplate,
  Skill,
  Tool,
} from "./protocol/specification.js";

export { wrapSchema } from "./protocol/projection.js";

/** The version of the manifest format. It increases whenever a runtime could misread an older manifest. */
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

/** Default maximum number of entries on one page of a list. */
export const DEFAULT_PAGE_SIZE = 1000;

/** The values of `Profile`. */
export const PROFILES = ["portable", "openai-strict", "gemini"] as const;

/**
 * The clients that the listed input schemas are written for:
 *
 * - `portable`: every client that accepts JSON Schema, the default
 * - `openai-strict`: OpenAI functions with `strict: true`
 * - `gemini`: the `parameters` of Gemini's function declarations
 */
export type Profile = (typeof PROFILES)[number];

export type CheckedFormat = (typeof CHECKED_FORMATS)[number];

/**
 * The output of the compiler for the runtime, as plain JSON. The same source always produces the same bytes. Entries
 * are sorted by name (resources by URI), so that a diff shows changes to the API.
 */
export interface Manifest {
  manifestVersion: typeof MANIFEST_VERSION;
  server: Implementation;
  instructions?: string;
  /**
   * The authorization that HTTP requests need. Only for reviews of changes: the running server uses `auth` of
   * `defineServer`. Absent without `auth`.
   */
  auth?: DeclaredAuth;
  /** The rate limit of a caller for all handlers together. Only for reviews of changes; absent without such a limit. */
  rateLimit?: DeclaredRateLimit;
  tools: ToolEntry[];
  prompts: PromptEntry[];
  resources: ResourceEntry[];
  resourceTemplates: ResourceTemplateEntry[];
  /** Set if clients search the tools instead of listing them, except for those in `always`. */
  toolSearch?: { always?: string[] };
  /**
   * Whether clients can subscribe to resources, because some code reports that they were updated. Absent if no code
   * does, or if there are no resources.
   */
  resourceUpdates?: true;
  /** The forms of `Context.elicit`, by the ID that the compiler gave each call. Absent if there are none. */
  forms?: Record<string, Form>;
  /** The views of tools, by name: the path of the file without its extension. Absent if there are none. */
  views?: Record<string, ViewEntry>;
  /** The skills, sorted by URI. Absent if there are none. */
  skills?: SkillEntry[];
  /** The files of all skills, sorted by URI. A file of a nested skill also belongs to the enclosing one. Absent if there are none. */
  skillFiles?: SkillFileEntry[];
}

/** A skill: a folder of files with instructions for models, which clients read as resources. */
export interface SkillEntry {
  /** The path of its folder in `skills/`, such as `"refunds"` or `"billing/refunds"`. */
  path: string;
  definition: Skill;
  /** The scopes that callers need. Only for reviews of changes: the running server uses the `skills` option of `defineServer`. */
  scopes?: string[];
  /** The options that decide for each caller. Only for reviews of changes, like `scopes`. */
  guards?: Guard[];
}

/** A file of a skill, as a resource. */
export interface SkillFileEntry {
  definition: Resource;
  /** The digest of the content, without `sha256:`. The build writes the content to a module with this name. */
  hash: string;
}

/**
 * The extension with which servers announce skills.
 *
 * @see https://github.com/modelcontextprotocol/ext-skills/blob/main/specification/stable/skills.mdx
 */
export const SKILLS_EXTENSION = "io.modelcontextprotocol/skills";

/** The beginning of the URIs of skills. */
export const SKILL_SCHEME = "skill://";

/** A view: a user interface for the results of tools, which clients load as a resource. */
export interface ViewEntry {
  /** The resource. Its URI contains the hash of the HTML, and lacks it until the view is built. */
  definition: Resource;
  /** The hash in the URI. Absent until the view is built. */
  hash?: string;
}

/** The parties that may call a tool: the model, and the views of this server. */
export type ToolVisibility = "model" | "app";

/** Returns whether a party may call a tool. */
export function isVisibleTo(
  { visibility }: { visibility?: readonly string[] | undefined },
  party: ToolVisibility,
): boolean {
  return visibility?.includes(party) ?? true;
}

/**
 * The MIME type of views.
 *
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx
 */
export const VIEW_MIME_TYPE = "text/html;profile=mcp-app";

/** The extension with which clients announce that they show views. */
export const VIEW_EXTENSION = "io.modelcontextprotocol/ui";

/** Whether unknown arguments are an error, or are omitted from the arguments of the handler. */
export type UnknownArguments = "reject" | "ignore";

/** A maximum number of calls in any period of this length (a sliding window). */
export interface RateLimit {
  calls: number;
  /** Length of the period, in milliseconds. */
  windowMs: number;
}

/**
 * A rate limit, if the source shows its numbers: `"function"` if it is decided for each caller, and `"unknown"` if its
 * numbers are computed when the server starts. The running server reads it from the decorator or from `defineServer`.
 */
export type DeclaredRateLimit = RateLimit | "function" | "unknown";

/** A listed `definition`, which is the object of the specification, and its `handler`, the method of the user. */
export interface Entry<Definition> extends DeclaredCallbacks {
  definition: Definition;
  handler: HandlerRef;
  /** The scopes that callers need. Absent if there are none. */
  scopes?: string[];
  /** The options that decide for each caller while the server runs. Absent if there are none. */
  guards?: Guard[];
  /** The rate limit of a caller. Absent if only the limit of the server applies. */
  rateLimit?: DeclaredRateLimit;
  /** The timeout of a call, in milliseconds. Absent if `limits.callTimeoutMs` applies. */
  timeoutMs?: number;
  /** Whether the result may have files, which become content. */
  files?: true;
}

/** The callbacks of a decorator that clients notice. Only for reviews of changes: the running server reads the options. */
export interface DeclaredCallbacks {
  /** Set if the resources of a template are listed. */
  lists?: true;
  /** The arguments or variables with suggestions. Absent without `complete`. */
  completes?: string[];
}

/** The options of decorators that decide access with code, of which the manifest only records the existence. */
export const GUARDS = ["authorize", "enabled"] as const;

export type Guard = (typeof GUARDS)[number];

/** The authorization that the source shows. */
export interface DeclaredAuth {
  /** `auth` may be undefined, for example without an environment variable. Callers then need not authenticate. */
  conditional?: true;
  /** The authorization servers whose tokens are accepted. Absent if the source does not show them. */
  issuers?: string[];
  /** Absent if the source does not show the scopes. */
  scopes?: DeclaredScopes;
}

/** The scopes by name, with those of the implied scopes that the source shows. */
export type DeclaredScopes = Record<string, { implies?: string[] }>;

export interface ToolEntry extends Entry<Tool> {
  input: Input;
  output: Output;
  /** The treatment of unknown arguments. Absent if the server decides. */
  unknownArguments?: UnknownArguments;
  /** Maximum number of characters of a result. Absent if the limit of the server applies; 0 for none. */
  maxResultChars?: number;
  /** The support of tasks. `start` specifies whether a task begins with the call, or when the handler starts it. */
  task?: { support: "optional" | "required"; start: "call" | "handler" };
  /** The view that shows the results, a key of `views`. Absent if there is none. */
  view?: string;
  /** The parties that may call the tool. Absent if both may. */
  visibility?: ToolVisibility[];
}

export interface PromptEntry extends Entry<Prompt> {
  input: Input;
}

export interface ResourceEntry extends Entry<Resource> {
  /** Absent if the resource only returns text, bytes, or contents of the specification. */
  output?: DataOutput;
}

export interface ResourceTemplateEntry extends Entry<ResourceTemplate> {
  input: Input;
  /** Absent if the resource only returns text, bytes, or contents of the specification. */
  output?: DataOutput;
}

/** The form of a call to `Context.elicit<T>`, and the conversion of an answer to a `T`. */
export interface Form extends Input {
  /** A flat object, like `requestedSchema` of the specification. Answers are validated against `schema`. */
  requestedSchema: JsonSchema;
  schema: JsonSchema;
}

/**
 * The method of the user that handles a call.
 *
 * @example
 * { module: "src/weather.ts", export: "Weather", method: "current",
 *   parameters: [{ from: "argument", name: "city" }, { from: "argument", name: "units" }] }
 */
export interface HandlerRef {
  /** Source file, relative to the project folder, with forward slashes. */
  module: string;
  /** The name under which the class is exported; `"default"` for a default export. */
  export: string;
  method: string;
  /** Set if the class is decorated instead of the method: its callbacks are those of the class. */
  classForm?: true;
  /** Set if the method is static. It is then called on the class. */
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
  /** The principal of this call. Without `optional`, calls without a principal are rejected. */
  | { from: "principal"; optional?: true }
  | CursorParameter;

/** The `Cursor` that an argument contains. */
export interface CursorParameter {
  from: "cursor";
  /** The name of the argument. */
  name: string;
  /** The schema of a position. Cursors of an earlier build with another schema are rejected. */
  position: JsonSchema;
  /** Maximum number of characters of a page. Absent if the limit of the server applies. */
  maxChars?: number;
}

/** The validation of arguments, and their conversion to the types that the handler declares. */
export interface Input {
  /** The schema that arguments must satisfy. Absent if it is the listed `inputSchema`. */
  schema?: JsonSchema;
  /** Absent if JSON values need no conversion. */
  conversion?: Conversion;
  /** Targets of `{ kind: "ref" }`, by name. */
  conversions?: Record<string, Conversion>;
}

/** The conversion of the return value of a tool to `content` and `structuredContent`. */
export interface Output {
  /**
   * - `text`: a string, sent as one text block
   * - `structured`: sent as `structuredContent`, plus its JSON as text; `definition.outputSchema` describes it
   * - `content`: the handler returns `Content`, `Content[]`, or a `ToolResult`; an `outputSchema` describes its
   *   `structuredContent`
   * - `mixed`: `content` if the value is content, else `structured`
   * - `none`: nothing is returned
   * - `unknown`: decided by the value, because the declared type is too general
   */
  kind: "text" | "structured" | "content" | "mixed" | "none" | "unknown";
  /** The schema that values must satisfy. Absent if it is the listed `outputSchema`, or there is none. */
  schema?: JsonSchema;
  /** Whether members that the schema does not name are sent, because the author wrote the schema. */
  openMembers?: true;
  conversion?: Conversion;
  conversions?: Record<string, Conversion>;
}

/** The text of a tool that may return text or content, and returned none. */
export const EMPTY_RESULT = "The result is empty.";

/** The pattern of a `bigint` as a string. A schema with this pattern also accepts numbers. */
export const BIGINT_PATTERN = "^-?\\d+$";

/** The conversion of the data of a resource to JSON. It is not listed. */
export interface DataOutput {
  schema: JsonSchema;
  conversion?: Conversion;
  conversions?: Record<string, Conversion>;
}

/**
 * Values that JSON writes as strings. A `date` is a `Date` as a moment; a `day`, one as a date alone, in UTC. A `file`
 * occurs only in arguments.
 */
const SCALAR_KINDS = ["date", "day", "url", "bigint", "bytes", "regexp", "file"] as const;

export type ScalarKind = (typeof SCALAR_KINDS)[number];

/** The limits of a file in arguments. */
export interface FileLimits {
  /** Maximum size in bytes. */
  maxBytes?: number;
  /** Accepted MIME types, in lower case, such as `image/png` or `image/*`. Absent if all are. */
  accept?: string[];
  /** Whether clients may send a URL that the server downloads, as OpenAI's clients do. */
  remote?: true;
}

/** The limits of a `bigint`, as decimal strings, because numbers in JSON lose digits of large values. */
export type BigintLimits = { [Keyword in keyof NumberLimits]?: string };

/**
 * The conversion between JSON and a richer JavaScript value, from the outside in. Inputs are converted to the
 * JavaScript value after validation; outputs are converted to JSON. A part without a `Conversion` is unchanged.
 *
 * @example
 * // { since: Date; tags: Set<string>; until: Date | null }
 * { kind: "object", properties: { since: { kind: "date" }, tags: { kind: "set" }, until: { kind: "date" } } }
 */
export type Conversion =
  /**
   * A string represents the value; an integer can also represent a bigint. A JSON value of any other type (the `null`
   * of `Date | null`) is unchanged.
   */
  | ScalarPlan
  | { kind: "array"; items: Conversion }
  /** `items` are the first elements, `last` the last ones, and `rest` is between them. */
  | { kind: "tuple"; items: (Conversion | null)[]; rest?: Conversion; last?: (Conversion | null)[] }
  /** An array represents the `Set`. */
  | { kind: "set"; items?: Conversion }
  /** An array of `[key, value]` represents the `Map`; with `object`, an object with string keys does. */
  | { kind: "map"; keys?: Conversion; values?: Conversion; object?: true }
  /**
   * A member is converted by its name in `properties`, else by the first of `patterns` that matches its name, else by
   * `additional`. `null` leaves it unchanged.
   */
  | {
      kind: "object";
      properties: Record<string, Conversion | null>;
      patterns?: [pattern: string, convert: Conversion | null][];
      additional?: Conversion;
    }
  /** The first branch whose `when` the JSON value satisfies. `convert: null` leaves it unchanged. */
  | { kind: "union"; branches: { when: JsonSchema; convert: Conversion | null }[] }
  /** An entry of `conversions` in the same `Input` or `Output`, for recursive types. */
  | { kind: "ref"; name: string };

/**
 * The conversion of a value that JSON writes as a string. Only a `bigint` has `limits` and only a `file` has `file`, since
 * schemas can't express them for strings.
 */
export interface ScalarPlan {
  kind: ScalarKind;
  limits?: BigintLimits;
  file?: FileLimits;
}

/** Returns whether any value of a manifest needs a conversion. */
export function hasConversions(manifest: Manifest): boolean {
  return listConversions(manifest).length > 0;
}

/** Returns the conversions of all arguments and results. */
export function listConversions({
  tools,
  prompts,
  resources,
  resourceTemplates,
  forms = {},
}: Manifest): Conversion[] {
  const converted: readonly (Pick<Input, "conversion" | "conversions"> | undefined)[] = [
    ...[...tools, ...prompts, ...resourceTemplates].map(({ input }) => input),
    ...[...tools, ...resources, ...resourceTemplates].map(({ output }) => output),
    ...Object.values(forms),
  ];
  return converted.flatMap((each) => [
    ...(each?.conversion === undefined ? [] : [each.conversion]),
    ...Object.values(each?.conversions ?? {}),
  ]);
}

/** Returns whether a conversion is of a single value that JSON writes as a string. */
export function isScalarConversion(conversion: Conversion): conversion is ScalarPlan {
  return SCALAR_KINDS.some((kind) => kind === conversion.kind);
}

export { CONTENT_KINDS } from "./protocol/content-kinds.js";
export type { JsonSchema, JsonTypeName, JsonValue } from "./protocol/json-schema.js";
export type * from "./protocol/specification.js";
