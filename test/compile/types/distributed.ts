import type { JsonSchema } from "@tenon/runtime/manifest";
import type { Row } from "./row.js";

/** Generics that create a type for each member of a union, from members whose parts have equal types. */
const DECLARE = `
type A = { kind: "a"; /** @minimum 1 */ n: number };
type B = { kind: "b"; /** @minimum 5 */ n: number; side: string };
type C = { kind: "c"; /** @minimum 9 */ n: number };
type Each<T, K extends keyof any> = T extends unknown ? Omit<T, K> : never;
type EachPicked<T, K extends keyof any> = T extends unknown ? Pick<T, Exclude<keyof T, K>> : never;
type EachMapped<T, K> = T extends unknown ? { [P in Exclude<keyof T, K>]: T[P] } : never;
type EachRenamed<T, K> = T extends unknown ? { [P in keyof T as P extends K ? never : P]: T[P] } : never;
type EachPartial<T> = T extends unknown ? Partial<Omit<T, "kind">> : never;
type Numbers<T extends { n: number }> = T extends unknown ? { n: T["n"] } : never;
interface Page<T> { page: T } type Pages<T> = T extends unknown ? Page<Omit<T, "kind">> : never;
type Dictionaries<T> = T extends unknown ? Record<string, Omit<T, "kind">> : never;
type Contact = { email?: string; /** @minimum 5 */ phone?: number };
type AtLeastOne<T> = { [K in keyof T]-?: Required<Pick<T, K>> & Partial<Omit<T, K>> }[keyof T];
type OnlyOne<T> = { [K in keyof T]-?: Required<Pick<T, K>> & Partial<Record<Exclude<keyof T, K>, never>> }[keyof T];
type Single<T> = { [K in keyof T]-?: { [P in K]-?: T[P] } }[keyof T];
`;

const close = (properties: Record<string, JsonSchema>, required = Object.keys(properties)): JsonSchema => ({
  type: "object",
  properties,
  ...(required.length > 0 && { required }),
  additionalProperties: false,
});
const from = (minimum: number): JsonSchema => ({ type: "number", minimum });
const text: JsonSchema = { type: "string" };
const [a, b, c] = [close({ n: from(1) }), close({ n: from(5), side: text }), close({ n: from(9) })];

const row = (type: string, anyOf: JsonSchema[], accepts: Row["accepts"], rejects: Row["rejects"]): Row => ({
  type,
  declare: DECLARE,
  schema: { anyOf },
  accepts,
  rejects,
  carried: true,
});
const accepts = [{ n: 1 }, { n: 5, side: "x" }, { n: 9 }];
const rejects = [{ n: 0 }, { n: 4, side: "x" }, { n: 5, side: 1 }, {}, { kind: "a", n: 1 }];

export const distributed: Row[] = [
  row('Each<A | B | C, "kind">', [a, b, c], accepts, rejects),
  row('EachPicked<A | B | C, "kind">', [a, b, c], accepts, rejects),
  row('EachMapped<A | B | C, "kind">', [b, a, c], accepts, rejects),
  row('EachRenamed<A | B | C, "kind">', [b, a, c], accepts, rejects),
  row(
    "EachPartial<A | B>",
    [close({ n: from(1) }, []), close({ n: from(5), side: text }, [])],
    [{}, { n: 1 }, { side: "x" }],
    [{ n: 4, side: "x" }, { side: 1 }],
  ),
  row("Numbers<B | C>", [close({ n: from(5) }), c], [{ n: 5 }], [{ n: 4 }]),
  row(
    "Pages<A | B>",
    [close({ page: a }), close({ page: b })],
    [{ page: { n: 1 } }, { page: { n: 5, side: "x" } }],
    [{ page: { n: 1, side: "x" } }],
  ),
  row(
    "Dictionaries<A | B>",
    [a, b].map((each) => ({ type: "object", properties: {}, additionalProperties: each })),
    [{ x: { n: 1 } }, { x: { n: 5, side: "x" } }],
    [{ x: { n: 1, side: "x" } }],
  ),
  row(
    "AtLeastOne<Contact>",
    [close({ email: text, phone: from(5) }, ["email"]), close({ phone: from(5), email: text }, ["phone"])],
    [{ email: "x" }, { phone: 5 }, { email: "x", phone: 5 }],
    [{}, { phone: 4 }],
  ),
  row(
    "OnlyOne<Contact>",
    [close({ email: text }), close({ phone: from(5) })],
    [{ email: "x" }, { phone: 5 }],
    [{}, { email: "x", phone: 5 }, { phone: 4 }],
  ),
  row(
    "Single<Contact>",
    [close({ email: text }), close({ phone: from(5) })],
    [{ email: "x" }, { phone: 5 }],
    [{}, { email: "x", phone: 5 }],
  ),
];
