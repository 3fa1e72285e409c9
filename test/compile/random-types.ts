import type { JsonValue } from "@tenon/runtime/manifest";
import * as fc from "fast-check";

/** A type as text, and values of it. */
export interface RandomType {
  text: string;
  value: fc.Arbitrary<JsonValue>;
}

/** An object type; `all` produces values with every optional member. */
interface RandomObject extends RandomType {
  all: fc.Arbitrary<Members>;
}

type Members = Record<string, JsonValue>;

const TEXTS = ["x", "y", "a-1", "a-b", "b-2", "1", "A", "", "A-1"];
const NUMBERS = [0, 1, 2, -1.5];
const NAMES = ["a", "b", "c", "d"];

const pickValue = (...values: JsonValue[]): fc.Arbitrary<JsonValue> => fc.constantFrom(...values);

const scalars: fc.Arbitrary<RandomType> = fc.oneof(
  fc.constantFrom<RandomType>(
    { text: "string", value: pickValue(...TEXTS) },
    { text: "number", value: pickValue(...NUMBERS) },
    { text: "boolean", value: pickValue(true, false) },
    { text: "null", value: pickValue(null) },
    { text: "`a-${string}`", value: pickValue("a-1", "a-") },
    { text: "`${string}-${number}`", value: pickValue("a-1", "b-2", "-0") },
    { text: '`${"a" | "b"}-${string}`', value: pickValue("a-1", "b-x") },
    { text: "Uppercase<string>", value: pickValue("A", "A-1", "") },
  ),
  fc
    .constantFrom(...TEXTS, ...NUMBERS, true, false)
    .map((value) => ({ text: JSON.stringify(value), value: pickValue(value) })),
);

const { type: randomType } = fc.letrec<{ type: RandomType; object: RandomObject; other: RandomObject }>(
  (tie) => ({
    // With `z`, TypeScript accepts values that share no other member with an object of optional ones.
    object: objectType(NAMES, tie("type") as fc.Arbitrary<RandomType>),
    other: objectType(["e", "f"], tie("type") as fc.Arbitrary<RandomType>),
    type: fc.oneof(
      { maxDepth: 3, depthSize: "medium" },
      { arbitrary: scalars, weight: 5 },
      { arbitrary: tie("object"), weight: 4 },
      { arbitrary: union(tie("type") as fc.Arbitrary<RandomType>), weight: 3 },
      { arbitrary: (tie("type") as fc.Arbitrary<RandomType>).map(toArray), weight: 2 },
      { arbitrary: tuple(tie("type") as fc.Arbitrary<RandomType>), weight: 2 },
      { arbitrary: (tie("type") as fc.Arbitrary<RandomType>).map(toRecord), weight: 1 },
      { arbitrary: (tie("object") as fc.Arbitrary<RandomObject>).chain(toUtilityTypes), weight: 2 },
      {
        arbitrary: fc
          .tuple(tie("object"), tie("other"))
          .map(([left, right]) => intersection(left as RandomObject, right as RandomObject)),
        weight: 1,
      },
    ),
  }),
);

/** Random types. The same seed produces the same types. */
export { randomType };

function objectType(names: readonly string[], members: fc.Arbitrary<RandomType>): fc.Arbitrary<RandomObject> {
  const member = fc.record({ optional: fc.boolean(), type: members });
  const kind = fc.option(fc.constantFrom("p", "q"), { nil: undefined });
  return fc
    .tuple(fc.subarray([...names]), fc.array(member, { minLength: 4, maxLength: 4 }), kind)
    .map(([chosen, parts, tag]) => {
      const list = chosen.map((name, index) => ({ name, ...(parts[index] as (typeof parts)[number]) }));
      const fixed: Members = { z: 0, ...(tag !== undefined && { kind: tag }) };
      const text = [
        ...Object.entries(fixed).map(([name, value]) => `${name}: ${JSON.stringify(value)}`),
        ...list.map(({ name, optional, type }) => `${name}${optional ? "?" : ""}: ${type.text}`),
      ].join("; ");
      const withMembers = (keep: boolean): fc.Arbitrary<Members> =>
        fc
          .tuple(
            ...list.map(({ name, optional, type }) =>
              fc
                .tuple(type.value, fc.boolean())
                .map(([value, present]) => (keep || !optional || present ? { [name]: value } : {})),
            ),
          )
          .map((each) => Object.assign({}, fixed, ...each) as Members);
      return { text: `{ ${text} }`, value: withMembers(false), all: withMembers(true) };
    });
}

function union(members: fc.Arbitrary<RandomType>): fc.Arbitrary<RandomType> {
  return fc.array(members, { minLength: 2, maxLength: 3 }).map((list) => ({
    text: `(${list.map(({ text }) => text).join(" | ")})`,
    value: fc.oneof(...list.map(({ value }) => value)),
  }));
}

function toArray({ text, value }: RandomType): RandomType {
  return { text: `(${text})[]`, value: fc.array(value, { maxLength: 3 }) };
}

function toRecord({ text, value }: RandomType): RandomType {
  return {
    text: `Record<string, ${text}>`,
    value: fc.dictionary(fc.constantFrom(...NAMES), value, { maxKeys: 3, noNullPrototype: true }),
  };
}

function tuple(elements: fc.Arbitrary<RandomType>): fc.Arbitrary<RandomType> {
  const option = fc.option(elements, { nil: undefined });
  return fc.tuple(fc.array(elements, { maxLength: 2 }), option, option).map(([fixed, last, rest]) => {
    const text = [
      ...fixed.map((each) => each.text),
      ...(last ? [`(${last.text})?`] : []),
      ...(rest ? [`...(${rest.text})[]`] : []),
    ].join(", ");
    const tail = rest ? fc.array(rest.value, { maxLength: 2 }) : fc.constant<JsonValue[]>([]);
    const end = last
      ? fc
          .option(fc.tuple(last.value, tail), { nil: undefined })
          .map((each) => (each ? [each[0], ...each[1]] : []))
      : tail;
    return {
      text: `[${text}]`,
      value: fc
        .tuple(fc.tuple(...fixed.map((each) => each.value)), end)
        .map(([first, more]) => [...first, ...more]),
    };
  });
}

/** Creates utility types over an object. */
function toUtilityTypes(object: RandomObject): fc.Arbitrary<RandomType> {
  const omitMembers = (members: Members, gone: readonly string[]): Members =>
    Object.fromEntries(Object.entries(members).filter(([name]) => !gone.includes(name)));
  return fc.constantFrom<RandomType>(
    { text: `Required<${object.text}>`, value: object.all },
    {
      text: `Omit<${object.text}, "a">`,
      value: object.value.map((each) => omitMembers(each as Members, ["a"])),
    },
    {
      text: `(Partial<${object.text}> & { z: 0 })`,
      value: fc
        .tuple(object.all, fc.subarray(NAMES))
        .map(([members, gone]) => omitMembers(members, [...gone, "kind"])),
    },
    { text: `Readonly<${object.text}>`, value: object.value },
  );
}

function intersection(left: RandomObject, right: RandomObject): RandomType {
  return {
    text: `(${left.text} & ${right.text.replace(/kind: "\w"; |; kind: "\w"/, "")})`,
    value: fc.tuple(left.value, right.value).map(([a, b]) => ({ ...(b as Members), ...(a as Members) })),
  };
}

/** Creates values that differ from others in one member or element, which is added, removed, or changed. */
export function nearMiss(value: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonValue> {
  const other = pickValue(1, "x", null, true, [], {}, "a-1", ["x"], -1.5, { z: 0 }, { kind: "p", z: 0 });
  return fc
    .tuple(value, fc.nat(3), fc.nat(9), other, other)
    .map(([base, step, at, one, two]) => miss(base, step, at, one, two));
}

function miss(value: JsonValue, step: number, at: number, other: JsonValue, deeper: JsonValue): JsonValue {
  if (Array.isArray(value) && step > 0) {
    const index = value.length > 0 ? at % value.length : 0;
    if (step === 1 || value.length === 0) return [...value, other];
    if (step === 2) return value.slice(0, -1);
    return value.map((item, each) => (each === index ? miss(item, at % 4, at + 1, deeper, other) : item));
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value) && step > 0) {
    const names = Object.keys(value);
    const name = names[at % Math.max(1, names.length)] ?? "a";
    if (step === 1) return { ...value, [NAMES[at % 4] ?? "a"]: other };
    if (step === 2) return Object.fromEntries(Object.entries(value).filter(([each]) => each !== name));
    return { ...value, [name]: miss(value[name] ?? null, at % 4, at + 1, deeper, other) };
  }
  return other;
}
