import type { JsonSchema } from "@tenon/runtime/manifest";

/** Maximum depth of a sample. Deeper optional members are omitted. */
const MAX_DEPTH = 4;

const FORMATS: Readonly<Record<string, string>> = {
  "date-time": "2026-07-28T09:30:00Z",
  date: "2026-07-28",
  time: "09:30:00Z",
  duration: "PT1H",
  email: "ada@example.com",
  uri: "https://example.com/a?b=c",
  uuid: "123e4567-e89b-12d3-a456-426614174000",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  hostname: "example.com",
  byte: "QUJD",
};

/** Returns a value for a schema: all members of objects, two items of lists, the first of several choices. */
export function sampleValue(schema: JsonSchema, root: JsonSchema, depth = 0): unknown {
  const { $ref, enum: choices, const: constant, anyOf, oneOf, allOf, type, pattern } = schema;
  if ($ref !== undefined) {
    const target = root.$defs?.[$ref.slice("#/$defs/".length)];
    return target === undefined ? null : sampleValue(target, root, depth + 1);
  }
  // Servers fill in defaults.
  if (schema.default !== undefined) return schema.default;
  if (constant !== undefined) return constant;
  if (choices !== undefined) return choices.find((each) => each !== null && each !== "") ?? choices[0];
  const [first] = anyOf ?? oneOf ?? [];
  if (first !== undefined) return sampleValue(first, root, depth);
  if (allOf !== undefined)
    return Object.assign({}, ...allOf.map((part) => sampleValue(part, root, depth))) as unknown;
  const [kind] = [type ?? "object"].flat();
  if (kind === "object") return sampleObject(schema, root, depth);
  if (kind === "array") {
    const item = schema.items;
    const count = Math.min(
      Math.max(schema.minItems ?? 0, schema.uniqueItems === true ? 1 : 2),
      schema.maxItems ?? 2,
    );
    if (schema.prefixItems) return schema.prefixItems.map((each) => sampleValue(each, root, depth + 1));
    if (depth > MAX_DEPTH && (schema.minItems ?? 0) === 0) return [];
    return Array.from({ length: count }, () =>
      typeof item === "object" ? sampleValue(item, root, depth + 1) : "x",
    );
  }
  if (kind === "integer" || kind === "number") return sampleNumber(schema);
  if (kind === "boolean") return true;
  if (kind === "null") return null;
  if (pattern !== undefined) return schema.examples?.[0] ?? schema.default ?? "a";
  return sampleText(schema);
}

function sampleObject(
  { properties = {}, required = [] }: JsonSchema,
  root: JsonSchema,
  depth: number,
): object {
  const members = Object.entries(properties).filter(
    ([name, member]) => depth < MAX_DEPTH || required.includes(name) || member.default !== undefined,
  );
  return Object.fromEntries(members.map(([name, member]) => [name, sampleValue(member, root, depth + 1)]));
}

function sampleNumber({ minimum, exclusiveMinimum, maximum, multipleOf = 1 }: JsonSchema): number {
  const least = minimum ?? (exclusiveMinimum === undefined ? undefined : exclusiveMinimum + multipleOf);
  const value = Math.ceil((least ?? Math.min(maximum ?? 7, 7)) / multipleOf) * multipleOf;
  return maximum !== undefined && value > maximum ? maximum : value;
}

function sampleText({ format = "", minLength = 0, maxLength = Infinity }: JsonSchema): string {
  const text = FORMATS[format] ?? "a b&c";
  return text.padEnd(minLength, "x").slice(0, maxLength);
}
