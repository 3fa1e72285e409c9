/**
 * Finds the alternative that a value was meant to match.
 * @module
 */
import {
  getConstants,
  isTypeAllowed,
  type JsonSchema,
  resolve,
  getJsonType,
} from "../../protocol/json-schema.js";
import { isObject } from "../../protocol/jsonrpc.js";
import { equal } from "../validation/json-values.js";
import { measureDistance } from "./distance.js";
import { filterRelated, memoize } from "./fits-alternative.js";
import { getDeclaredMember } from "./member-schemas.js";
import { findProblems, fits, type Scope } from "./search.js";

/** Keywords that do not restrict values. */
const ANNOTATIONS = new Set(["title", "description", "default", "examples", "deprecated"]);

/** Maximum number of problems by which two alternatives are compared. */
const MAX_COMPARED_PROBLEMS = 20;

/** Maximum depth of these problems. Without a limit, the work for a type that refers to itself grows quadratically. */
const MAX_COMPARED_LEVELS = 8;

/** Resolves the references of alternatives, and replaces nested unions with their alternatives. */
export function flattenAlternatives(
  branches: readonly JsonSchema[],
  root: JsonSchema,
  found = new Set<JsonSchema>(),
): JsonSchema[] {
  return branches.flatMap((branch) => {
    const resolved = resolve(branch, root);
    if (found.has(resolved)) return [];
    found.add(resolved);
    const { anyOf, oneOf, ...others } = resolved;
    const inner = anyOf ?? oneOf;
    const isPureUnion = Object.keys(others).every((name) => ANNOTATIONS.has(name));
    return inner !== undefined && isPureUnion ? flattenAlternatives(inner, root, found) : [resolved];
  });
}

/**
 * Returns the alternatives that may have been meant. If constants exclude all others, the remaining alternative counts
 * only if it declares at least one member of an object, or has a constant itself: a list would remain for a tuple
 * whose constant is misspelled. Otherwise, an object was meant to be an alternative whose members it has.
 */
export function findPossibleAlternatives(
  value: unknown,
  alternatives: readonly JsonSchema[],
  scope: Scope,
): readonly JsonSchema[] {
  const discriminators = findDiscriminators(alternatives, value, scope);
  const related = filterRelated(alternatives, value, scope);
  const possible = related.filter((each) => isPossible(each, value, discriminators, scope));
  const [only] = possible;
  if (possible.length !== 1 || only === undefined) return possible;
  if (Array.isArray(value)) {
    const parts = findRequiredParts(only, value, scope.root);
    const isChosen = [...discriminators].some((name) => getConstants(parts.get(name) ?? {}) !== undefined);
    return isChosen ? possible : filterByKind(alternatives, value);
  }
  if (!isObject(value)) return possible;
  const { properties = {}, patternProperties, additionalProperties } = only;
  const isOpen = additionalProperties !== false || patternProperties !== undefined;
  const isDeclared = isOpen || Object.keys(value).some((name) => Object.hasOwn(properties, name));
  const objects = filterByKind(alternatives, value);
  return isDeclared || objects.length === 1 ? possible : objects.filter((each) => hasAllMembers(value, each));
}

function hasAllMembers(value: object, { required = [] }: JsonSchema): boolean {
  return required.length > 0 && required.every((name) => Object.hasOwn(value, name));
}

/** Returns whether a value has the JSON type of an alternative, and the constants that distinguish it. */
function isPossible(
  alternative: JsonSchema,
  value: unknown,
  discriminators: ReadonlySet<string>,
  scope: Scope,
): boolean {
  const { type } = alternative;
  if (type !== undefined && !isTypeAllowed(getJsonType(value), type)) return false;
  if (typeof value !== "object" || value === null) return type !== undefined;
  const parts = value as Record<string, unknown>;
  return [...findRequiredParts(alternative, value, scope.root)].every(
    ([name, part]) =>
      !discriminators.has(name) || getConstants(part) === undefined || fits(part, parts[name], scope),
  );
}

/**
 * Returns the schemas of the members that an object must have, or of the items that a tuple must have, by name or index.
 *
 * @param value an object or an array: the other kind has no required parts
 */
function findRequiredParts(schema: JsonSchema, value: object, root: JsonSchema): Map<string, JsonSchema> {
  const { required = [], properties = {}, prefixItems = [], minItems = 0 } = schema;
  const parts: [string, JsonSchema][] = Array.isArray(value)
    ? prefixItems.slice(0, minItems).map((item, index) => [String(index), item])
    : required.map((name) => [name, Object.hasOwn(properties, name) ? (properties[name] ?? {}) : {}]);
  return new Map(parts.map(([name, part]) => [name, resolve(part, root)]));
}

/** Returns the alternatives that allow the kind of a value. */
function filterByKind(alternatives: readonly JsonSchema[], value: object): readonly JsonSchema[] {
  return alternatives.filter(({ type }) => type === undefined || isTypeAllowed(getJsonType(value), type));
}

/**
 * Returns the required parts whose constants distinguish the alternatives: those that every object or tuple has, each
 * with its own values, if there are any; otherwise those that are not the same in all of them. Constants that two
 * alternatives share, such as units, do not show which one was meant, even if the value has a wrong one, and even if
 * one of the alternatives does not require them.
 */
function findDiscriminators(
  alternatives: readonly JsonSchema[],
  value: unknown,
  { root }: Scope,
): ReadonlySet<string> {
  if (typeof value !== "object" || value === null) return new Set();
  const ofKind = filterByKind(alternatives, value);
  if (ofKind.length < 2) return new Set();
  const parts = ofKind.map((each) => findRequiredParts(each, value, root));
  const names = new Set(parts.flatMap((each) => [...each.keys()]));
  const exclusive: string[] = [];
  const different: string[] = [];
  for (const name of names) {
    const choices = parts.flatMap((each, index) => {
      const optional = getDeclaredMember(ofKind[index] ?? {}, name) ?? {};
      const constants = getConstants(each.get(name) ?? resolve(optional, root));
      return constants === undefined ? [] : [constants];
    });
    const texts = choices.map((each) => each.map((constant) => JSON.stringify(constant)).toSorted());
    const all = texts.flat();
    const isRequired = parts.every((each) => each.has(name));
    if (isRequired && choices.length === parts.length && new Set(all).size === all.length)
      exclusive.push(name);
    if (texts.length === 1 || new Set(texts.map(String)).size > 1) different.push(name);
  }
  return new Set(exclusive.length > 0 ? exclusive : different);
}

/** Returns the alternative nearest to a value; undefined if several are equally near with different problems. */
export function findNearestAlternative(
  alternatives: readonly JsonSchema[],
  value: unknown,
  scope: Scope,
): JsonSchema | undefined {
  const distances = alternatives.map((each) => measureDistance(each, value, scope));
  const min = Math.min(...distances);
  const nearest = alternatives.filter((_, index) => distances[index] === min);
  if (nearest.length === 1 && !hasOnlyForeignItems(nearest[0] ?? {}, value, scope)) return nearest[0];
  const problems = new Set(nearest.map((each) => findProblemTexts(each, value, scope)));
  return problems.size === 1 ? nearest[0] : undefined;
}

/** Returns whether a list has items and none is near the schema, so that the list does not show what was meant. */
function hasOnlyForeignItems({ prefixItems = [], items }: JsonSchema, value: unknown, scope: Scope): boolean {
  if (!Array.isArray(value) || value.length === 0) return false;
  return value.every((item, index) => {
    const wanted = prefixItems[index] ?? items;
    return isObject(wanted) && measureDistance(wanted, item, scope) === 1;
  });
}

/** Returns the problems of a value as text that can be compared. */
function findProblemTexts(schema: JsonSchema, value: unknown, scope: Scope): string {
  return memoize(scope, "problems", value, schema, () =>
    JSON.stringify(
      findProblems(schema, value, scope, MAX_COMPARED_PROBLEMS, MAX_COMPARED_LEVELS).map(
        ({ steps, keyword, member, requirement }) => [steps, keyword, member, requirement("member")],
      ),
    ),
  );
}

/** The member or item that shows which alternative a value is, and the schema of all its values. */
export interface Discriminator {
  /** The name of a member, or the index of an item. */
  readonly step: string | number;
  readonly schema: JsonSchema;
}

/**
 * Returns the discriminator whose value belongs to no alternative; undefined if an alternative has no such member or item,
 * or if the value has no such item.
 */
export function findWrongDiscriminator(
  alternatives: readonly JsonSchema[],
  value: unknown,
  root: JsonSchema,
): Discriminator | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const parts = filterByKind(alternatives, value).map((each) => findRequiredParts(each, value, root));
  for (const name of parts[0]?.keys() ?? []) {
    const constants = parts.map((each) => getConstants(each.get(name) ?? {}));
    if (constants.includes(undefined)) continue;
    const choices = [...new Set(constants.flatMap((each) => each ?? []))];
    const isMissing = !Object.hasOwn(value, name);
    const given = isMissing ? undefined : (value as Record<string, unknown>)[name];
    if (choices.some((each) => equal(each, given)) || (isMissing && Array.isArray(value))) continue;
    return { step: Array.isArray(value) ? Number(name) : name, schema: { enum: choices } };
  }
  return undefined;
}
