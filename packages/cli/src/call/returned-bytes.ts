import type { JsonSchema } from "@tenon/runtime/manifest";
import type { BytesBlock } from "./save-bytes.js";

/** Finds binary data, encoded as base64, in the structured content of a tool. */
export function findReturnedBytes(value: unknown, schema: JsonSchema | boolean | undefined): BytesBlock[] {
  if (typeof schema !== "object") return [];
  const { contentEncoding, contentMediaType, properties = {}, items } = schema;
  if (typeof value === "string") {
    if (contentEncoding !== "base64") return [];
    return [{ data: value, ...(typeof contentMediaType === "string" && { mimeType: contentMediaType }) }];
  }
  if (Array.isArray(value)) return value.flatMap((each) => findReturnedBytes(each, items));
  const members = Object.entries(Object(value) as object);
  return members.flatMap(([name, member]) =>
    Object.hasOwn(properties, name) ? findReturnedBytes(member, properties[name]) : [],
  );
}
