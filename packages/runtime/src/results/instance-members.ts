import type { JsonSchema } from "../protocol/json-schema.js";
import { isScalarValue } from "../values/scalar-values.js";
import { itemPartsAt, memberPartsAt, shapesOf } from "./declared-members.js";

/** Reads from instances what JSON does not see of them. A value without instances is the same afterwards. */
export type ReadInstances = (value: unknown) => unknown;

/** Values nested deeper are not looked through before they are read. */
const MOST_LEVELS = 64;

/**
 * Makes plain objects of the instances of classes in a handler's value, and of what has members that are not enumerable,
 * with those that its type declares and JSON would leave out: getters, which are the class's and not the instance's, and
 * what is not enumerable. No other getter is called. An object with a `toJSON` says itself what it is.
 *
 * @param schema as it was derived
 * @example
 * class Circle { r = 1; get area() { return 3; } }
 * const schema: JsonSchema = { type: "object", properties: { r: { type: "number" }, area: { type: "number" } } };
 * readInstances(schema)(new Circle()) // { r: 1, area: 3 }
 */
export function readInstances(schema: JsonSchema): ReadInstances {
  const known = new Map<JsonSchema, readonly JsonSchema[]>();
  const shapesAt = (part: JsonSchema): readonly JsonSchema[] => {
    const shapes = known.get(part) ?? shapesOf([part], schema);
    known.set(part, shapes);
    return shapes;
  };
  // A value that is inside of itself is left for `JSON.stringify` to refuse.
  const open = new Set<unknown>();

  const read = (value: unknown, parts: readonly (JsonSchema | true)[]): unknown => {
    if (typeof value !== "object" || value === null || open.has(value)) return value;
    const shapes = parts.flatMap((part) => (part === true ? [] : shapesAt(part)));
    if (shapes.length === 0) return value;
    open.add(value);
    try {
      return readObject(value, shapes, read);
    } finally {
      open.delete(value);
    }
  };
  return (value) => (hasInstance(value, MOST_LEVELS) ? read(value, [schema]) : value);
}

type Read = (value: unknown, parts: readonly (JsonSchema | true)[]) => unknown;

function readObject(value: object, shapes: readonly JsonSchema[], read: Read): unknown {
  if (Array.isArray(value)) return value.map((item, index) => read(item, itemPartsAt(index, shapes)));
  if (value instanceof Set) return new Set([...value].map((item) => read(item, itemPartsAt(0, shapes))));
  if (value instanceof Map) {
    const pairs = itemPartsAt(0, shapes).flatMap((part) => (part === true ? [] : [part]));
    const partsAt = (key: unknown): (JsonSchema | true)[] =>
      pairs.length > 0 ? itemPartsAt(1, pairs) : memberPartsAt(String(key), shapes);
    return new Map([...value].map(([key, item]) => [key, read(item, partsAt(key))]));
  }
  if (isScalarValue(value) || typeof (value as { toJSON?: unknown }).toJSON === "function") return value;
  const members = [...Object.entries(value), ...hiddenMembers(value, shapes)];
  // `fromEntries` defines members, where assignment would let a member called `__proto__` set the prototype.
  return Object.fromEntries(
    members.map(([name, member]) => [name, read(member, memberPartsAt(name, shapes))]),
  );
}

/** What the type declares, and neither `Object.entries` nor JSON finds. */
function hiddenMembers(value: object, shapes: readonly JsonSchema[]): [string, unknown][] {
  const names = new Set(shapes.flatMap(({ properties = {} }) => Object.keys(properties)));
  return [...names].flatMap((name): [string, unknown][] => {
    if (name === "__proto__" || !(name in value)) return [];
    if (Object.prototype.propertyIsEnumerable.call(value, name)) return [];
    const member = (value as Record<string, unknown>)[name];
    return typeof member === "function" ? [] : [[name, member]];
  });
}

/** Of a class, or of any other prototype than that of plain objects. */
function isInstance(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype !== Object.prototype && prototype !== null;
}

/** Whether there is an instance in a value, or an object with members that are not enumerable. */
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
