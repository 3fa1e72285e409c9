/**
 * Defaults inside unions. ajv ignores them, since a value may fit another alternative.
 * @module
 */
import type { JsonSchema } from "@tenon/runtime/manifest";
import { resolvePointer } from "../../json-schema/definitions.js";
import { isSchema, listSchemas, mapSchema } from "../../json-schema/walk.js";

/** A schema whose validation fills in defaults; undefined if there are none. */
type Filling = JsonSchema | undefined;

/**
 * Returns a schema that fills in the defaults of the first alternative that a value fits. It accepts the same values.
 * Schemas without defaults in unions are returned unchanged.
 *
 * @example
 * fillUnionDefaults({ anyOf: [{ properties: { days: { default: 1 } } }, { type: "null" }] })
 * // { anyOf: […], allOf: [{ if: { properties: { days: {} } }, then: { properties: { days: { default: 1 } } }, … }] }
 */
export function fillUnionDefaults(document: JsonSchema): JsonSchema {
  const alternatives = listSchemas(document).flatMap((each) => getAlternatives(each));
  // The alternatives share what was visited: large types contain the same definitions thousands of times.
  const visited = new Set<JsonSchema>();
  if (!alternatives.some((each) => hasDefaults(each, document, visited))) return document;
  const bare = mapSchema(document, withoutDefault);
  const definitions: Record<string, JsonSchema> = {};
  const filling = new Filler(document, definitions).fill(document);
  return {
    ...bare,
    allOf: [...(bare.allOf ?? []), ...(filling === undefined ? [] : [filling])],
    $defs: { ...bare.$defs, ...definitions },
  };
}

/** Creates schemas that fill in defaults. Their conditions are the original schemas, so they are valid for any value. */
class Filler {
  readonly #document: JsonSchema;
  readonly #definitions: Record<string, JsonSchema>;

  /** @param definitions receives the definitions that the schemas refer to */
  constructor(document: JsonSchema, definitions: Record<string, JsonSchema>) {
    this.#document = document;
    this.#definitions = definitions;
  }

  fill(schema: JsonSchema): Filling {
    const { $ref } = schema;
    const parts = [
      $ref === undefined ? undefined : this.#fillDefinition($ref),
      this.#fillMembers(schema),
      this.#fillItems(schema),
      this.#fillFirst(getAlternatives(schema)),
      this.#fillConditional(schema),
      ...(schema.allOf ?? []).map((each) => this.fill(each)),
    ].filter((part) => part !== undefined);
    return parts.length > 1 ? { allOf: parts } : parts[0];
  }

  #fillMembers({ properties = {}, patternProperties = {}, additionalProperties }: JsonSchema): Filling {
    const byName = mapValues(properties, (each) => this.#fillMember(each) ?? {});
    const byPattern = mapValues(patternProperties, (each) => this.#fillInside(each) ?? {});
    const others = this.#fillInside(additionalProperties);
    if (![...Object.values(byName), ...Object.values(byPattern), others].some(isFilling)) return undefined;
    return {
      properties: byName,
      ...(Object.keys(byPattern).length > 0 && { patternProperties: byPattern }),
      ...(others && { additionalProperties: others }),
    };
  }

  /** Fills in a member itself, if it has a default, and what is inside it. */
  #fillMember(schema: JsonSchema): Filling {
    const inside = this.#fillInside(schema);
    return isSchema(schema) && "default" in schema ? { ...inside, default: schema.default } : inside;
  }

  #fillItems({ prefixItems = [], items }: JsonSchema): Filling {
    const first = prefixItems.map((each) => this.#fillInside(each) ?? {});
    const others = this.#fillInside(items);
    if (![...first, others].some(isFilling)) return undefined;
    return { ...(first.length > 0 && { prefixItems: first }), ...(others && { items: others }) };
  }

  #fillFirst([first, ...others]: readonly JsonSchema[]): Filling {
    if (first === undefined) return undefined;
    const [filling, otherwise] = [this.#fillInside(first), this.#fillFirst(others)];
    return createConditional(mapSchema(first, withoutDefault), filling, otherwise);
  }

  #fillConditional({ if: condition, then, else: otherwise }: JsonSchema & Conditional): Filling {
    if (!isSchema(condition)) return undefined;
    return createConditional(
      mapSchema(condition, withoutDefault),
      this.#fillInside(then),
      this.#fillInside(otherwise),
    );
  }

  #fillDefinition(reference: string): Filling {
    const target = resolvePointer(this.#document, reference);
    if (!isSchema(target) || !hasDefaults(target, this.#document)) return undefined;
    const name = `defaults of ${reference.replaceAll(/[#/~%]/g, "|")}`;
    if (!Object.hasOwn(this.#definitions, name)) {
      // A recursive type leads back to this definition.
      this.#definitions[name] = {};
      this.#definitions[name] = this.fill(target) ?? {};
    }
    return { $ref: `#/$defs/${name}` };
  }

  #fillInside(schema: unknown): Filling {
    return isSchema(schema) ? this.fill(schema) : undefined;
  }
}

interface Conditional {
  if?: unknown;
  then?: unknown;
  else?: unknown;
}

function createConditional(condition: JsonSchema, then: Filling, otherwise: Filling): Filling {
  if (then === undefined && otherwise === undefined) return undefined;
  // oxlint-disable-next-line no-thenable -- a keyword; schemas are never awaited
  return { if: condition, ...(then && { then }), ...(otherwise && { else: otherwise }) } as JsonSchema;
}

function isFilling(schema: Filling): boolean {
  return schema !== undefined && Object.keys(schema).length > 0;
}

function getAlternatives({ anyOf = [], oneOf = [] }: JsonSchema): readonly JsonSchema[] {
  return [...anyOf, ...(oneOf as JsonSchema[])];
}

/** Returns whether a member that a schema reaches has a default, apart from what was visited before. */
function hasDefaults(schema: JsonSchema, document: JsonSchema, visited = new Set<JsonSchema>()): boolean {
  if (visited.has(schema)) return false;
  return listSchemas(schema).some((each) => {
    visited.add(each);
    const { properties = {}, $ref } = each;
    if (Object.values(properties).some((each) => isSchema(each) && "default" in each)) return true;
    const target = $ref === undefined ? undefined : resolvePointer(document, $ref);
    return isSchema(target) && hasDefaults(target, document, visited);
  });
}

function withoutDefault({ default: _default, ...schema }: JsonSchema): JsonSchema {
  return schema;
}

function mapValues<T>(
  values: Readonly<Record<string, JsonSchema>>,
  change: (value: JsonSchema) => T,
): Record<string, T> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}
