import type { JsonSchema } from "../../protocol/json-schema.js";
import { isScalarValue } from "../conversion/scalar-values.js";
import { describeLost, isBoxed, isConverted } from "./lost-values.js";
import { getItemParts, getMemberParts, toShapes } from "./schema-shapes.js";

/** Reads the members of instances that JSON omits. Returns a value without instances unchanged. */
export type ReadInstances = (value: unknown) => unknown;

/** Maximum depth to which a value is searched for instances. Deeper values are read without a search. */
const MAX_LEVELS = 64;

/**
 * Creates a function that turns instances of classes, and objects with members that are not enumerable, into plain
 * objects. These include the declared members that JSON would omit: getters of the class, and members that are not
 * enumerable. Undeclared getters are not called. An object with a `toJSON` method is unchanged.
 *
 * @param schema the derived schema
 * @example
 * class Circle { r = 1; get area() { return 3; } }
 * const schema: JsonSchema = { type: "object", properties: { r: { type: "number" }, area: { type: "number" } } };
 * createInstanceReader(schema)(new Circle()) // { r: 1, area: 3 }
 */
export function createInstanceReader(schema: JsonSchema): ReadInstances {
  const known = new Map<JsonSchema, readonly JsonSchema[]>();
  const getShapes = (part: JsonSchema): readonly JsonSchema[] => {
    const shapes = known.get(part) ?? toShapes([part], schema);
    known.set(part, shapes);
    return shapes;
  };
  // A value that contains itself is unchanged, so that `JSON.stringify` rejects it.
  const open = new Set<unknown>();

  const read = (value: unknown, parts: readonly (JsonSchema | true)[]): unknown => {
    if (typeof value !== "object" || value === null || open.has(value)) return value;
    // Several alternatives may have a member of the same type, at each level of a type that refers to itself.
    const shapes = [...new Set(parts.flatMap((part) => (part === true ? [] : getShapes(part))))];
    if (shapes.length === 0) return value;
    open.add(value);
    try {
      return readObject(value, shapes, read);
    } finally {
      open.delete(value);
    }
  };
  return (value) => (hasInstance(value, MAX_LEVELS) ? read(value, [schema]) : value);
}

type Read = (value: unknown, parts: readonly (JsonSchema | true)[]) => unknown;

function readObject(value: object, shapes: readonly JsonSchema[], read: Read): unknown {
  if (Array.isArray(value)) return value.map((item, index) => read(item, getItemParts(index, shapes)));
  if (value instanceof Set) return new Set([...value].map((item) => read(item, getItemParts(0, shapes))));
  if (value instanceof Map) {
    const pairs = getItemParts(0, shapes).flatMap((part) => (part === true ? [] : [part]));
    const getParts = (key: unknown): (JsonSchema | true)[] =>
      pairs.length > 0 ? getItemParts(1, pairs) : getMemberParts(String(key), shapes);
    return new Map([...value].map(([key, item]) => [key, read(item, getParts(key))]));
  }
  if (isConverted(value) || isBoxed(value)) return value;
  const hidden = findHiddenMembers(value, shapes);
  // Validation rejects a value that JSON would lose, unless its type declares its members, such as an `Error`'s message.
  if (hidden.length === 0 && describeLost(value) !== undefined) return value;
  const members = [...Object.entries(value), ...hidden];
  // Assignment would let a member named `__proto__` set the prototype; `fromEntries` defines the member.
  return Object.fromEntries(
    members.map(([name, member]) => [name, read(member, getMemberParts(name, shapes))]),
  );
}

/** Returns the declared members that neither `Object.entries` nor JSON includes. */
function findHiddenMembers(value: object, shapes: readonly JsonSchema[]): [string, unknown][] {
  const names = new Set(shapes.flatMap(({ properties = {} }) => Object.keys(properties)));
  return [...names].flatMap((name): [string, unknown][] => {
    if (name === "__proto__" || !(name in value)) return [];
    if (Object.prototype.propertyIsEnumerable.call(value, name)) return [];
    const member = (value as Record<string, unknown>)[name];
    return typeof member === "function" ? [] : [[name, member]];
  });
}

/** Returns whether an object has a prototype other than that of plain objects. */
function isInstance(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype !== Object.prototype && prototype !== null;
}

/** Returns whether a value contains an instance, or an object with members that are not enumerable. */
function hasInstance(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((item) => hasInstance(item, levels - 1));
  if (value instanceof Set || value instanceof Map)
    return [...(value.values() as Iterable<unknown>)].some((item) => hasInstance(item, levels - 1));
  if (isInstance(value)) return !isScalarValue(value);
  let members = 0;
  for (const name in value) {
    if (hasInstance((value as Record<string, unknown>)[name], levels - 1)) return true;
    members++;
  }
  return Object.getOwnPropertyNames(value).length !== members;
}
