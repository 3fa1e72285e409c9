import { isScalarSchema, type JsonSchema, resolve } from "../protocol/json-schema.js";
import { isObject } from "../protocol/jsonrpc.js";

/** Leaves out of JSON what its schema does not name. What has nothing to lose is the same value afterwards. */
export type KeepDeclared = (json: unknown) => unknown;

/** What is inside of a value is all kept. */
const ALL: KeepDeclared = (json) => json;

/**
 * Leaves out of JSON the members that the type of a result does not declare: TypeScript lets an object have more than
 * its type says, and what nobody declared may be nobody's business, such as the password hash of a user.
 *
 * Of alternatives, the members of all are kept. Where a type has an index signature, or says nothing of members at all,
 * everything is.
 *
 * @param schema as it was derived
 * @example
 * const keep = keepDeclared({ type: "object", properties: { name: { type: "string" } } });
 * keep({ name: "Ada", password: "…" }) // { name: "Ada" }
 */
export function keepDeclared(schema: JsonSchema): KeepDeclared {
  const known = new Map<string, KeepDeclared>();
  const numbers = new Map<JsonSchema, number>();
  const numberOf = (shape: JsonSchema): number => {
    const number = numbers.get(shape) ?? numbers.size;
    numbers.set(shape, number);
    return number;
  };
  const keepInAny: KeepInAny = (parts) => {
    const shapes = shapesOf(parts, schema);
    if (shapes.every(isScalarSchema)) return ALL;
    const key = shapes.map(numberOf).join();
    // A recursive type meets itself again, so each part of it is made when a value has come to it.
    const keep = known.get(key) ?? lazily(() => keepOf(shapes, keepInAny));
    known.set(key, keep);
    return keep;
  };
  return lazily(() => keepInAny([schema]));
}

/** What a value may be: the schemas without references and alternatives. */
export function shapesOf(parts: readonly JsonSchema[], root: JsonSchema): JsonSchema[] {
  const shapes = new Set<JsonSchema>();
  const seen = new Set<JsonSchema>();
  const visit = (part: JsonSchema): void => {
    const target = resolve(part, root);
    if (seen.has(target)) return;
    seen.add(target);
    if (target.anyOf === undefined) shapes.add(target);
    else target.anyOf.forEach(visit);
  };
  parts.forEach(visit);
  return [...shapes];
}

type KeepInAny = (parts: readonly JsonSchema[]) => KeepDeclared;

function keepOf(shapes: readonly JsonSchema[], keepInAny: KeepInAny): KeepDeclared {
  if (shapes.some(({ type, enum: values }) => type === undefined && values === undefined)) return ALL;
  const ofType = (type: string): JsonSchema[] =>
    shapes.filter((shape) => [shape.type].flat().includes(type as never));
  const [objects, arrays] = [ofType("object"), ofType("array")];
  const keepMembers = objects.length > 0 ? membersOf(objects, keepInAny) : ALL;
  const keepItems = arrays.length > 0 ? itemsOf(arrays, keepInAny) : ALL;
  if (keepMembers === ALL && keepItems === ALL) return ALL;
  return (json) => {
    if (Array.isArray(json)) return keepItems(json);
    return isObject(json) ? keepMembers(json) : json;
  };
}

function membersOf(shapes: readonly JsonSchema[], keepInAny: KeepInAny): KeepDeclared {
  if (shapes.some(isUnspecific)) return ALL;
  const names = new Set(shapes.flatMap(({ properties = {} }) => Object.keys(properties)));
  const keepMember = (name: string): KeepDeclared | undefined => {
    const parts = memberPartsAt(name, shapes);
    if (parts.length === 0) return undefined;
    return parts.includes(true) ? ALL : keepInAny(parts as JsonSchema[]);
  };
  const byName = new Map([...names].map((name) => [name, keepMember(name) ?? ALL]));
  const hasPatterns = shapes.some(({ patternProperties }) => patternProperties !== undefined);
  // No name begins like this, so that no pattern is meant by it.
  const others = hasPatterns ? keepMember : always(keepMember("\0"));
  return (json) => {
    const members = json as Record<string, unknown>;
    let kept: [string, unknown][] | undefined;
    // Where all is kept, `for … in` and no list of members take half the time.
    for (const name in members) {
      const member = members[name];
      const keep = byName.get(name) ?? others(name);
      const next = keep?.(member);
      if (kept === undefined && (keep === undefined || next !== member)) kept = membersBefore(name, members);
      if (keep !== undefined) kept?.push([name, next]);
    }
    // `fromEntries` defines members, where assignment would let a member called `__proto__` set the prototype.
    return kept === undefined ? json : Object.fromEntries(kept);
  };
}

function membersBefore(name: string, members: Record<string, unknown>): [string, unknown][] {
  const all = Object.entries(members);
  return all.slice(
    0,
    all.findIndex(([each]) => each === name),
  );
}

/** What one of the alternatives says of a member: schemas, `true` for anything; nothing where it has no such member. */
function partsAt(name: string, shape: JsonSchema): (JsonSchema | true)[] {
  const { properties = {}, patternProperties = {}, additionalProperties = false } = shape;
  if (Object.hasOwn(properties, name)) return [properties[name] as JsonSchema];
  const matching = Object.entries(patternProperties).filter(([pattern]) =>
    new RegExp(pattern, "u").test(name),
  );
  if (matching.length > 0) return matching.map(([, part]) => part);
  return additionalProperties === false ? [] : [additionalProperties];
}

/** What any of the alternatives says of a member. */
export function memberPartsAt(name: string, shapes: readonly JsonSchema[]): (JsonSchema | true)[] {
  return shapes.flatMap((shape) => partsAt(name, shape));
}

/** What any of the alternatives says of an item: schemas, `true` for anything. */
export function itemPartsAt(index: number, shapes: readonly JsonSchema[]): (JsonSchema | true)[] {
  return shapes.flatMap(({ prefixItems = [], items = true }) => {
    const part = prefixItems[index] ?? items;
    return part === true || isObject(part) ? [part] : [];
  });
}

/** `object`, or a type without any members: nothing is known of what its values have. */
function isUnspecific({ properties = {}, patternProperties, additionalProperties }: JsonSchema): boolean {
  return (
    Object.keys(properties).length === 0 &&
    patternProperties === undefined &&
    additionalProperties === undefined
  );
}

function itemsOf(shapes: readonly JsonSchema[], keepInAny: KeepInAny): KeepDeclared {
  const longest = Math.max(...shapes.map(({ prefixItems = [] }) => prefixItems.length));
  const keepAt = (index: number): KeepDeclared => {
    const parts = itemPartsAt(index, shapes);
    return parts.includes(true) ? ALL : keepInAny(parts as JsonSchema[]);
  };
  const positions = Array.from({ length: longest + 1 }, (_, index) => keepAt(index));
  if (positions.every((keep) => keep === ALL)) return ALL;
  return (json) => {
    const items = json as unknown[];
    let kept: unknown[] | undefined;
    for (const [index, item] of items.entries()) {
      const next = (positions[Math.min(index, longest)] ?? ALL)(item);
      if (next !== item) kept ??= items.slice();
      if (kept !== undefined) kept[index] = next;
    }
    return kept ?? items;
  };
}

/** Types that refer to themselves are followed only as far as values go. */
function lazily(create: () => KeepDeclared): KeepDeclared {
  let keep: KeepDeclared | undefined;
  return (json) => (keep ??= create())(json);
}

function always<Value>(value: Value): () => Value {
  return () => value;
}
