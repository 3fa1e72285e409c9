import type { DataOutput } from "../../manifest.js";
import type { JsonSchema } from "../../protocol/json-schema.js";
import type { ToJson } from "../conversion/converters.js";
import { createInstanceReader } from "./instance-members.js";
import { allowsAnyDepth, limitDepth } from "./nesting.js";
import { toPlainJson } from "./json-text.js";

/**
 * Creates a function that converts the return value of a handler to JSON.
 *
 * @param schema the schema derived from the type; undefined if the author wrote the schema, because such a schema does not
 *   describe class instances
 * @param toJson performs the conversion
 * @param isDeep whether the schema allows data of any depth
 * @returns a function that throws ConversionError for values that JSON cannot represent, such as an invalid `Date`, and
 *   ToolError for data that is nested too deeply
 */
export function createDataWriter(
  { conversion, conversions }: Omit<DataOutput, "schema">,
  schema: JsonSchema | undefined,
  toJson: ToJson,
  isDeep: boolean = allowsAnyDepth(schema),
): (value: unknown) => unknown {
  const read = schema === undefined ? undefined : createInstanceReader(schema);
  const write =
    conversion === undefined
      ? (value: unknown) => toPlainJson(value, read)
      : (value: unknown) =>
          toPlainJson(toJson(conversion, read === undefined ? value : read(value), conversions));
  return isDeep ? limitDepth(write) : write;
}
