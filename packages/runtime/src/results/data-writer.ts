import type { DataOutput } from "../manifest.js";
import { toJson } from "../values/conversion.js";
import { plainJson } from "./json-text.js";

/**
 * Turns what a handler returns into JSON, as its type says.
 *
 * @returns a function that throws ConversionError for what cannot be JSON, such as an invalid `Date`
 */
export function dataWriter({
  conversion,
  conversions,
}: Omit<DataOutput, "schema">): (value: unknown) => unknown {
  if (conversion === undefined) return plainJson;
  return (value) => plainJson(toJson(conversion, value, conversions));
}
