import type { DataOutput } from "../manifest.js";
import type { JsonSchema } from "../protocol/json-schema.js";
import type { ToJson } from "../values/converters.js";
import { readInstances } from "./instance-members.js";
import { plainJson } from "./json-text.js";

/**
 * Turns what a handler returns into JSON, as its type says.
 *
 * @param schema derived from the type; undefined where the author wrote it, who then says nothing about instances
 * @param toJson carries out its conversion
 * @returns a function that throws ConversionError for what cannot be JSON, such as an invalid `Date`
 */
export function dataWriter(
  { conversion, conversions }: Omit<DataOutput, "schema">,
  schema: JsonSchema | undefined,
  toJson: ToJson,
): (value: unknown) => unknown {
  const read = schema === undefined ? undefined : readInstances(schema);
  if (conversion === undefined) return (value) => plainJson(value, read);
  return (value) => plainJson(toJson(conversion, read === undefined ? value : read(value), conversions));
}
