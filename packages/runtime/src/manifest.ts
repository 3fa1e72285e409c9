import type { Conversion, Input } from "./manifest/conversions.js";
import type {
  DeclaredAuth,
  DeclaredRateLimit,
  Form,
  PromptEntry,
  ResourceEntry,
  ResourceTemplateEntry,
  SkillEntry,
  SkillFileEntry,
  ToolEntry,
  ViewEntry,
} from "./manifest/entries.js";
import type { Implementation } from "./protocol/specification.js";

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
  /** The skills with a fixed URI, sorted by URI. Absent if there are none, and if no template generates skills. */
  skills?: SkillEntry[];
  /** The files of all skills, sorted by URI. A file of a nested skill also belongs to the enclosing one. Absent if there are none. */
  skillFiles?: SkillFileEntry[];
}

/** The text of a result if a tool returned neither text nor content. */
export const EMPTY_RESULT = "The result is empty.";

/** Average number of characters per token of English text and JSON with current models. */
export const CHARACTERS_PER_TOKEN = 4;

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

export * from "./manifest/conversions.js";
export * from "./manifest/entries.js";
export * from "./protocol/extensions.js";
export { CONTENT_KINDS } from "./protocol/content-kinds.js";
export type { JsonSchema, JsonTypeName, JsonValue } from "./protocol/json-schema.js";
export type * from "./protocol/specification.js";
