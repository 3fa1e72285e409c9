/**
 * The dimensions of the tag matrix: tags, type operators, and positions. Each cell is one property.
 * @module
 */

/** A tag of a type alias and of a member, and the keyword that it becomes. */
export interface TagCase {
  tag: string;
  /** The type that it fits. */
  base: string;
  /** A part of the schema as text. */
  keyword: string;
  /** Only in inputs. */
  isInput?: true;
  /**
   * Types without the annotation: TypeScript merges the members of a union into another one, and they have no comments; and a type with
   * more, or optional, members is another type.
   */
  lacks?: readonly string[];
}

const NESTED_BRANDS = ["Brand<Brand<T> | { y: 1 }>", "Nullable<Brand<Brand<T> | { y: 1 }>>"];

const BRANDS = ["Brand<T>", "T & { readonly __tag: 1 }", ...NESTED_BRANDS];

const OTHER_OBJECTS = [...BRANDS, "DeepPartial<Under>"];

export const TAGS: readonly TagCase[] = [
  { tag: "@minimum 3", base: "number", keyword: '"minimum":3' },
  { tag: "@maximum 10", base: "number", keyword: '"maximum":10' },
  { tag: "@exclusiveMinimum 3", base: "number", keyword: '"exclusiveMinimum":3' },
  { tag: "@exclusiveMaximum 10", base: "number", keyword: '"exclusiveMaximum":10' },
  { tag: "@multipleOf 5", base: "number", keyword: '"multipleOf":5' },
  { tag: "@integer", base: "number", keyword: '"integer"' },
  { tag: "@format int32", base: "number", keyword: '"format":"int32"' },
  { tag: "@minLength 2", base: "string", keyword: '"minLength":2' },
  { tag: "@maxLength 9", base: "string", keyword: '"maxLength":9' },
  { tag: "@pattern ^a", base: "string", keyword: '"pattern":"^a"' },
  { tag: "@format email", base: "string", keyword: '"format":"email"' },
  { tag: "@minItems 1", base: "string[]", keyword: '"minItems":1' },
  { tag: "@maxItems 4", base: "string[]", keyword: '"maxItems":4' },
  { tag: "@uniqueItems", base: "string[]", keyword: '"uniqueItems":true' },
  { tag: "@minimum 3", base: "bigint", keyword: "At least 3" },
  { tag: "@format date", base: "Date", keyword: '"format":"date"' },
  { tag: "@title Marked", base: "number", keyword: '"title":"Marked"' },
  { tag: "@example 7", base: "number", keyword: '"examples":[7]' },
  { tag: "@default 7", base: "number", keyword: '"default":7' },
  { tag: "@deprecated", base: "number", keyword: '"deprecated":true' },
  { tag: "@secret", base: "string", keyword: '"writeOnly":true', isInput: true },
  { tag: "Marked text.", base: "number", keyword: '"description":"Marked text.' },
  { tag: "@title Marked", base: "boolean", keyword: '"title":"Marked"', lacks: BRANDS },
  {
    tag: "Marked text.",
    base: '"a" | "b"',
    keyword: '"description":"Marked text.',
    lacks: [...BRANDS, "T | { z: 1 }"],
  },
  { tag: "Marked text.", base: "{ y: 1 }", keyword: '"description":"Marked text.', lacks: OTHER_OBJECTS },
  { tag: '@example {"y":1}', base: "{ y: 1 }", keyword: '"examples":[{"y":1}]', lacks: OTHER_OBJECTS },
];

/** Declarations of a tagged alias `T` of a type `B`, of a tagged member `m`, and of types that use them. */
export function declare({ tag, base }: TagCase): string {
  return `import { Shared, type Renamed, type Box as ImportedBox } from "./tagged.js"; import * as all from "./tagged.js";
type B = ${base}; /** ${tag} */ type T = B; type Chain = T;
interface M { /** ${tag} */ m: B; o: string } interface Opt { /** ${tag} */ m?: B; o: string } interface Ro { /** ${tag} */ readonly m: B }
interface Child extends M { own: string } interface Narrow extends M { o: "x" } class C { /** ${tag} */ m!: B; o = "" } class D extends C { own = "" }
class P { constructor(/** ${tag} */ readonly m: B, readonly o: string) {} } class G { /** ${tag} */ get m(): B { return null!; } o = "" }
interface Merged { o: string } interface Merged { /** ${tag} */ m: B } namespace N { /** ${tag} */ export type T2 = B; export interface M2 { /** ${tag} */ m: B } export namespace Deep { export type T3 = T2 } }
type Id<X> = X; type Nullable<X> = X | null; type Box<X = T> = { v: X }; interface IBox<X = T> { v: X } type Pair<X, Y = X> = [X, Y]; type Brand<X> = X & { readonly __brand: "x" };
type Same<X> = { [K in keyof X]: X[K] }; type Mutable<X> = { -readonly [K in keyof X]: X[K] }; type Need<X> = { [K in keyof X]-?: X[K] };
type Renaming<X> = { [K in keyof X as \`get_\${string & K}\`]: X[K] }; type Filter<X> = { [K in keyof X as K extends "m" ? K : never]: X[K] };
type Values<K extends string, V> = { [P in K]: V }; type Boxed<X> = { [K in keyof X]: { v: X[K] } }; type Simplify<X> = { [K in keyof X]: X[K] } & {};
type Elem<X> = X extends readonly (infer E)[] ? E : never; type First<X> = X extends [infer A, ...unknown[]] ? A : never; type Last<X> = X extends [...unknown[], infer A] ? A : never;
type Res<F> = F extends (...a: never[]) => infer R ? R : never; type Arg<F> = F extends (a: infer A, ...r: never[]) => unknown ? A : never;
type Un<X> = X extends Promise<infer U> ? U : X; type Val<X> = X extends { v: infer V } ? V : never; type InSet<X> = X extends Set<infer E> ? E : never; type InMap<X> = X extends Map<string, infer E> ? E : never;
type Dist<X> = X extends null ? never : X; type If<C, X, Y> = C extends true ? X : Y; type DeepPartial<X> = X extends Date | readonly unknown[] ? X : X extends object ? { [K in keyof X]?: DeepPartial<X[K]> } : X;
type Getter<X, K> = K extends keyof X ? X[K] : never; type Prop<X, K extends keyof X> = X[K]; type Vals<X> = X[keyof X]; type Tail<X> = X extends [unknown, ...infer R] ? R : never;
declare function f(a: T, b: { x: T }): T; declare function g(): Promise<T>; declare class K { constructor(a: T); static s(a: T): T; i(): T } interface Svc { run(a: T): T; over(a: boolean): boolean; over(a: T): T; field: (a: T) => T }
declare const c: T; declare const cs: { m: T; o: string }; const sat = { v: null! as T } satisfies { v: B }; declare let asConst: readonly [T, "x"];
declare const made: M; type Cb = (a: T) => T; type Rest = (...a: [string, ...T[]]) => void; type Variadic<X extends unknown[]> = [string, ...X, boolean]; type Rec2<X> = { v: X; next?: Rec2<X> };
type Under = { u: { m: T } }; type Disc = { k: "x"; v: T } | { k: "y" }; type Either<X, Y> = { l: X } | { r: Y };
`;
}

/** Returns the file that snippets import, for one tag. */
export function declareShared({ tag, base }: TagCase): string {
  return `/** ${tag} */ export type Shared = ${base}; export type { Shared as Renamed }; export interface Box<X = Shared> { v: X }
export namespace Space { /** ${tag} */ export type In = ${base}; } export interface Held { /** ${tag} */ m: ${base} }
`;
}

/** Types whose values, or a part of them, have the tag. */
export const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  alias: [
    "T",
    "Chain",
    "Id<T>",
    "Id<Id<Chain>>",
    "(T)",
    "N.T2",
    "N.Deep.T3",
    "M",
    "C",
    "D",
    "P",
    "Merged",
    "N.M2",
    "Opt",
    "Ro",
  ],
  imports: [
    "Shared",
    "Renamed",
    'import("./tagged.js").Shared',
    'import("./tagged.js").Space.In',
    "all.Shared",
    "all.Space.In",
    "ImportedBox",
    "all.Held",
    'all.Held["m"]',
    'import("./tagged.js").Held',
  ],
  unions: [
    "T | null",
    "T | undefined",
    "Nullable<T>",
    "NonNullable<T | null>",
    "NonNullable<Nullable<T>>",
    "{ k: 1; v: T } | { k: 2 }",
    "Disc",
    "M | { z: 1 }",
    "Either<T, string>",
    "T | { z: 1 }",
  ],
  intersections: [
    "M & { z: string }",
    "{ z: string } & M",
    "{ v: T } & { w: string }",
    "{ v: T } & { v: B }",
    "{ v: B } & { v: T }",
    "Brand<T>",
    "T & { readonly __tag: 1 }",
    "Id<M> & { z: string }",
    "Box<T> & { z: T }",
    "Simplify<M & { z: string }>",
  ],
  indexed: [
    'M["m"]',
    'Ro["m"]',
    'C["m"]',
    'D["m"]',
    'Child["m"]',
    "[T, null][0]",
    "T[][number]",
    "(readonly T[])[number]",
    "[T][number]",
    'Record<string, T>["a"]',
    'Under["u"]["m"]',
    'Under["u"]',
    'Prop<M, "m">',
    'Getter<M, "m">',
    "Vals<{ a: T }>",
    'Merged["m"]',
    'N.M2["m"]',
    'Box<T>["v"]',
    'Box["v"]',
    'IBox["v"]',
    "{ v: T }[keyof { v: T }]",
  ],
  mapped: [
    "Same<M>",
    "Same<Same<M>>",
    "Mutable<Ro>",
    "Need<Opt>",
    "Renaming<M>",
    "Filter<M>",
    'Values<"a" | "b", T>',
    "Boxed<M>",
    "Same<{ v: T }>",
    "Same<[T, string]>",
    "Same<T[]>",
    "Simplify<M>",
    "{ [K in keyof M]: M[K] | null }",
    "{ [K in keyof M]?: M[K] }",
    'Same<M>["m"]',
    'Renaming<M>["get_m"]',
    "DeepPartial<M>",
    "DeepPartial<Under>",
  ],
  utilities: [
    "Partial<M>",
    "Required<Opt>",
    'Pick<M, "m">',
    'Omit<M, "o">',
    "Readonly<M>",
    'Record<"a", T>',
    'Partial<Record<"a", T>>',
    "Exclude<T | null, null>",
    "Extract<T | null, B>",
    'Required<Pick<Opt, "m">>',
    'Partial<M>["m"]',
    'Omit<Child, "own">',
    'Pick<D, "m">',
    "NoInfer<T>",
    "Readonly<T[]>",
    "Readonly<[T, 1]>",
    "T extends Date ? T : Readonly<T>",
    "T extends Date ? T : Same<T>",
    'Required<Opt>["m"]',
    'Omit<M, "o"> & { z: 1 }',
    'Partial<Omit<M, "o">>',
  ],
  functions: [
    "ReturnType<typeof f>",
    "ReturnType<Cb>",
    "Parameters<typeof f>[0]",
    "Parameters<Cb>[0]",
    "Parameters<typeof f>[1]",
    'Parameters<typeof f>[1]["x"]',
    "ConstructorParameters<typeof K>[0]",
    "InstanceType<typeof C>",
    'InstanceType<typeof C>["m"]',
    "Awaited<ReturnType<typeof g>>",
    "Awaited<Promise<T>>",
    "Awaited<T>",
    "ReturnType<typeof K.s>",
    "ReturnType<K['i']>",
    "ReturnType<Svc['run']>",
    "ReturnType<Svc['over']>",
    "Parameters<Svc['field']>[0]",
    "ReturnType<Svc['field']>",
    "Parameters<Rest>[1]",
    "Parameters<typeof f>",
    "ConstructorParameters<typeof P>[0]",
    "InstanceType<typeof P>",
  ],
  conditional: [
    "Elem<T[]>",
    "Elem<readonly T[]>",
    "First<[T, string]>",
    "Last<[string, T]>",
    "Res<Cb>",
    "Arg<Cb>",
    "Res<typeof f>",
    "Arg<typeof f>",
    "Un<Promise<T>>",
    "Un<T>",
    "Val<{ v: T }>",
    "Val<Box>",
    "InSet<Set<T>>",
    "InMap<Map<string, T>>",
    "Dist<T | null>",
    "If<true, T, null>",
    "If<false, null, T>",
    "Tail<[null, T]>",
    "Tail<[null, T]>[0]",
    "Elem<Tail<[null, T]>>",
  ],
  generics: [
    "Box",
    "IBox",
    "Box<T>",
    "IBox<T>",
    "Pair<T>",
    "Pair<T, string>",
    "Box<Box<T>>",
    "Rec2<T>",
    "Child",
    "Narrow",
    "Box<T | null>",
    "Box<T[]>",
  ],
  queries: [
    "typeof c",
    "typeof cs",
    '(typeof cs)["m"]',
    "typeof sat",
    "typeof made",
    '(typeof made)["m"]',
    "typeof asConst",
    "(typeof asConst)[0]",
  ],
  tuples: [
    "[T]",
    "[string, ...T[]]",
    "[...T[], string]",
    "[...[T, string]]",
    "[first: T, second?: string]",
    "[T?]",
    "Variadic<[T]>",
    "Variadic<T[]>",
    "readonly [T, string]",
    "[string, ...T[]][1]",
  ],
  collections: [
    "T[]",
    "Set<T>",
    "Map<string, T>",
    "Record<string, T>",
    "{ [key: string]: T }",
    "{ [key: `a-${string}`]: T }",
    "ReadonlyMap<string, T>",
    "readonly T[]",
    "Array<T>",
    "Map<string, M>",
    "T[][]",
  ],
};

/** Types of several operators, in addition to the pairs of those above. */
export const NESTED: readonly string[] = [
  "Same<Record<string, T> | { z: 1 }>",
  "Same<Same<Record<string, T> | { z: 1 }>>",
  "Partial<Readonly<{ [key: `a-${string}`]: T } | { z: 1 }>>",
  "Brand<Brand<T> | { y: 1 }>",
  "Nullable<Brand<Brand<T> | { y: 1 }>>",
  "Awaited<Promise<Record<string, T>> | { z: 1 }>",
];

/** The positions in which a type may be used. */
export const POSITIONS: Readonly<Record<string, (type: string) => string>> = {
  argument: (type) => type,
  "nested property": (type) => `{ in: { at: ${type} } }`,
  "optional property": (type) => `{ at?: ${type} }`,
  "array item": (type) => `(${type})[]`,
  "tuple element": (type) => `[string, ${type}]`,
  "record value": (type) => `Record<string, ${type}>`,
  "map value": (type) => `Map<string, ${type}>`,
  alternative: (type) => `{ k: "one"; at: ${type} } | { k: "two" }`,
  "type argument": (type) => `Box<${type}>`,
};
