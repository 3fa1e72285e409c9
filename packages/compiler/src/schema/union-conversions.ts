import type { Conversion, JsonSchema, JsonTypeName } from "@tenon/runtime/manifest";
import type { Part } from "./derivation.js";

const ALL: readonly JsonTypeName[] = ["null", "boolean", "number", "string", "array", "object"];

/**
 * How the values of a union are converted. Each branch with a conversion gets the smallest condition that sets
 * it apart from the others; where nothing can (`Date | string`), the value stays JSON, which its type allows.
 */
export function joinConversions(branches: readonly Part[]): Conversion | undefined {
  const converting = branches.filter((branch) => branch.conversion);
  const [only] = converting;
  if (!only?.conversion) return undefined;
  if (branches.length === 1) return only.conversion;
  const others = branches.filter((branch) => branch !== only);
  // A conversion of strings leaves every other JSON type alone, so it needs no condition.
  if (
    converting.length === 1 &&
    isOfText(only.conversion) &&
    !others.some((each) => typesOf(each).has("string"))
  ) {
    return only.conversion;
  }
  const conditions = branches.map((branch) => ({
    when: conditionFor(
      branch.schema,
      branches.filter((each) => each !== branch).map((each) => each.schema),
    ),
    convert: branch.conversion ?? null,
  }));
  // Literals first: `"now" | Date` must not try to read `now` as a date.
  const ordered = [...conditions].sort(
    (a, b) => Number(b.when.enum !== undefined) - Number(a.when.enum !== undefined),
  );
  while (ordered.at(-1)?.convert === null) ordered.pop();
  return { kind: "union", branches: ordered };
}

function isOfText(conversion: Conversion): boolean {
  return ["date", "url", "bigint", "bytes", "regexp"].includes(conversion.kind);
}

function typesOf({ schema }: { schema: JsonSchema }): Set<JsonTypeName> {
  if (schema.anyOf) return new Set(schema.anyOf.flatMap((branch) => [...typesOf({ schema: branch })]));
  if (schema.type === undefined) return new Set(schema.$ref === undefined ? ALL : ["object", "array"]);
  return new Set([schema.type].flat().map((name) => (name === "integer" ? "number" : name)));
}

function conditionFor(schema: JsonSchema, others: readonly JsonSchema[]): JsonSchema {
  const types = typesOf({ schema });
  const rivals = others.filter((other) => [...typesOf({ schema: other })].some((name) => types.has(name)));
  if (rivals.length === 0) return { type: types.size === 1 ? ([...types][0] as JsonTypeName) : [...types] };
  if (schema.enum) return { enum: schema.enum };
  if (schema.type === "object" && rivals.every((rival) => rival.type === "object")) {
    return discriminator(schema, rivals) ?? required(schema, rivals) ?? shallow(schema);
  }
  return shallow(schema);
}

/** A member that has other values in each of the others. */
function discriminator(schema: JsonSchema, rivals: readonly JsonSchema[]): JsonSchema | undefined {
  for (const name of schema.required ?? []) {
    const values = schema.properties?.[name]?.enum;
    const tells =
      values &&
      rivals.every((rival) => {
        const theirs = rival.properties?.[name]?.enum;
        return theirs && rival.required?.includes(name) && !theirs.some((value) => values.includes(value));
      });
    if (tells) return { type: "object", properties: { [name]: { enum: values } }, required: [name] };
  }
  return undefined;
}

/** A member that must be here and that none of the others has. */
function required(schema: JsonSchema, rivals: readonly JsonSchema[]): JsonSchema | undefined {
  const name = schema.required?.find((each) =>
    rivals.every(
      (rival) => !Object.hasOwn(rival.properties ?? {}, each) && rival.additionalProperties === false,
    ),
  );
  return name === undefined ? undefined : { type: "object", required: [name] };
}

/** The schema itself without annotations; what it refers to cannot be looked up from here and counts as anything. */
function shallow(schema: JsonSchema): JsonSchema {
  const { description: _, title: __, examples: ___, default: ____, ...rest } = schema;
  if (rest.$ref !== undefined) return { type: ["object", "array"] };
  return {
    ...rest,
    ...(rest.properties && { properties: mapValues(rest.properties, shallow) }),
    ...(rest.patternProperties && { patternProperties: mapValues(rest.patternProperties, shallow) }),
    ...(typeof rest.additionalProperties === "object" && {
      additionalProperties: shallow(rest.additionalProperties),
    }),
    ...(typeof rest.items === "object" && { items: shallow(rest.items) }),
    ...(rest.prefixItems && { prefixItems: rest.prefixItems.map((each) => shallow(each)) }),
    ...(rest.anyOf && { anyOf: rest.anyOf.map((each) => shallow(each)) }),
  };
}

function mapValues(
  record: Record<string, JsonSchema>,
  change: (schema: JsonSchema) => JsonSchema,
): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(record).map(([name, schema]) => [name, change(schema)]));
}
