import type { Conversion } from "@tenon/runtime/manifest";

/** Conversions that only contain the locations of others. */
type Structure = "array" | "tuple" | "object" | "union" | "ref";

/**
 * A value of each kind that JSON writes in another form, with that form. Files are missing, since only arguments
 * contain them. A kind without a row here is a type error.
 */
export const CONVERTED = {
  date: { value: new Date(0), json: "1970-01-01T00:00:00.000Z" },
  day: { value: new Date(0), json: "1970-01-01T00:00:00.000Z" },
  url: { value: new URL("https://example.com/a?b=c"), json: "https://example.com/a?b=c" },
  bigint: { value: 12n, json: "12" },
  bytes: { value: new Uint8Array([0, 1, 2]), json: "AAEC" },
  regexp: { value: /^a+$/u, json: "^a+$" },
  set: { value: new Set([1, 2]), json: [1, 2] },
  map: { value: new Map([[1, true]]), json: [[1, true] as [number, boolean]] },
} satisfies Record<Exclude<Conversion["kind"], Structure | "file">, { value: unknown; json: unknown }>;
