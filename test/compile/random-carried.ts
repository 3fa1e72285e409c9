import type { JsonValue, ScalarKind } from "@tenon/runtime/manifest";
import * as fc from "fast-check";

/** JSON, and the value that a handler receives for it. */
export interface Carried {
  json: JsonValue;
  real: unknown;
}

/** A type as text whose values JSON represents in another form, with both forms of its values. */
export interface CarriedType {
  text: string;
  values: fc.Arbitrary<Carried>;
  /** Distinguishes the type from others in a union: its JSON type, or also its `kind`. */
  sign: string;
}

/** Declarations that the types refer to. */
export const DECLARATIONS = `
interface Tree { kind: "tree"; at: Date; kids: Tree[]; best?: Tree | null }
type Step = { kind: "do"; id: bigint; next?: Step | Stop } | { kind: "both"; steps: [Step, ...Step[]] };
/** @format date */
type Day = Date;
interface Stop { kind: "stop"; on: Set<Date> }
interface Money { toJSON(): { cents: bigint } }
interface User { name: string; since: Date }
`;

const plain = (...values: JsonValue[]): fc.Arbitrary<Carried> =>
  fc.constantFrom(...values).map((json) => ({ json, real: json }));

const dates = fc
  .constantFrom("2026-07-28T09:30:00.000Z", "1969-12-31T23:59:59.999Z", "2000-02-29T00:00:00.000Z")
  .map((json): Carried => ({ json, real: new Date(json) }));

const days = fc
  .constantFrom("2026-07-28", "1969-12-31", "2000-02-29")
  .map((json): Carried => ({ json, real: new Date(json) }));

const bigints = fc
  .constantFrom("0", "-7", "123456789012345678901234567890")
  .map((json): Carried => ({ json, real: BigInt(json) }));

/** A kind without values here does not compile. */
const converted: Record<Exclude<ScalarKind, "file">, Omit<CarriedType, "sign">> = {
  date: { text: "Date", values: dates },
  day: { text: "Day", values: days },
  bigint: { text: "bigint", values: bigints },
  url: {
    text: "URL",
    values: fc
      .constantFrom("https://example.com/a?b=c", "mailto:ada@example.com")
      .map((json) => ({ json, real: new URL(json) })),
  },
  bytes: {
    text: "Uint8Array",
    values: fc.constantFrom("", "AAEC", "/+8=").map((json) => ({ json, real: Buffer.from(json, "base64") })),
  },
  regexp: {
    text: "RegExp",
    values: fc.constantFrom("^a+$", "x|y").map((json) => ({ json, real: new RegExp(json, "u") })),
  },
};

const scalars: CarriedType[] = [
  ...Object.values(converted).map((each): CarriedType => ({ ...each, sign: "string" })),
  { text: "string", values: plain("", "x", "2026-07-28T09:30:00.000Z"), sign: "string" },
  { text: '"a" | "b"', values: plain("a", "b"), sign: "string" },
  { text: "number", values: plain(0, -1.5, 12), sign: "number" },
  { text: "boolean", values: plain(true, false), sign: "boolean" },
  { text: "null", values: plain(null), sign: "null" },
];

/** Values of several types, by position. */
function together(
  types: readonly CarriedType[],
  join: (values: readonly Carried[]) => Carried,
): fc.Arbitrary<Carried> {
  return fc.tuple(...types.map(({ values }) => values)).map(join);
}

function toArray({ text, values }: CarriedType): CarriedType {
  return {
    text: `(${text})[]`,
    values: fc
      .array(values, { maxLength: 3 })
      .map((list) => ({ json: list.map(({ json }) => json), real: list.map(({ real }) => real) })),
    sign: "array",
  };
}

function toSet({ text, values }: CarriedType): CarriedType {
  return {
    text: `Set<${text}>`,
    values: fc
      .uniqueArray(values, { maxLength: 3, selector: ({ json }) => JSON.stringify(json) })
      .map((list) => ({ json: list.map(({ json }) => json), real: new Set(list.map(({ real }) => real)) })),
    sign: "array",
  };
}

function toMap(keys: CarriedType, { text, values }: CarriedType): CarriedType {
  // An empty one might be either of two kinds of maps.
  const entries = fc.uniqueArray(fc.tuple(keys.values, values), {
    minLength: 1,
    maxLength: 3,
    selector: ([{ json }]) => JSON.stringify(json),
  });
  const hasTexts = keys.text === "string";
  return {
    text: `Map<${keys.text}, ${text}>`,
    values: entries.map((list) => {
      const pairs = list.map(([key, value]): [JsonValue, JsonValue] => [key.json, value.json]);
      return {
        json: hasTexts ? Object.fromEntries(pairs as [string, JsonValue][]) : pairs,
        real: new Map(list.map(([key, value]) => [key.real, value.real])),
      };
    }),
    sign: hasTexts ? "object" : "array",
  };
}

function toRecord({ text, values }: CarriedType, prefix: string): CarriedType {
  const name = fc.constantFrom("a", "b", "c").map((each) => `${prefix}${each}`);
  return {
    text: prefix === "" ? `Record<string, ${text}>` : `Record<\`${prefix}\${string}\`, ${text}>`,
    values: fc
      .uniqueArray(fc.tuple(name, values), { maxLength: 3, selector: ([each]) => each })
      .map((list) => ({
        json: Object.fromEntries(list.map(([each, { json }]) => [each, json])),
        real: Object.fromEntries(list.map(([each, { real }]) => [each, real])),
      })),
    sign: "object",
  };
}

/** Creates a tuple with a type for each position. The last element may be absent or repeated. */
function toTuple(types: readonly CarriedType[], ending: "fixed" | "optional" | "rest"): CarriedType {
  const [first, ...others] = types;
  const last = others.at(-1);
  if (!first || !last) throw new TypeError("A tuple of fewer than two.");
  const whole = (values: readonly Carried[]): Carried => ({
    json: values.map(({ json }) => json),
    real: values.map(({ real }) => real),
  });
  const start = types.slice(0, -1);
  const endings = {
    fixed: { text: `(${last.text})`, values: together(types, whole) },
    optional: {
      text: `(${last.text})?`,
      values: fc.oneof(together(start, whole), together(types, whole)),
    },
    rest: {
      text: `...(${last.text})[]`,
      values: fc.oneof(together(start, whole), together([...types, last], whole)),
    },
  };
  const { text, values } = endings[ending];
  return { text: `[${[...start.map((each) => `(${each.text})`), text].join(", ")}]`, values, sign: "array" };
}

/** Members `a`, `b`, and so on. The optional ones may be absent. */
function toObject(members: readonly { type: CarriedType; isOptional: boolean }[], kind: string): CarriedType {
  const named = members.map((each, index) => ({ ...each, name: "abcd".charAt(index) }));
  const text = named.map(({ name, type, isOptional }) => `${name}${isOptional ? "?" : ""}: ${type.text}`);
  const parts = named.map(({ name, type, isOptional }) =>
    fc.tuple(type.values, isOptional ? fc.boolean() : fc.constant(true)).map(([value, isThere]) => ({
      // JSON has no member that is `undefined`.
      json: isThere && value.real !== undefined ? { [name]: value.json } : {},
      real: isThere ? { [name]: value.real } : {},
    })),
  );
  return {
    text: `{ ${[`kind: "${kind}"`, ...text].join("; ")} }`,
    values: fc.tuple(...parts).map((list) => ({
      json: Object.assign({ kind }, ...list.map(({ json }) => json)) as JsonValue,
      real: Object.assign({ kind }, ...list.map(({ real }) => real)) as unknown,
    })),
    sign: `object ${kind}`,
  };
}

/** Types that can be distinguished by their values, even if their JSON is the same. A result may be of any of them. */
function toLooseUnion(types: readonly CarriedType[]): CarriedType {
  return {
    text: types.map(({ text }) => `(${text})`).join(" | "),
    values: fc.oneof(...types.map(({ values }) => values)),
    sign: "any",
  };
}

/** Types that can be distinguished by their JSON. */
function toUnion(types: readonly CarriedType[]): CarriedType {
  const [first, ...others] = types;
  if (!first) throw new TypeError("A union of nothing.");
  const apart = others.reduce<CarriedType[]>(
    (kept, each) => (kept.some((other) => areAlike(other.sign, each.sign)) ? kept : kept.concat(each)),
    [first],
  );
  if (apart.length === 1) return first;
  return {
    text: apart.map(({ text }) => `(${text})`).join(" | "),
    values: fc.oneof(...apart.map(({ values }) => values)),
    // Only a union of objects of different kinds could be distinguished; that is not tested.
    sign: "any",
  };
}

function areAlike(left: string, right: string): boolean {
  if (left === "any" || right === "any" || left === right) return true;
  const [type, kind] = left.split(" ");
  const [otherType, otherKind] = right.split(" ");
  return type === otherType && (kind === undefined || otherKind === undefined);
}

/** Values of `Tree` up to a depth. */
function trees(depth: number): fc.Arbitrary<Carried> {
  const inner = depth > 0 ? trees(depth - 1) : undefined;
  const kids = inner ? fc.array(inner, { maxLength: 2 }) : fc.constant<Carried[]>([]);
  const best = fc.option(inner ? fc.oneof(plain(null), inner) : plain(null), { nil: undefined });
  return fc.tuple(dates, kids, best).map(([at, list, one]) => ({
    json: { kind: "tree", at: at.json, kids: list.map(({ json }) => json), ...(one && { best: one.json }) },
    real: { kind: "tree", at: at.real, kids: list.map(({ real }) => real), ...(one && { best: one.real }) },
  }));
}

const stops = toSet({ text: "Date", values: dates, sign: "string" }).values.map((on): Carried => ({
  json: { kind: "stop", on: on.json },
  real: { kind: "stop", on: on.real },
}));

/** Values of `Step` up to a depth. */
function steps(depth: number): fc.Arbitrary<Carried> {
  const inner = depth > 0 ? steps(depth - 1) : undefined;
  const next = fc.option(inner ? fc.oneof(stops, inner) : stops, { nil: undefined });
  const single = fc.tuple(bigints, next).map(([id, then]): Carried => ({
    json: { kind: "do", id: id.json, ...(then && { next: then.json }) },
    real: { kind: "do", id: id.real, ...(then && { next: then.real }) },
  }));
  if (!inner) return single;
  const both = fc.array(inner, { minLength: 1, maxLength: 2 }).map((list): Carried => ({
    json: { kind: "both", steps: list.map(({ json }) => json) },
    real: { kind: "both", steps: list.map(({ real }) => real) },
  }));
  return fc.oneof(single, both);
}

const recursive: CarriedType[] = [
  { text: "Tree", values: trees(3), sign: "object tree" },
  { text: "Step", values: steps(3), sign: "object step" },
  { text: "Stop", values: stops, sign: "object stop" },
];

/** @param simple types that contain no others */
function combineTypes(
  simple: readonly CarriedType[],
  union: (types: readonly CarriedType[]) => CarriedType,
): fc.Arbitrary<CarriedType> {
  return fc.letrec<{ type: CarriedType }>((tie) => {
    const type = tie("type");
    const several = fc.array(type, { minLength: 2, maxLength: 3 });
    const member = fc.record({ type, isOptional: fc.boolean() });
    const key = fc.constantFrom(...scalars.filter(({ text }) => ["Date", "bigint", "string"].includes(text)));
    return {
      type: fc.oneof(
        { maxDepth: 3, depthSize: "medium" },
        { arbitrary: fc.constantFrom(...simple), weight: 6 },
        { arbitrary: fc.constantFrom(...recursive), weight: 2 },
        {
          arbitrary: fc
            .tuple(fc.array(member, { minLength: 1, maxLength: 4 }), fc.constantFrom("p", "q", "r"))
            .map(([members, kind]) => toObject(members, kind)),
          weight: 4,
        },
        { arbitrary: several.map(union), weight: 4 },
        { arbitrary: type.map(toArray), weight: 1 },
        { arbitrary: type.map(toSet), weight: 1 },
        { arbitrary: fc.tuple(key, type).map(([keys, values]) => toMap(keys, values)), weight: 2 },
        {
          arbitrary: fc
            .tuple(type, fc.constantFrom("", "x-"))
            .map(([each, prefix]) => toRecord(each, prefix)),
          weight: 1,
        },
        {
          arbitrary: fc
            .tuple(several, fc.constantFrom("fixed" as const, "optional" as const, "rest" as const))
            .map(([types, ending]) => toTuple(types, ending)),
          weight: 2,
        },
      ),
    };
  }).type;
}

/** Random types of arguments and results. The same seed produces the same types. */
export const carriedType = combineTypes(scalars, toUnion);

/** Types of results whose JSON form depends on the value: which values become JSON, and which are omitted. */
const ofResults: CarriedType[] = [
  {
    text: "RegExp",
    values: fc.constantFrom("a+", "\\-").map((json) => ({ json, real: new RegExp(json) })),
    sign: "string",
  },
  {
    text: "Money",
    values: bigints.map(({ json, real }) => ({
      json: { cents: json },
      real: { toJSON: () => ({ cents: real }) },
    })),
    sign: "object",
  },
  {
    text: "User",
    values: dates.map(({ json, real }) => ({
      json: { name: "Ada", since: json },
      real: { name: "Ada", since: real, hidden: new Set([new Uint8Array([1])]) },
    })),
    sign: "object",
  },
  {
    text: "number | undefined",
    values: fc.constantFrom<Carried>({ json: null, real: undefined }, { json: 1, real: 1 }),
    sign: "number",
  },
];

/** Random types of results, including unions of types whose JSON looks the same. */
export const resultType = combineTypes(
  // A date-time and a date have the same class in JavaScript, so no value distinguishes them.
  [...scalars.filter(({ text }) => text !== "Day"), ...ofResults],
  toLooseUnion,
);
