import type { JsonSchema, JsonTypeName, JsonValue } from "@tenon/runtime/manifest";
import * as fc from "fast-check";
// Internal: the walker that knows where schemas have schemas.
import { mapSchema } from "../../packages/compiler/src/json-schema/walk.js";

const NAMES = ["a", "b", "constructor", "x/y", "~", "__proto__"];
const TEXTS = ["", "a", "ab", "🙂", "🙂b", "2026-07-28", "x/y", "b\"\n'"];
const NUMBERS = [0, 1, 2, 3, 0.5, -1, 1e21];

const scalarValue = fc.constantFrom<JsonValue>(null, true, false, ...NUMBERS, ...TEXTS);

/** Values that the schemas of `randomSchema` sometimes accept. */
export const randomValue: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    { arbitrary: scalarValue, weight: 3 },
    { arbitrary: fc.array(tie("value"), { maxLength: 4 }), weight: 1 },
    {
      // Defined, as JSON.parse does: an assignment to `__proto__` would set the prototype.
      arbitrary: fc
        .array(fc.tuple(fc.constantFrom(...NAMES, "c", "m", "m1", "m2"), tie("value")), { maxLength: 5 })
        .map((members) => Object.fromEntries(members)),
      weight: 3,
    },
  ),
})).value;

function some<T extends object>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<Partial<T>> {
  return fc.record<T>(model, { requiredKeys: [] }) as unknown as fc.Arbitrary<Partial<T>>;
}

const size = fc.integer({ min: 0, max: 3 });
const bound = fc.constantFrom(-1, 0, 0.5, 1, 2);

const scalarType = fc.constantFrom<JsonTypeName>("string", "number", "integer", "boolean", "null");

const ofNumber: fc.Arbitrary<JsonSchema> = some<JsonSchema>({
  minimum: bound,
  maximum: bound,
  exclusiveMinimum: bound,
  exclusiveMaximum: bound,
  multipleOf: fc.constantFrom(0.1, 0.5, 1, 2),
});
const ofText: fc.Arbitrary<JsonSchema> = some<JsonSchema>({
  minLength: size,
  maxLength: size,
  pattern: fc.constantFrom("^a", "^.$", "\\d", '["\\n]', "^[^/]*$"),
  format: fc.constantFrom("date", "uri-reference", "unknown"),
});

const scalar: fc.Arbitrary<JsonSchema> = fc
  .tuple(
    fc.oneof(scalarType, fc.uniqueArray(scalarType, { minLength: 1, maxLength: 3 })),
    fc.oneof(
      fc.constant({}),
      some<JsonSchema>({ enum: fc.uniqueArray(scalarValue, { minLength: 1, maxLength: 5 }) }),
    ),
    fc.oneof(
      fc.constant({}),
      ofNumber,
      ofText,
      fc.tuple(ofNumber, ofText).map((both) => Object.assign({}, ...both)),
    ),
  )
  .map(([type, ...more]) => Object.assign({ type }, ...more) as JsonSchema);

const withDefault = fc.constantFrom<JsonSchema>(
  { type: "string", default: "a" },
  { type: "integer", default: 3 },
  { type: ["string", "null"], default: null },
  { type: "object", default: {} },
);

const { schema } = fc.letrec<{ schema: JsonSchema }>((tie) => {
  const inner = tie("schema");
  const members = fc
    .array(
      fc.oneof(
        { arbitrary: fc.tuple(fc.constantFrom(...NAMES), inner), weight: 4 },
        // Where there is a default, ajv counts an inherited member as present.
        { arbitrary: fc.tuple(fc.constantFrom("a", "b"), withDefault), weight: 1 },
      ),
      { maxLength: 4 },
    )
    .map((all): Record<string, JsonSchema> => Object.fromEntries(all));
  const object = some<JsonSchema>({
    properties: fc.oneof(
      { arbitrary: members, weight: 3 },
      { arbitrary: members.map(manyMembers), weight: 1 },
    ),
    required: fc.uniqueArray(fc.constantFrom(...NAMES, "c"), { maxLength: 2 }),
    additionalProperties: fc.oneof(fc.boolean(), inner),
    patternProperties: fc.dictionary(fc.constantFrom("^a", "r$", "x/y"), inner, { maxKeys: 2 }),
    minProperties: size,
    maxProperties: size,
  }).map((keywords): JsonSchema => ({ type: "object", ...keywords }));
  const array = some<JsonSchema>({
    items: fc.oneof(fc.boolean(), inner),
    prefixItems: fc.array(inner, { minLength: 1, maxLength: 2 }),
    minItems: size,
    maxItems: size,
    uniqueItems: fc.boolean(),
  }).map(({ items, ...keywords }): JsonSchema => {
    // Without a tuple before them, ajv reports each forbidden item as a separate problem.
    const isMeant = items !== undefined && (items !== false || keywords.prefixItems !== undefined);
    return { type: "array", ...keywords, ...(isMeant && { items }) };
  });
  const branches = fc.array(inner, { minLength: 1, maxLength: 3 });
  const composed = fc.oneof(
    branches.map((anyOf): JsonSchema => ({ anyOf })),
    branches.map((oneOf): JsonSchema => ({ oneOf })),
    branches.map((allOf): JsonSchema => ({ allOf })),
    fc.tuple(branches, object).map(([anyOf, rest]): JsonSchema => ({ ...rest, anyOf })),
  );
  const reference = fc.constantFrom<JsonSchema>({ $ref: "#/$defs/Plain" }, { $ref: "#/$defs/Nested" });
  const loose = fc.oneof(
    fc.tuple(ofNumber, ofText).map((both): JsonSchema => Object.assign({}, ...both)),
    randomValue.map((constant): JsonSchema => ({ const: constant })),
    fc.array(randomValue, { minLength: 1, maxLength: 3 }).map((values): JsonSchema => ({ enum: values })),
    fc.constant<JsonSchema>({}),
  );
  return {
    schema: fc.oneof(
      { maxDepth: 3, depthSize: "small" },
      { arbitrary: scalar, weight: 5 },
      { arbitrary: object, weight: 4 },
      { arbitrary: array, weight: 2 },
      { arbitrary: composed, weight: 2 },
      { arbitrary: reference, weight: 1 },
      { arbitrary: loose, weight: 1 },
    ),
  };
});

/** Adds enough members that validators look them up instead of naming each. For `__proto__`, ajv does this in two ways. */
function manyMembers(members: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const more = Array.from({ length: 9 }, (_, index): [string, JsonSchema] => [
    `m${index}`,
    { type: "string" },
  ]);
  return Object.fromEntries([...Object.entries(members).filter(([name]) => name !== "__proto__"), ...more]);
}

/** Schemas of every keyword whose problems the runtime finds, with types that refer to themselves. */
export const randomSchema: fc.Arbitrary<JsonSchema> = fc
  .tuple(schema, schema, schema)
  .map(([root, plain, nested]): JsonSchema => ({
    ...(root.$ref === undefined ? root : { type: "object" }),
    $defs: {
      Plain: withoutReferences(plain),
      Nested: { type: "object", properties: { a: nested, b: { $ref: "#/$defs/Nested" } } },
    },
  }));

/** Removes references: any validator would follow a reference to itself forever. */
function withoutReferences(each: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(each), (_, value: unknown) =>
    typeof value === "object" && value !== null && "$ref" in value ? {} : value,
  ) as JsonSchema;
}

/** Removes defaults, since a default may contain defaults, without end. */
function withoutDefaults(each: JsonSchema): JsonSchema {
  return mapSchema(each, ({ default: _default, ...rest }) => rest);
}

const inner = randomSchema.map(({ $defs: _defs, ...rest }) => withoutDefaults(withoutReferences(rest)));
const name = fc.constantFrom(...NAMES.filter((each) => each !== "__proto__"));

/** Schemas with keywords that no type produces, mixed with those that types produce. */
export const rarerSchema: fc.Arbitrary<JsonSchema> = fc
  .tuple(
    randomSchema,
    some<JsonSchema & Record<string, unknown>>({
      not: inner,
      if: inner,
      // oxlint-disable-next-line no-thenable -- a keyword; a schema is never awaited
      then: inner,
      else: inner,
      dependentRequired: fc.dictionary(name, fc.uniqueArray(name, { minLength: 1, maxLength: 2 }), {
        maxKeys: 2,
      }),
      dependentSchemas: fc.dictionary(name, inner, { maxKeys: 2 }),
      propertyNames: fc.constantFrom<JsonSchema>(
        { maxLength: 1 },
        { pattern: "^[a-z]" },
        { enum: ["a", "b"] },
      ),
      contains: inner,
      minContains: size,
      maxContains: size,
      unevaluatedProperties: fc.oneof(fc.boolean(), inner),
      unevaluatedItems: fc.oneof(fc.boolean(), inner),
    }),
    fc.constantFrom("here", "inside"),
  )
  .map(([whole, keywords, place]): JsonSchema => {
    const { minContains, maxContains, ...others } = keywords;
    const counted = others.contains === undefined ? {} : { minContains, maxContains };
    const plain = withoutDefaults(whole);
    const added = { ...others, ...JSON.parse(JSON.stringify(counted)) } as JsonSchema;
    if (place === "here") return { ...plain, ...added };
    return { ...plain, $defs: { ...plain.$defs, Nested: { ...plain.$defs?.Nested, ...added } } };
  })
  // With both, the code that ajv generates fails for some schemas.
  .filter(
    (each) =>
      !/"patternProperties".*"unevaluated|"unevaluated.*"patternProperties"/.test(JSON.stringify(each)),
  );
