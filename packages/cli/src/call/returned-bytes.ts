import type { JsonSchema } from "@tenon/runtime/manifest";
import type { BytesBlock } from "./save-bytes.js";

/** What of a tool's data is bytes, as its output schema says: they travel as text. */
export function returnedBytes(value: unknown, schema: JsonSchema | boolean | undefined): BytesBlock[] {
  if (typeof schema !== "object") return [];
  const { contentEncoding, contentMediaType, properties = {}, items } = schema;
  if (typeof value === "string") {
    if (contentEncoding !== "base64") return [];
    return [{ data: value, ...(typeof contentMediaType === "string" && { mimeType: contentMediaType }) }];
  }
  if (Array.isArray(value)) return value.flatMap((each) => returnedBytes(each, items));
  const members = Object.entries(Object(value) as object);
  return members.flatMap(([name, member]) =>
    Object.hasOwn(properties, name) ? returnedBytes(member, properties[name]) : [],
  );
}
