import { LIMITS } from "@tenon/compiler/keywords";
import type { JsonSchema } from "@tenon/runtime/manifest";
import { mergeLimits, type Omit } from "./limits.js";

/** A function that returns the target of a reference, and any other schema unchanged. */
type Resolve = (schema: JsonSchema) => JsonSchema;

/** Maximum depth of nested choices that are expanded. */
const MAX_CHOICE_DEPTH = 4;
const MAX_REFERENCES = 20;

const ANNOTATIONS: ReadonlySet<string> = new Set(["description", "default", "deprecated"]);

/**
 * Returns a schema for values that satisfy several schemas at once, in a form that a type can express: objects are joined,
 * and choices are outermost.
 *
 * @example
 * createConjunction([{ $ref: "#/$defs/Pet" }, { type: "object", properties: { tail: { type: "boolean" } } }], resolve, () => {})
 * // { allOf: [{ $ref: "#/$defs/Pet" }, { type: "object", … }] }
 */
export function createConjunction(
  schemas: readonly JsonSchema[],
  resolve: Resolve,
  omit: Omit,
  depth = 0,
): JsonSchema {
  const parts = schemas.flatMap((part) =>
    Object.keys(part).join() === "allOf" ? (part.allOf ?? []) : [part],
  );
  const constraints = parts.filter((part) => !isAnnotation(part));
  const notes = Object.assign({}, ...parts.filter(isAnnotation)) as JsonSchema;
  const [only, ...others] = constraints;
  if (only === undefined) return notes;
  if (others.length === 0) return { ...only, ...notes };
  const choice = constraints.find((part) => getChoices(part, resolve) !== undefined);
  if (choice !== undefined) {
    const choices = getChoices(choice, resolve) ?? [];
    const isNested = choices.some(
      (each) => each.$ref !== undefined && getChoices(each, resolve) !== undefined,
    );
    // Deeper or recursive choices would produce an unreadable type.
    if (depth === MAX_CHOICE_DEPTH || isNested) return { ...only, ...notes };
    const rest = constraints.filter((part) => part !== choice);
    return {
      anyOf: choices.map((each) => createConjunction([each, ...rest], resolve, omit, depth + 1)),
      ...notes,
    };
  }
  const targets = constraints.map((part) => mergeParts(part, resolve));
  if (!targets.every(isObjectSchema)) return { ...mergeScalars(targets, omit), ...notes };
  const isIntersection = constraints.every((part) => part.$ref !== undefined || part.allOf === undefined);
  if (!isIntersection || !areDisjoint(targets)) return { ...mergeObjects(targets, resolve, omit), ...notes };
  // A description next to references describes the whole.
  const description = constraints.find((part) => part.$ref === undefined)?.description;
  return {
    allOf: constraints.map(withoutDescription),
    ...(description !== undefined && { description }),
    ...notes,
  };
}

function withoutDescription(schema: JsonSchema): JsonSchema {
  const { description: _, ...rest } = schema;
  return rest;
}

function isAnnotation(schema: JsonSchema): boolean {
  return Object.keys(schema).every((key) => ANNOTATIONS.has(key));
}

function getChoices(schema: JsonSchema, resolve: Resolve): readonly JsonSchema[] | undefined {
  const { anyOf, properties } = resolve(schema);
  return properties === undefined ? anyOf : undefined;
}

/** Returns a schema with its references resolved and the parts of objects merged. */
export function mergeParts(schema: JsonSchema, resolve: Resolve, depth = 0): JsonSchema {
  const target = resolve(schema);
  if (target === schema && target.allOf === undefined) return schema;
  if (depth > MAX_REFERENCES) return {};
  if (target.allOf === undefined) return mergeParts(target, resolve, depth + 1);
  const parts = target.allOf.map((part) => mergeParts(part, resolve, depth + 1));
  return mergeObjects(parts, resolve, () => {});
}

function isObjectSchema({ anyOf, type, enum: values, ...others }: JsonSchema): boolean {
  if (anyOf !== undefined || values !== undefined) return false;
  return type === "object" || (type === undefined && LIMITS.every((name) => others[name] === undefined));
}

/**
 * Returns whether an intersection of types is equivalent to the joined object: none limits additional properties, each
 * requires only its own members, and they share no members, except for a string that a later type limits to certain strings.
 */
function areDisjoint(targets: readonly JsonSchema[]): boolean {
  const seen = new Map<string, JsonSchema>();
  return targets.every(({ properties = {}, required = [], additionalProperties }) => {
    const isPlain =
      additionalProperties === undefined && required.every((name) => properties[name] !== undefined);
    const narrows = Object.entries(properties).every(([name, member]) => {
      const { type, description: _, ...limits } = seen.get(name) ?? {};
      const isString = type === "string" && Object.keys(limits).length === 0;
      return !seen.has(name) || (isString && member.enum !== undefined);
    });
    for (const [name, member] of Object.entries(properties)) seen.set(name, member);
    return isPlain && narrows;
  });
}

function mergeObjects(parts: readonly JsonSchema[], resolve: Resolve, omit: Omit): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  for (const [name, member] of parts.flatMap((part) => Object.entries(part.properties ?? {}))) {
    const before = properties[name];
    properties[name] = before === undefined ? member : chooseNarrower(before, member, resolve, omit);
  }
  const required = [...new Set(parts.flatMap((part) => part.required ?? []))];
  const isOpen = parts.some(({ additionalProperties }) => additionalProperties === true);
  const values = parts
    .map(({ additionalProperties }) => additionalProperties)
    .find((each) => typeof each === "object");
  const hasMembers = Object.keys(properties).length > 0;
  if (hasMembers && values !== undefined) omit("`additionalProperties` next to `properties`");
  const additional = hasMembers ? isOpen || values !== undefined : (values ?? isOpen);
  return {
    type: "object",
    ...(hasMembers && { properties }),
    ...(required.length > 0 && { required }),
    ...(additional !== false && { additionalProperties: additional }),
  };
}

/** Returns a schema for a member that two parts declare: the more specific one, or both of them merged if they limit one value. */
function chooseNarrower(before: JsonSchema, after: JsonSchema, resolve: Resolve, omit: Omit): JsonSchema {
  const [first, second] = [resolve(before), resolve(after)];
  if (isAnnotation(second)) return { ...before, ...second };
  if (isAnnotation(first)) return { ...first, ...after };
  const isFixed = ({ enum: values, const: constant }: JsonSchema): boolean =>
    values !== undefined || constant !== undefined;
  if (isFixed(first) !== isFixed(second)) return isFixed(first) ? before : after;
  const areLimits = [first, second].every(
    ({ anyOf, allOf, type, properties }) =>
      [anyOf, allOf, properties].every((each) => each === undefined) && type !== "object",
  );
  return areLimits ? mergeScalars([first, second], omit) : after;
}

/** Merges the limits on one value. Limits of different types contradict each other, so only the first ones are used. */
function mergeScalars(parts: readonly JsonSchema[], omit: Omit): JsonSchema {
  const types = new Set(parts.flatMap(({ type }) => (type === undefined ? [] : [JSON.stringify(type)])));
  const isNumber = [...types].every((type) => type === '"number"' || type === '"integer"');
  if (types.size > 1 && !isNumber) return parts[0] ?? {};
  const typed = types.size > 1 ? parts.map((part) => ({ ...part, type: "integer" as const })) : parts;
  return mergeLimits(typed, omit);
}
