import { CHECKED_FORMATS } from "@tenon/runtime/manifest";
import { nearestName } from "@tenon/runtime/nearest-name";

/** Formats of JSON Schema 2020-12 and of the OpenAPI registry, which clients show even where nothing checks them. */
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

/** The formats that OpenAI's strict mode takes. */
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

/** The formats of strings that Gemini takes. */
export const GEMINI_FORMATS: ReadonlySet<string> = new Set(["enum", "date-time"]);

/** Whether a format is one of JSON Schema 2020-12 or of the OpenAPI registry. */
export function isKnownFormat(name: string): boolean {
  return STRING_FORMATS.includes(name) || NUMBER_FORMATS.includes(name);
}

/** Which JSON type a format is for; unknown formats are for strings, as nearly all are. */
export function formatType(name: string): "string" | "number" {
  return NUMBER_FORMATS.includes(name) ? "number" : "string";
}

export function nearestFormat(name: string): string | undefined {
  return nearestName(name, [...STRING_FORMATS, ...NUMBER_FORMATS]);
}
