import type { JsonSchema, JsonValue } from "@tenon/runtime/manifest";
import * as fc from "fast-check";

/** The maximum depth to which recursive types are followed. */
const MAX_DEPTH = 4;

/** Texts that formats and encodings accept. */
const FORMATTED: Record<string, readonly string[]> = {
  "date-time": ["2026-07-28T09:30:00Z", "1999-12-31T23:59:59.999+02:00"],
  date: ["2026-07-28"],
  uri: ["https://example.com/a?b=c", "urn:isbn:0451450523"],
  regex: ["^a+$", "."],
  base64: ["", "aGVsbG8="],
};

/**
 * Values of a derived schema. A few are invalid (patterns that look ahead, items that must contain something): tests
 * compare the verdicts of validators, and do not expect every value to be accepted.
 */
export function generateValues(
  schema: JsonSchema,
  root: JsonSchema = schema,
  depth = 0,
): fc.Arbitrary<JsonValue> {
  if (schema.$ref !== undefined) {
    const target = root.$defs?.[schema.$ref.replace("#/$defs/", "")] ?? {};
    return fc.constant(null).chain(() => generateValues(target, root, depth + 1));
  }
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) {
    const plain = schema.anyOf.filter((branch) => branch.$ref === undefined);
    const branches = depth >= MAX_DEPTH && plain.length > 0 ? plain : schema.anyOf;
    return fc.oneof(...branches.map((branch) => generateValues(branch, root, depth)));
  }
  if (schema.type === undefined) return fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<JsonValue>;
  return fc.oneof(...[schema.type].flat().map((type) => ofType(type, schema, root, depth)));
}

function ofType(type: string, schema: JsonSchema, root: JsonSchema, depth: number): fc.Arbitrary<JsonValue> {
  switch (type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "integer":
    case "number":
      return generateNumbers(type, schema);
    case "string":
      return generateStrings(schema);
    case "array":
      return generateArrays(schema, root, depth);
    default:
      return generateObjects(schema, root, depth);
  }
}

function generateNumbers(type: string, schema: JsonSchema): fc.Arbitrary<JsonValue> {
  const { minimum: min = -1000, maximum: max = 1000 } = schema;
  const whole = fc.integer({ min: Math.ceil(min), max: Math.floor(Math.max(max, min)) });
  return type === "integer" ? whole : fc.oneof(whole, fc.constantFrom(min, max, 0.5, -1e-7, 1e21));
}

function generateStrings(schema: JsonSchema): fc.Arbitrary<JsonValue> {
  const { pattern, format, contentEncoding, minLength = 0, maxLength = minLength + 8 } = schema;
  const formatted = FORMATTED[format ?? contentEncoding ?? ""];
  if (formatted) return fc.constantFrom(...formatted);
  if (pattern !== undefined) return generateMatchingTexts(pattern);
  return fc.string({ minLength, maxLength, unit: "grapheme" });
}

/** Generated values by pattern. They are cached, since a Unicode class has a million characters to examine. */
const matching = new Map<string, fc.Arbitrary<string>>();

function generateMatchingTexts(pattern: string): fc.Arbitrary<string> {
  const known = matching.get(pattern) ?? createTextsMatching(pattern);
  matching.set(pattern, known);
  return known;
}

function createTextsMatching(pattern: string): fc.Arbitrary<string> {
  try {
    return fc.stringMatching(new RegExp(pattern, "u"), { size: "small" });
  } catch {
    return fc.constantFrom("", "a", "A", "1", "a-1");
  }
}

function generateArrays(schema: JsonSchema, root: JsonSchema, depth: number): fc.Arbitrary<JsonValue> {
  const { prefixItems = [], items, minItems = 0 } = schema;
  const first = fc.tuple(...prefixItems.map((each) => generateValues(each, root, depth)));
  if (typeof items !== "object") {
    // An optional element may be missing, and so may all after it.
    return first.chain((all) =>
      fc
        .integer({ min: Math.min(minItems, all.length), max: all.length })
        .map((length) => all.slice(0, length)),
    );
  }
  const least = Math.max(0, minItems - prefixItems.length);
  const length = depth >= MAX_DEPTH ? least : Math.max(least, 3);
  const list = { minLength: least, maxLength: Math.min(length, schema.maxItems ?? Infinity) };
  const rest =
    schema.uniqueItems === true
      ? fc.uniqueArray(generateValues(items, root, depth), {
          ...list,
          selector: (item) => JSON.stringify(item),
        })
      : fc.array(generateValues(items, root, depth), list);
  return fc.tuple(first, rest).map(([before, after]) => [...before, ...after]);
}

function generateObjects(schema: JsonSchema, root: JsonSchema, depth: number): fc.Arbitrary<JsonValue> {
  const { properties = {}, required = [], additionalProperties, patternProperties = {} } = schema;
  const members = Object.entries(properties)
    .filter(([name]) => depth < MAX_DEPTH || required.includes(name))
    .map(([name, member]): fc.Arbitrary<[string, JsonValue][]> => {
      const value = generateValues(member, root, depth).map((each): [string, JsonValue][] => [[name, each]]);
      return required.includes(name) ? value : fc.oneof(value, fc.constant<[string, JsonValue][]>([]));
    });
  const others = Object.entries(patternProperties).map(([pattern, member]) =>
    fc.array(fc.tuple(generateMatchingTexts(pattern), generateValues(member, root, depth)), {
      maxLength: 2,
    }),
  );
  if (additionalProperties !== false && depth < MAX_DEPTH) {
    const member = typeof additionalProperties === "object" ? additionalProperties : {};
    others.push(
      fc.array(fc.tuple(fc.constantFrom("k", "1", "zz"), generateValues(member, root, depth)), {
        maxLength: 2,
      }),
    );
  }
  return fc
    .tuple(...others, ...members)
    .map((groups) => Object.fromEntries((groups as [string, JsonValue][][]).flat()));
}
