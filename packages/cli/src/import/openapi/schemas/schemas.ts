import type { JsonSchema } from "@tenon/runtime/manifest";
import { conjunction, whole } from "./conjunction.js";
import { createDefinitionNames, type Direction } from "./definition-names.js";
import {
  type ApiDocument,
  childOf,
  childrenOf,
  listOf,
  type Part,
  recordOf,
  textOf,
} from "../document/document.js";
import { plainKeywords } from "./plain-keywords.js";
import { shortened } from "../document/short-text.js";

/** The schemas of an OpenAPI document, as JSON Schema 2020-12 that TypeScript can say. */
export interface Schemas {
  /** What a schema object says of values that go in that direction. */
  schemaOf(part: Part, direction: Direction): JsonSchema;
  /** What `#/$defs/…` refers to, so far. */
  readonly definitions: Readonly<Record<string, JsonSchema>>;
  /** What was left to the API to check, by how often. */
  readonly left: ReadonlyMap<string, number>;
}

/** Keywords that no type says: the API checks what they say, and answers. */
const UNSAID = [
  "not",
  "if",
  "patternProperties",
  "propertyNames",
  "minProperties",
  "maxProperties",
  "dependentRequired",
  "dependentSchemas",
  "dependencies",
  "contains",
  "unevaluatedProperties",
];

/**
 * Reads schemas of 3.0 and 3.1. A `oneOf` is a choice, as an `anyOf` is: that a value must not fit two of its schemas says
 * nothing to who writes one. Examples and titles are left out, and long descriptions shortened, as models pay for each word.
 */
export function createSchemas(document: ApiDocument): Schemas {
  const names = createDefinitionNames(document);
  const definitions: Record<string, JsonSchema> = {};
  const left = new Map<string, number>();
  const leave = (what: string): void => void left.set(what, (left.get(what) ?? 0) + 1);
  const resolve = (schema: JsonSchema): JsonSchema =>
    schema.$ref === undefined ? schema : (definitions[schema.$ref.slice("#/$defs/".length)] ?? {});

  const schemaOf = (part: Part, direction: Direction): JsonSchema => {
    const { value } = part;
    const source = recordOf(value);
    if (typeof source["$ref"] === "string") return referenceOf(part, source["$ref"], direction);
    const description = textOf(source["description"]);
    const said = described(ofKeywords(part, source, direction), description);
    return document.isOld && source["nullable"] === true ? orNull(said) : said;
  };

  const ofKeywords = (
    part: Part,
    source: Readonly<Record<string, unknown>>,
    direction: Direction,
  ): JsonSchema => {
    for (const name of UNSAID) if (source[name] !== undefined) leave(name);
    const own = plainKeywords(source, leave);
    // What is a secret is in no log. A type that comes back, too, says so as well, and means it for arguments alone.
    if (isSecret(source)) own["writeOnly"] = true;
    const types = new Set([own.type ?? []].flat());
    if (source["properties"] !== undefined || types.has("object")) addMembers(own, part, direction);
    if (source["items"] !== undefined || source["prefixItems"] !== undefined || types.has("array"))
      addItems(own, part, direction);
    const choices = choicesOf(part, source, direction);
    const parts = childrenOf(childOf(part, "allOf")).map((each) => schemaOf(each.part, direction));
    if (choices === undefined && parts.length === 0) return withKnownRequired(own);
    const all = [...(choices === undefined ? [] : [choices]), ...parts];
    return conjunction(Object.keys(own).length === 0 ? all : [...all, own], resolve);
  };

  const addMembers = (schema: JsonSchema, part: Part, direction: Direction): void => {
    const members = childrenOf(childOf(part, "properties")).filter(
      ({ key, part: member }) =>
        key !== "__proto__" &&
        [member, document.follow(member)].every(({ value }) => isFor(direction, recordOf(value))),
    );
    const declared = new Set(childrenOf(childOf(part, "properties")).map(({ key }) => key));
    const kept = new Set(members.map(({ key }) => key));
    const required = [...new Set(listOf(recordOf(part.value)["required"]))].filter(
      (name): name is string => typeof name === "string" && (kept.has(name) || !declared.has(name)),
    );
    schema.type ??= "object";
    const properties = Object.fromEntries(
      members.map(({ key, part: member }) => [key, schemaOf(member, direction)] as const),
    );
    if (Object.keys(properties).length > 0) schema.properties = properties;
    if (required.length > 0) schema.required = required;
    const { additionalProperties } = recordOf(part.value);
    if (additionalProperties === false) schema.additionalProperties = false;
    else if (typeof additionalProperties === "object" && additionalProperties !== null) {
      if (Object.keys(properties).length === 0)
        schema.additionalProperties = schemaOf(childOf(part, "additionalProperties"), direction);
      else schema.additionalProperties = true;
    } else if (additionalProperties === true && Object.keys(properties).length > 0)
      schema.additionalProperties = true;
  };

  const addItems = (schema: JsonSchema, part: Part, direction: Direction): void => {
    schema.type ??= "array";
    const { items, prefixItems } = recordOf(part.value);
    if (Array.isArray(prefixItems) && prefixItems.length > 0) {
      schema.prefixItems = childrenOf(childOf(part, "prefixItems")).map((each) =>
        schemaOf(each.part, direction),
      );
      schema.minItems ??= 0;
      // What is unique among places that differ is nothing a type says.
      delete schema.uniqueItems;
    }
    if (items === false) schema.items = false;
    else if (typeof items === "object" && items !== null && !Array.isArray(items))
      schema.items = schemaOf(childOf(part, "items"), direction);
  };

  /** What stands in `anyOf` and `oneOf`, but for what only says which names are required. */
  const choicesOf = (
    part: Part,
    source: Readonly<Record<string, unknown>>,
    direction: Direction,
  ): JsonSchema | undefined => {
    const name = Array.isArray(source["oneOf"]) ? "oneOf" : "anyOf";
    const parts = childrenOf(childOf(part, name)).map((each) => each.part);
    const choices = parts
      .filter(({ value }) => !Object.keys(recordOf(value)).every((key) => key === "required"))
      .map((each) => {
        const choice = schemaOf(each, direction);
        return name === "oneOf" ? withDiscriminator(choice, each, source) : choice;
      });
    if (choices.length < parts.length) leave(`${name} of \`required\``);
    if (choices.length === 0) return undefined;
    const texts = choices.map((each) => JSON.stringify(each));
    const different = choices.filter((_, index) => texts.indexOf(texts[index] ?? "") === index);
    const [only] = different;
    return different.length === 1 ? only : { anyOf: different };
  };

  /** A choice, with the value of the discriminator that names it. */
  const withDiscriminator = (
    choice: JsonSchema,
    part: Part,
    source: Readonly<Record<string, unknown>>,
  ): JsonSchema => {
    const { propertyName, mapping } = recordOf(source["discriminator"]);
    const reference = recordOf(part.value)["$ref"];
    if (typeof propertyName !== "string" || typeof reference !== "string") return choice;
    const property = whole(choice, resolve).properties?.[propertyName];
    if (property !== undefined && (resolve(property).enum ?? resolve(property).const) !== undefined)
      return choice;
    const target = document.target(reference, part).place;
    const mapped = Object.entries(recordOf(mapping)).flatMap(([value, to]) => {
      if (typeof to !== "string") return [];
      const isName = !/[#/.]/.test(to);
      const place = document.target(isName ? `#/components/schemas/${to}` : to, part).place;
      return place === target ? [value] : [];
    });
    const values = mapped.length > 0 ? mapped : [reference.split("/").at(-1) ?? reference];
    const { description } = property ?? {};
    const named: JsonSchema = {
      type: "object",
      properties: {
        [propertyName]: { type: "string", enum: values, ...(description !== undefined && { description }) },
      },
      required: [propertyName],
    };
    return conjunction([choice, named], resolve);
  };

  const referenceOf = (part: Part, reference: string, direction: Direction): JsonSchema => {
    const target = document.target(reference, part);
    if (target.value === undefined) {
      leave(`\`$ref\` to nothing (${reference})`);
      return {};
    }
    const name = names.nameOf(target, direction);
    if (definitions[name] === undefined) {
      definitions[name] = {};
      const made = schemaOf(target, direction);
      definitions[name] = made.$ref === `#/$defs/${name}` ? {} : made;
    }
    const schema: JsonSchema = { $ref: `#/$defs/${name}` };
    const { description, default: fallback, deprecated } = recordOf(part.value);
    if (!document.isOld && fallback !== undefined) schema.default = fallback as never;
    if (deprecated === true) schema.deprecated = true;
    return described(schema, textOf(description));
  };

  return { schemaOf, definitions, left };
}

/** What is required and not described may be anything, or nothing. */
function withKnownRequired(schema: JsonSchema): JsonSchema {
  const { properties = {}, required = [], ...rest } = schema;
  const known = required.filter((name) => Object.hasOwn(properties, name));
  if (known.length === required.length) return schema;
  return {
    ...rest,
    ...(schema.properties !== undefined && { properties }),
    ...(known.length > 0 && { required: known }),
  };
}

function described(schema: JsonSchema, description: string | undefined): JsonSchema {
  return description === undefined ? schema : { ...schema, description: shortened(description, 200) };
}

/** What is only shown is not sent, and the other way round. */
function isFor(direction: Direction, { readOnly, writeOnly }: Readonly<Record<string, unknown>>): boolean {
  return direction === "in" ? readOnly !== true : writeOnly !== true;
}

/** By the word of JSON Schema, OpenAPI's format for fields that hide what is typed, or Azure's mark. */
function isSecret(source: Readonly<Record<string, unknown>>): boolean {
  return source["writeOnly"] === true || source["format"] === "password" || source["x-ms-secret"] === true;
}

function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema;
  if (values !== undefined && schema.anyOf === undefined) {
    return { ...schema, enum: values.includes(null) ? values : [...values, null] };
  }
  if (type !== undefined && schema.anyOf === undefined)
    return { ...schema, type: [...new Set([type].flat().concat("null"))] };
  if (Object.keys(schema).every((key) => key === "description")) return schema;
  const { description, default: fallback, deprecated, ...rest } = schema;
  return {
    anyOf: [...(isOnlyChoices(rest) ? (rest.anyOf ?? []) : [rest]), { type: "null" }],
    ...(description !== undefined && { description }),
    ...(fallback !== undefined && { default: fallback }),
    ...(deprecated !== undefined && { deprecated }),
  };
}

function isOnlyChoices(schema: JsonSchema): boolean {
  return Object.keys(schema).join() === "anyOf";
}
