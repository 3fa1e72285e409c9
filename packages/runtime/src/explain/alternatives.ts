/**
 * Types that are one of several, and types that refer to themselves.
 * @module
 */
import {
  atPointer,
  isTypeAllowed,
  type JsonSchema,
  NOTHING,
  resolve,
  typeOf,
} from "../protocol/json-schema.js";
import { isObject } from "../protocol/jsonrpc.js";
import { read as readPlain } from "./coercion.js";
import { fits, look, rule } from "./problems.js";
import type { Reading, Rule, Scope, Search, Words } from "./vocabulary.js";
import { describe as describePlain, describeObject as describeAny, show } from "./words.js";

const rules: readonly Rule[] = [
  rule("$ref", "any", (reference: string, value: unknown, _, search) => {
    const target = atPointer(search.root, reference);
    if (target === undefined || resolve(target, search.root) === NOTHING) return;
    if (isFirstLook(target, value, search)) look(target, value, search);
  }),
  rule(
    "const",
    "any",
    (constant: unknown, value: unknown, _, { vocabulary }) =>
      !vocabulary.equal(constant, value) && (() => `be ${show(constant)}`),
  ),
  rule(
    "anyOf",
    "any",
    (branches: JsonSchema[], value: unknown, schema, search) =>
      !branches.some((branch) => fitsBranch(branch, value, search)) &&
      lookAtIntended(branches, value, schema, search),
  ),
  rule(
    "oneOf",
    "any",
    (branches: JsonSchema[], value: unknown, schema, search) =>
      branches.filter((branch) => fitsBranch(branch, value, search)).length !== 1 &&
      lookAtIntended(branches, value, schema, search),
  ),
  rule("allOf", "any", (parts: JsonSchema[], value: unknown, _, search) => {
    for (const part of parts) look(part, value, search);
  }),
];

/** The problems of the alternative that was clearly meant stand for those of all; otherwise all are named. */
function lookAtIntended(
  branches: readonly JsonSchema[],
  value: unknown,
  schema: JsonSchema,
  search: Search,
): Words | undefined {
  // Whoever asks whether a value fits does not ask why.
  if (search.most > 0) {
    const { path } = search;
    search.found = search.found.filter(({ steps }) => path.some((step, index) => step !== steps[index]));
    const before = search.found.length;
    const possible = possibleFor(value, branches, search);
    const intended = possible.length > 1 ? nearest(possible, value, search) : possible[0];
    if (intended !== undefined) look(intended, value, search);
    if (search.found.length > before) return undefined;
  }
  return () => `be ${search.vocabulary.describe(schema, search)}`;
}

/**
 * The alternatives that may have been meant. One that no constant tells apart is left over where others are excluded,
 * which says nothing: a member of the value has to be its own.
 */
export function possibleFor(
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
function nearest(branches: readonly JsonSchema[], value: unknown, scope: Scope): JsonSchema | undefined {
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
    return member === undefined || fitsBranch(member, value[name], scope) ? [] : [[name, member]];
  });
  return {
    weight: 2 * (missing.length + unknown.length) + wrong.length,
    kind: JSON.stringify([missing, unknown, wrong]),
  };
}

/** Asked again for each alternative around it, which for types that refer to themselves would be very often. */
function fitsBranch(branch: JsonSchema, value: unknown, scope: Scope): boolean {
  return remembered(scope, value, branch, () => fits(branch, value, scope));
}

/** A second look at the same value in the same place would tell the same. */
function isFirstLook(schema: JsonSchema, value: unknown, search: Search): boolean {
  if (typeof value !== "object" || value === null) return true;
  search.looked ??= new Map();
  const schemas = search.looked.get(value) ?? new Set();
  search.looked.set(value, schemas);
  if (schemas.has(schema)) return false;
  schemas.add(schema);
  return true;
}

function remembered<T>(scope: Scope, value: unknown, key: object, find: () => T): T {
  scope.known ??= new Map();
  const found = scope.known.get(value) ?? new Map<unknown, unknown>();
  scope.known.set(value, found);
  if (!found.has(key)) found.set(key, find());
  return found.get(key) as T;
}

function describe(schema: JsonSchema, scope: Scope, references = 0): string {
  const resolved = resolve(schema, scope.root);
  const followed = resolved === schema ? references : references + 1;
  const { enum: choices, const: constant, anyOf, oneOf } = resolved;
  if (choices === undefined && constant !== undefined) return show(constant);
  const branches = anyOf ?? oneOf;
  if (choices !== undefined || branches === undefined) return describePlain(resolved, scope, followed);
  return [...new Set(branches.map((branch) => describeBranch(branch, scope, followed)))]
    .slice(0, 8)
    .join(" or ");
}

/** Objects, of which there may be several, by what they must have. */
function describeBranch(branch: JsonSchema, scope: Scope, references: number): string {
  const text = describe(branch, scope, references);
  const { required = [] } = resolve(branch, scope.root);
  if (text !== describeAny() || required.length === 0) return text;
  const names = required.slice(0, 4).map((name) => `\`${name}\``);
  return `${text} with ${[...names, ...(required.length > names.length ? ["…"] : [])].join(", ")}`;
}

/** An object by what tells it apart from others. */
function describeObject(schema: JsonSchema): string {
  const discriminators = Object.entries(schema.properties ?? {}).flatMap(([name, { enum: choices }]) =>
    choices?.length === 1 ? [`${name}: ${show(choices[0])}`] : [],
  );
  return discriminators.length > 0 ? `an object with ${discriminators.join(", ")}` : describeAny();
}

function read(schema: JsonSchema, value: unknown, reading: Reading): unknown {
  const resolved = resolve(schema, reading.root);
  const { const: constant, anyOf, oneOf } = resolved;
  const branches = anyOf ?? oneOf;
  if (branches !== undefined)
    return remembered(reading, value, branches, () => readBranch(branches, value, reading));
  return readPlain(constant === undefined ? resolved : { enum: [constant], ...resolved }, value, reading);
}

/** The one alternative whose lenient reading fits; none when several differ. */
function readBranch(branches: readonly JsonSchema[], value: unknown, reading: Reading): unknown {
  if (branches.some((branch) => fitsBranch(branch, value, reading))) return value;
  const results = branches.flatMap((branch) => {
    const result = read(branch, value, reading);
    return result !== value && fitsBranch(branch, result, reading) ? [result] : [];
  });
  const isOne = new Set(results.map((result) => JSON.stringify(result))).size === 1;
  return isOne ? results[0] : value;
}

/** Schemas with references and alternatives. */
export const alternatives = { rules, describe, describeObject, read };
