import { CHECKED_FORMATS } from "@tenon/runtime/manifest";
import { findNearestName } from "@tenon/runtime/nearest-name";

/** Formats of JSON Schema 2020-12 and the OpenAPI registry. Clients display them even if they do not check them. */
const STRING_FORMATS: readonly string[] = [
  ...CHECKED_FORMATS,
  ..."idn-hostname relative-json-pointer binary password base64url char commonmark html".split(" "),
];

const NUMBER_FORMATS: readonly string[] = [
  "int8",
  "uint8",
  "int16",
  "uint16",
  "int32",
  "uint32",
  "int64",
  "uint64",
  "float",
  "double",
  "decimal",
];

/** The formats that OpenAI's strict mode accepts. */
export const STRICT_FORMATS: ReadonlySet<string> = new Set([
  "date-time",
  "time",
  "date",
  "duration",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "uuid",
]);

/** The string formats that Gemini accepts. */
export const GEMINI_FORMATS: ReadonlySet<string> = new Set(["enum", "date-time"]);

/** Returns whether a format is one of JSON Schema 2020-12 or of the OpenAPI registry. */
export function isKnownFormat(name: string): boolean {
  return STRING_FORMATS.includes(name) || NUMBER_FORMATS.includes(name);
}

/** Returns the JSON type that a format is for. Unknown formats are for strings, as nearly all are. */
export function getFormatType(name: string): "string" | "number" {
  return NUMBER_FORMATS.includes(name) ? "number" : "string";
}

/** Finds the known format that a misspelled name probably means. */
export function findNearestFormat(name: string): string | undefined {
  return findNearestName(name, [...STRING_FORMATS, ...NUMBER_FORMATS]);
}
