/**
 * Which of several alternatives a value was meant as.
 * @module
 */
import { isTypeAllowed, type JsonSchema, type JsonValue, resolve, typeOf } from "../protocol/json-schema.js";
import { isObject } from "../protocol/jsonrpc.js";
import { equal } from "../validation/json-values.js";
import { distance } from "./distance.js";
import { memoized } from "./fits-alternative.js";
import { findProblems, fits, type Scope } from "./search.js";

/** Keywords that say nothing about values. */
const ANNOTATIONS = new Set(["title", "description", "default", "examples", "deprecated"]);

/** Beyond so many problems, two alternatives are taken for different. */
const MOST_COMPARED = 20;

/** The alternatives with references followed; those that are nothing but alternatives again are taken apart. */
export function flatAlternatives(
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
    const isOnlyThat = Object.keys(others).every((name) => ANNOTATIONS.has(name));
    return inner !== undefined && isOnlyThat ? flatAlternatives(inner, root, found) : [resolved];
  });
}

/**
 * The alternatives that may have been meant. One that no constant distinguishes is left over where others are excluded,
 * which is not a sign yet: a member of the value has to be its own.
 */
export function possibleAlternatives(
  value: unknown,
  alternatives: readonly JsonSchema[],
  scope: Scope,
): readonly JsonSchema[] {
  const signs = tellingMembers(alternatives, scope);
  const possible = alternatives.filter((each) => couldBe(each, value, signs, scope));
  const [only] = possible;
  if (!isObject(value) || possible.length !== 1 || only === undefined) return possible;
  const { properties = {}, patternProperties, additionalProperties } = only;
  const isOpen = additionalProperties !== false || patternProperties !== undefined;
  const isShown = isOpen || Object.keys(value).some((name) => Object.hasOwn(properties, name));
  return isShown || alternatives.filter(mayBeObject).length === 1 ? possible : [];
}

function mayBeObject({ type }: JsonSchema): boolean {
  return type === undefined || isTypeAllowed("object", type);
}

/** True when the value has the alternative's JSON type and the constants that tell it from the others. */
function couldBe(alternative: JsonSchema, value: unknown, signs: ReadonlySet<string>, scope: Scope): boolean {
  const { type, required = [] } = alternative;
  if (type !== undefined && !isTypeAllowed(typeOf(value), type)) return false;
  if (!isObject(value)) return type !== undefined;
  return required.every((name) => {
    if (!signs.has(name)) return true;
    const member = memberOf(alternative, name, scope);
    return constantsOf(member) === undefined || fits(member, value[name], scope);
  });
}

/**
 * The required members whose constants tell alternatives apart: those that every object has, with values that are no
 * other's, where there are any; otherwise those that not all have alike. A choice of units that two objects share says
 * nothing about which one was meant, though it be wrong.
 */
function tellingMembers(alternatives: readonly JsonSchema[], scope: Scope): ReadonlySet<string> {
  const objects = alternatives.filter(mayBeObject);
  const names = new Set(objects.flatMap(({ required = [] }) => required));
  const exclusive: string[] = [];
  const different: string[] = [];
  for (const name of names) {
    const choices = objects.flatMap((each) => {
      const isNeeded = each.required?.includes(name) === true;
      const constants = isNeeded ? constantsOf(memberOf(each, name, scope)) : undefined;
      return constants === undefined ? [] : [constants];
    });
    const texts = choices.map((each) => each.map((constant) => JSON.stringify(constant)).toSorted());
    const all = texts.flat();
    if (choices.length === objects.length && new Set(all).size === all.length) exclusive.push(name);
    if (texts.length === 1 || new Set(texts.map(String)).size > 1) different.push(name);
  }
  return new Set(exclusive.length > 0 ? exclusive : different);
}

function memberOf({ properties = {} }: JsonSchema, name: string, { root }: Scope): JsonSchema {
  return Object.hasOwn(properties, name) ? resolve(properties[name] ?? {}, root) : {};
}

/** The alternative that a value is nearest to; none when several are that are wanting in different ways. */
export function nearestAlternative(
  alternatives: readonly JsonSchema[],
  value: unknown,
  scope: Scope,
): JsonSchema | undefined {
  const distances = alternatives.map((each) => distance(each, value, scope));
  const least = Math.min(...distances);
  const nearest = alternatives.filter((_, index) => distances[index] === least);
  if (nearest.length === 1 && !hasNothingOf(nearest[0] ?? {}, value, scope)) return nearest[0];
  const problems = new Set(nearest.map((each) => problemsOf(each, value, scope)));
  return problems.size === 1 ? nearest[0] : undefined;
}

/** A list of which no item comes near says nothing about what was meant. */
function hasNothingOf({ prefixItems = [], items }: JsonSchema, value: unknown, scope: Scope): boolean {
  if (!Array.isArray(value) || value.length === 0) return false;
  return value.every((item, index) => {
    const wanted = prefixItems[index] ?? items;
    return isObject(wanted) && distance(wanted, item, scope) === 1;
  });
}

/** As text, to be compared. */
function problemsOf(schema: JsonSchema, value: unknown, scope: Scope): string {
  return memoized(scope, "problems", value, schema, () =>
    JSON.stringify(
      findProblems(schema, value, scope, MOST_COMPARED).map(({ steps, keyword, member, requirement }) => [
        steps,
        keyword,
        member,
        requirement("member"),
      ]),
    ),
  );
}

/** The member by which objects show which alternative they are, and all that it may be. */
export interface Discriminator {
  readonly name: string;
  readonly schema: JsonSchema;
}

/** The discriminator whose value is none of any alternative's; none where an alternative has no such member. */
export function wrongDiscriminator(
  alternatives: readonly JsonSchema[],
  value: unknown,
): Discriminator | undefined {
  const objects = alternatives.filter(mayBeObject);
  if (!isObject(value) || objects.length < 2) return undefined;
  for (const name of objects[0]?.required ?? []) {
    const constants = objects.map(({ required = [], properties = {} }) =>
      required.includes(name) && Object.hasOwn(properties, name)
        ? constantsOf(properties[name] ?? {})
        : undefined,
    );
    if (constants.includes(undefined)) continue;
    const choices = [...new Set(constants.flatMap((each) => each ?? []))];
    const given = Object.hasOwn(value, name) ? value[name] : undefined;
    if (!choices.some((each) => equal(each, given))) return { name, schema: { enum: choices } };
  }
  return undefined;
}

function constantsOf({ enum: choices, const: constant }: JsonSchema): JsonValue[] | undefined {
  return choices ?? (constant === undefined ? undefined : [constant]);
}
