/**
 * Removes members that the type of a result does not declare. Loaded with the first call.
 * @module
 */
import { isScalarSchema, type JsonSchema } from "../../protocol/json-schema.js";
import { isObject } from "../../protocol/jsonrpc.js";
import { filterRelated, fitsAlternative } from "../problems/fits-alternative.js";
import { findPossibleAlternatives } from "../problems/intended-alternative.js";
import { createScope } from "../problems/keywords/table.js";
import type { Scope } from "../problems/search.js";
import { describeLost } from "./lost-values.js";
import { getItemParts, getMemberParts, toShapes } from "./schema-shapes.js";

/** Removes undeclared members from JSON. Returns the same value if there are none. */
type KeepDeclared = (json: unknown, scope: Scope) => unknown;

/** Keeps all members. */
const ALL: KeepDeclared = (json) => json;

const knownSchemas = new WeakMap<JsonSchema, KeepDeclared>();

/**
 * Returns JSON without the members that the type of a result does not declare. TypeScript lets an object have more
 * members than its type, and those may be confidential, such as the password hash of a user.
 *
 * A union counts as the alternatives that the value fits. If it fits none, the alternatives that its constants do not
 * exclude count. If a type has an index signature or declares no members, all members are kept.
 *
 * @param json the data, without members that are `undefined`
 * @param schema the derived schema
 * @returns the same value if there is nothing to remove
 * @example
 * omitUndeclared({ name: "Ada", password: "…" }, { type: "object", properties: { name: { type: "string" } } })
 * // { name: "Ada" }
 */
export function omitUndeclared(json: unknown, schema: JsonSchema): unknown {
  const keep = knownSchemas.get(schema) ?? createKeepDeclared(schema);
  knownSchemas.set(schema, keep);
  return keep(json, createScope(schema, undefined, true));
}

function createKeepDeclared(schema: JsonSchema): KeepDeclared {
  const known = new Map<string, KeepDeclared>();
  const numbers = new Map<JsonSchema, number>();
  const getNumber = (shape: JsonSchema): number => {
    const number = numbers.get(shape) ?? numbers.size;
    numbers.set(shape, number);
    return number;
  };
  const keepInAny: KeepInAny = (parts) => {
    const shapes = toShapes(parts, schema);
    if (shapes.every(isScalarSchema)) return ALL;
    const key = shapes.map(getNumber).join();
    // A recursive type leads back to itself, so each part is created when a value reaches it.
    const keep = known.get(key) ?? createLazily(() => createKeep(shapes, keepInAny));
    known.set(key, keep);
    return keep;
  };
  return createLazily(() => keepInAny([schema]));
}

type KeepInAny = (parts: readonly JsonSchema[]) => KeepDeclared;

function createKeep(shapes: readonly JsonSchema[], keepInAny: KeepInAny): KeepDeclared {
  if (shapes.some(({ type, enum: values }) => type === undefined && values === undefined)) return ALL;
  const filterByType = (type: string): JsonSchema[] =>
    shapes.filter((shape) => [shape.type].flat().includes(type as never));
  const keepMembers = keepInMatching(filterByType("object"), (matching) =>
    createKeepMembers(matching, keepInAny),
  );
  const keepItems = keepInMatching(filterByType("array"), (matching) => createKeepItems(matching, keepInAny));
  if (keepMembers === ALL && keepItems === ALL) return ALL;
  return (json, scope) => {
    if (Array.isArray(json)) return keepItems(json, scope);
    // A copy of a value that JSON would lose is an empty object, which no check would notice.
    return isObject(json) && describeLost(json) === undefined ? keepMembers(json, scope) : json;
  };
}

/** Keeps what is declared by the alternatives that a value fits. */
function keepInMatching(
  alternatives: readonly JsonSchema[],
  create: (matching: readonly JsonSchema[]) => KeepDeclared,
): KeepDeclared {
  if (alternatives.length === 0) return ALL;
  if (alternatives.length === 1) return create(alternatives);
  const known = new Map<string, KeepDeclared>();
  return (json, scope) => {
    const matching = findMatching(alternatives, json, scope);
    const key = matching.map((each) => alternatives.indexOf(each)).join();
    const keep = known.get(key) ?? create(matching);
    known.set(key, keep);
    return keep(json, scope);
  };
}

function findMatching(
  alternatives: readonly JsonSchema[],
  json: unknown,
  scope: Scope,
): readonly JsonSchema[] {
  const related = filterRelated(alternatives, json, scope);
  const matching = related.filter((each) => fitsAlternative(each, json, scope));
  if (matching.length > 0) return matching;
  const possible = findPossibleAlternatives(json, alternatives, scope);
  return possible.length > 0 ? possible : alternatives;
}

function createKeepMembers(shapes: readonly JsonSchema[], keepInAny: KeepInAny): KeepDeclared {
  if (shapes.some(isUnspecific)) return ALL;
  const names = new Set(shapes.flatMap(({ properties = {} }) => Object.keys(properties)));
  const keepMember = (name: string): KeepDeclared | undefined => {
    const parts = getMemberParts(name, shapes);
    if (parts.length === 0) return undefined;
    return parts.includes(true) ? ALL : keepInAny(parts as JsonSchema[]);
  };
  const byName = new Map([...names].map((name) => [name, keepMember(name) ?? ALL]));
  const hasPatterns = shapes.some(({ patternProperties }) => patternProperties !== undefined);
  // Without patterns, all undeclared names are treated the same; this one is never declared.
  const others = hasPatterns ? keepMember : always(keepMember("\0"));
  return (json, scope) => {
    const members = json as Record<string, unknown>;
    let changed: [string, unknown][] | undefined;
    // If all members are kept, `for … in` without a list of members takes half the time.
    for (const name in members) {
      const member = members[name];
      const keep = byName.get(name) ?? others(name);
      const next = keep?.(member, scope);
      if (changed === undefined && (keep === undefined || next !== member))
        changed = listMembersBefore(name, members);
      if (keep !== undefined) changed?.push([name, next]);
    }
    // Assignment would let a member named `__proto__` set the prototype; `fromEntries` defines the member.
    return changed === undefined ? json : Object.fromEntries(changed);
  };
}

function listMembersBefore(name: string, members: Record<string, unknown>): [string, unknown][] {
  const all = Object.entries(members);
  return all.slice(
    0,
    all.findIndex(([each]) => each === name),
  );
}

/** Returns whether a schema is for `object` or a type without members, whose values may have any members. */
function isUnspecific({ properties = {}, patternProperties, additionalProperties }: JsonSchema): boolean {
  return (
    Object.keys(properties).length === 0 &&
    patternProperties === undefined &&
    additionalProperties === undefined
  );
}

function createKeepItems(shapes: readonly JsonSchema[], keepInAny: KeepInAny): KeepDeclared {
  const longest = Math.max(...shapes.map(({ prefixItems = [] }) => prefixItems.length));
  const keepAt = (index: number): KeepDeclared => {
    const parts = getItemParts(index, shapes);
    return parts.includes(true) ? ALL : keepInAny(parts as JsonSchema[]);
  };
  const positions = Array.from({ length: longest + 1 }, (_, index) => keepAt(index));
  if (positions.every((keep) => keep === ALL)) return ALL;
  return (json, scope) => {
    const items = json as unknown[];
    let changed: unknown[] | undefined;
    for (const [index, item] of items.entries()) {
      const next = (positions[Math.min(index, longest)] ?? ALL)(item, scope);
      if (next !== item) changed ??= items.slice();
      if (changed !== undefined) changed[index] = next;
    }
    return changed ?? items;
  };
}

/** Creates a function on first use, so that recursive types are followed only as deep as values. */
function createLazily(create: () => KeepDeclared): KeepDeclared {
  let keep: KeepDeclared | undefined;
  return (json, scope) => (keep ??= create())(json, scope);
}

function always<Value>(value: Value): () => Value {
  return () => value;
}
