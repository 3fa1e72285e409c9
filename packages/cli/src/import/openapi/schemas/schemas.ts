import type { JsonSchema } from "@tenon/runtime/manifest";
import { shorten } from "../document/descriptions.js";
import {
  type ApiDocument,
  asList,
  asObject,
  asText,
  type JsonObject,
  type Target,
} from "../document/document.js";
import { createConjunction, mergeParts } from "./conjunction.js";
import { createDefinitionNames, type Direction } from "./definition-names.js";
import { readKeywords } from "./keywords.js";
import { withoutMisfits } from "./limits.js";

/** The schemas of an OpenAPI document, as JSON Schema 2020-12 that TypeScript can express. */
export interface Schemas {
  /** Reads the schema of values that travel in a direction. */
  read(schema: unknown, direction: Direction): JsonSchema;
  /** Returns the target of a reference to a definition, and any other schema unchanged. */
  resolve(schema: JsonSchema): JsonSchema;
  /** The definitions that `#/$defs/…` refers to, so far. */
  readonly definitions: Readonly<Record<string, JsonSchema>>;
  /** How often each keyword was omitted. Only the API checks omitted keywords. */
  readonly omitted: ReadonlyMap<string, number>;
}

/** Keywords that no type expresses. */
const OMITTED = (
  "not if patternProperties propertyNames minProperties maxProperties dependentRequired dependentSchemas " +
  "dependencies contains unevaluatedProperties"
).split(" ");

/**
 * Reads schemas of 3.0 and 3.1. A `oneOf` becomes an `anyOf`: the rule that a value must not fit two of its schemas does not
 * help a model to write a value. Examples and titles are omitted, and long descriptions are shortened, since every word
 * costs tokens.
 *
 * `@scalar/openapi-upgrader` would convert 3.0 to 3.1, but loses members called `example`, and leaves `nullable` next
 * to `oneOf`.
 */
export function createSchemas(document: ApiDocument): Schemas {
  const nameDefinition = createDefinitionNames(document);
  const definitions: Record<string, JsonSchema> = {};
  const omitted = new Map<string, number>();
  /** Names of members that are sent only in the other direction. */
  const unsent = new Set<string>();
  const finished = new Set<string>();
  const omit = (keyword: string): void => void omitted.set(keyword, (omitted.get(keyword) ?? 0) + 1);
  const resolve = (schema: JsonSchema): JsonSchema =>
    schema.$ref === undefined ? schema : (definitions[schema.$ref.slice("#/$defs/".length)] ?? {});

  const read = (value: unknown, direction: Direction): JsonSchema => {
    const source = asObject(value);
    const target = document.findTarget(source);
    if (target !== undefined)
      return withSiblings(readReference(source, target, direction), source, direction);
    const schema = withDescription(readComposition(source, direction), source["description"]);
    return document.isVersion30 && source["nullable"] === true ? allowNull(schema) : schema;
  };

  const readReference = (source: JsonObject, target: Target, direction: Direction): JsonSchema => {
    if (target.value === undefined) {
      omit(`\`$ref\` to nothing (${String(source["$ref"])})`);
      return {};
    }
    const { name, schema: definedSchema } = nameDefinition(target, direction);
    if (!Object.hasOwn(definitions, name)) {
      definitions[name] = {};
      const definition = read(definedSchema, direction);
      definitions[name] = definition.$ref === `#/$defs/${name}` ? {} : definition;
    }
    const { description, default: fallback, deprecated } = source;
    const schema: JsonSchema = { $ref: `#/$defs/${name}` };
    if (!document.isVersion30 && fallback !== undefined) schema.default = fallback as never;
    if (deprecated === true) schema.deprecated = true;
    return withDescription(schema, description);
  };

  /** Joins a reference with the keywords next to it, which 3.0 ignores. */
  const withSiblings = (reference: JsonSchema, source: JsonObject, direction: Direction): JsonSchema => {
    if (document.isVersion30) return reference;
    const { $ref: _, description: _text, default: _fallback, deprecated: _mark, ...others } = source;
    const own = readComposition(others, direction);
    return Object.keys(own).length === 0 ? reference : createConjunction([reference, own], resolve, omit);
  };

  /** Joins the keywords of a schema with its choices and its parts. */
  const readComposition = (source: JsonObject, direction: Direction): JsonSchema => {
    for (const name of OMITTED) if (source[name] !== undefined) omit(name);
    const own = readOwn(source, direction);
    const choices = readChoices(source, direction);
    const parts = asList(source["allOf"]).map((part) => read(part, direction));
    if (choices.length + parts.length === 0) return own;
    return createConjunction(
      [...choices, ...parts, ...(Object.keys(own).length === 0 ? [] : [own])],
      resolve,
      omit,
    );
  };

  const readOwn = (source: JsonObject, direction: Direction): JsonSchema => {
    const own = readKeywords(source, omit);
    // A type for both directions has the tag as well, but the tag affects only arguments.
    if (isSecret(source)) own["writeOnly"] = true;
    const types = new Set([own.type].flat());
    if (source["properties"] !== undefined || types.has("object"))
      Object.assign(own, readMembers(source, direction), { type: own.type ?? "object" });
    // The members may belong to another part.
    else if (own.type === undefined && source["required"] !== undefined)
      own.required = readMembers(source, direction).required ?? [];
    if (source["items"] !== undefined || source["prefixItems"] !== undefined || types.has("array")) {
      Object.assign(own, readItems(source, direction), { type: own.type ?? "array" });
      if (own.prefixItems !== undefined) {
        own.minItems ??= 0;
        // No type expresses that the items of a tuple are unique.
        delete own.uniqueItems;
      }
    }
    return own;
  };

  const readMembers = (source: JsonObject, direction: Direction): JsonSchema => {
    const declared = asObject(source["properties"]);
    const included = Object.entries(declared).filter(
      ([name, member]) =>
        name !== "__proto__" &&
        [asObject(member), document.resolve(member)].every((each) => isSent(each, direction)),
    );
    for (const name of Object.keys(declared)) if (!included.some(([each]) => each === name)) unsent.add(name);
    const properties = Object.fromEntries(included.map(([name, member]) => [name, read(member, direction)]));
    // A required name may be a member of another part.
    const required = [...new Set(asList(source["required"]))].filter(
      (name): name is string =>
        typeof name === "string" && (Object.hasOwn(properties, name) || !Object.hasOwn(declared, name)),
    );
    const [pattern, ...patterns] = Object.values(asObject(source["patternProperties"]));
    const { additionalProperties } = source;
    const isOnlyPattern = additionalProperties === false && patterns.length === 0;
    // Only the API checks names, so all names are allowed where some are.
    const others = pattern === undefined ? additionalProperties : isOnlyPattern ? pattern : true;
    const isOpen = others === true || (typeof others === "object" && others !== null);
    const hasMembers = included.length > 0;
    if (isOpen && hasMembers && others !== true && Object.keys(others).length > 0)
      omit("`additionalProperties` next to `properties`");
    return {
      ...(hasMembers && { properties }),
      ...(required.length > 0 && { required }),
      ...(others === false && { additionalProperties: false }),
      ...(isOpen && hasMembers && { additionalProperties: true }),
      ...(isOpen && !hasMembers && others !== true && { additionalProperties: read(others, direction) }),
    };
  };

  const readItems = (source: JsonObject, direction: Direction): JsonSchema => {
    const { items, prefixItems } = source;
    const isSchema = typeof items === "object" && items !== null && !Array.isArray(items);
    return {
      ...(asList(prefixItems).length > 0 && {
        prefixItems: asList(prefixItems).map((item) => read(item, direction)),
      }),
      ...(items === false && { items }),
      ...(isSchema && { items: read(items, direction) }),
    };
  };

  /** Reads `oneOf` or `anyOf`, except for choices that only specify which members are required. */
  const readChoices = (source: JsonObject, direction: Direction): JsonSchema[] => {
    const keyword = Array.isArray(source["oneOf"]) ? "oneOf" : "anyOf";
    const all = asList(source[keyword]).map(asObject);
    const given = all.filter((each) => Object.keys(each).some((key) => key !== "required"));
    if (given.length < all.length) omit(`${keyword} of \`required\``);
    const different = new Map<string, JsonSchema>();
    for (const each of given) {
      const plain = read(each, direction);
      const choice = keyword === "oneOf" ? withDiscriminator(plain, each, source) : plain;
      different.set(JSON.stringify(choice), choice);
    }
    const choices = [...different.values()];
    return choices.length > 1 ? [{ anyOf: choices }] : choices;
  };

  /** Adds the value of the discriminator that selects a choice. */
  const withDiscriminator = (choice: JsonSchema, given: JsonObject, source: JsonObject): JsonSchema => {
    const { propertyName, mapping } = asObject(source["discriminator"]);
    const target = document.findTarget(given);
    if (typeof propertyName !== "string" || target === undefined) return choice;
    const property = mergeParts(choice, resolve).properties?.[propertyName];
    const { enum: values, const: constant } = property === undefined ? {} : resolve(property);
    if ((values ?? constant) !== undefined) return choice;
    const mapped = Object.entries(asObject(mapping)).flatMap(([value, to]) => {
      if (typeof to !== "string") return [];
      const reference = /[#/.]/.test(to) ? to : `#/components/schemas/${to}`;
      return document.lookUp(reference, given)?.value === target.value ? [value] : [];
    });
    const name = String(given["$ref"]).split("/").at(-1) ?? "";
    const member: JsonSchema = { type: "string", enum: mapped.length > 0 ? mapped : [name] };
    const { description } = property ?? {};
    return createConjunction(
      [
        choice,
        {
          type: "object",
          properties: { [propertyName]: { ...member, ...(description !== undefined && { description }) } },
          required: [propertyName],
        },
      ],
      resolve,
      omit,
    );
  };

  const finish = (schema: JsonSchema): JsonSchema =>
    withoutMisfits(schema, (keyword, name) => {
      if (name === undefined || !unsent.has(name)) omit(keyword);
    });
  const readWhole = (value: unknown, direction: Direction): JsonSchema => {
    const schema = finish(read(value, direction));
    for (const [name, definition] of Object.entries(definitions)) {
      if (finished.has(name)) continue;
      finished.add(name);
      definitions[name] = finish(definition);
    }
    return schema;
  };
  return { read: readWhole, resolve, definitions, omitted };
}

function withDescription(schema: JsonSchema, description: unknown): JsonSchema {
  const text = asText(description);
  return text === undefined ? schema : { ...schema, description: shorten(text, 200) };
}

function isSent({ readOnly, writeOnly }: JsonObject, direction: Direction): boolean {
  return direction === "in" ? readOnly !== true : writeOnly !== true;
}

/** Returns whether a value is a secret, according to JSON Schema's keyword, OpenAPI's format for hidden fields, or Azure's extension. */
function isSecret(source: JsonObject): boolean {
  return source["writeOnly"] === true || source["format"] === "password" || source["x-ms-secret"] === true;
}

function allowNull(schema: JsonSchema): JsonSchema {
  const { description, default: fallback, deprecated, ...inner } = schema;
  const { type, enum: values, anyOf } = inner;
  if (anyOf === undefined && values !== undefined)
    return { ...schema, enum: [...new Set([...values, null])] };
  if (anyOf === undefined && type !== undefined)
    return { ...schema, type: [...new Set([type].flat().concat("null"))] };
  if (Object.keys(schema).every((key) => key === "description")) return schema;
  const choices = Object.keys(inner).join() === "anyOf" ? anyOf : undefined;
  return {
    anyOf: [...(choices ?? [inner]), { type: "null" }],
    ...(description !== undefined && { description }),
    ...(fallback !== undefined && { default: fallback }),
    ...(deprecated !== undefined && { deprecated }),
  };
}
