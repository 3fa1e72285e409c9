/**
 * Which of several alternatives a value was meant as.
 * @module
 */
import { isTypeAllowed, type JsonSchema, resolve, typeOf } from "../protocol/json-schema.js";
import { isObject } from "../protocol/jsonrpc.js";
import { fits, type Scope } from "./search.js";

/**
 * The alternatives that may have been meant. One that no constant distinguishes is left over where others are excluded,
 * which is not a sign yet: a member of the value has to be its own.
 */
export function possibleAlternatives(
  value: unknown,
  branches: readonly JsonSchema[],
  scope: Scope,
): readonly JsonSchema[] {
  const possible = branches.filter((branch) => couldBe(resolve(branch, scope.root), value, scope));
  const [only] = possible;
  if (!isObject(value) || possible.length !== 1 || only === undefined) return possible;
  const { properties = {}, patternProperties, additionalProperties } = resolve(only, scope.root);
  const isOpen = additionalProperties !== false || patternProperties !== undefined;
  const isShown = isOpen || Object.keys(value).some((name) => Object.hasOwn(properties, name));
  const objects = branches.filter((branch) => mayBeObject(resolve(branch, scope.root)));
  return isShown || objects.length === 1 ? possible : [];
}

function mayBeObject({ type }: JsonSchema): boolean {
  return type === undefined || isTypeAllowed("object", type);
}

/** True when the value has the branch's JSON type and its discriminating constants. */
function couldBe(branch: JsonSchema, value: unknown, scope: Scope): boolean {
  const { type, properties = {}, required = [] } = branch;
  if (type !== undefined && !isTypeAllowed(typeOf(value), type)) return false;
  if (!isObject(value)) return type !== undefined;
  return required.every((name) => {
    const member = Object.hasOwn(properties, name) ? resolve(properties[name] ?? {}, scope.root) : {};
    return (member.enum === undefined && member.const === undefined) || fits(member, value[name], scope);
  });
}

/** The object that a value is nearest to; none when several are that are wanting in different ways. */
export function nearestAlternative(
  branches: readonly JsonSchema[],
  value: unknown,
  scope: Scope,
): JsonSchema | undefined {
  if (!isObject(value)) return undefined;
  const faults = branches.map((branch) => faultsOf(resolve(branch, scope.root), value, scope));
  const least = Math.min(...faults.map(({ weight }) => weight));
  const kinds = new Set(faults.flatMap(({ weight, kind }) => (weight === least ? [kind] : [])));
  return kinds.size === 1 ? branches[faults.findIndex(({ weight }) => weight === least)] : undefined;
}

/** What is wrong with the members of an object. One that is there counts as more of a sign than one that is not. */
function faultsOf(
  { properties = {}, required = [], additionalProperties }: JsonSchema,
  value: Record<string, unknown>,
  scope: Scope,
): { weight: number; kind: string } {
  const declared = (name: string): JsonSchema | undefined =>
    Object.hasOwn(properties, name) ? properties[name] : undefined;
  const missing = required.filter((name) => !Object.hasOwn(value, name));
  const names = Object.keys(value);
  const unknown = additionalProperties === false ? names.filter((name) => declared(name) === undefined) : [];
  const wrong = names.flatMap((name) => {
    const member = declared(name);
    return member === undefined || fitsAlternative(member, value[name], scope) ? [] : [[name, member]];
  });
  return {
    weight: 2 * (missing.length + unknown.length) + wrong.length,
    kind: JSON.stringify([missing, unknown, wrong]),
  };
}

/** Asked again for each alternative around it, which for types that refer to themselves would be very often. */
export function fitsAlternative(branch: JsonSchema, value: unknown, scope: Scope): boolean {
  return memoized(scope, value, branch, () => fits(branch, value, scope));
}

/** What is found out for a value and a key once, for as long as the scope lasts. */
export function memoized<T>(scope: Scope, value: unknown, key: object, find: () => T): T {
  scope.known ??= new Map();
  const found = scope.known.get(value) ?? new Map<unknown, unknown>();
  scope.known.set(value, found);
  if (!found.has(key)) found.set(key, find());
  return found.get(key) as T;
}
