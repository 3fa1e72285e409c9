import { expect, it } from "vitest";
import { createTypeProject } from "./type-project.js";

/** Types with comments and tags, and the operators that create other types from them. */
const DECLARATIONS = `
/** @minimum 3 */ type Count = number;
/** @minimum 3 */ type Size = number | string; /** @minimum 3 */ type Amount = number & { readonly __unit: "EUR" };
/** Where it is */ type Place = "here" | "there";
interface Book { title: string; /** @minimum 3 */ pages: number; /** @minimum 3 */ sold?: number | null }
type Id<T> = T; type Nullable<T> = T | null; type Maybe<T> = T | null | undefined;
type Page<T> = { items: T[]; next?: string }; type Counts = Page<Count>; type Dict<T> = { [key: string]: T };
interface Box<T = Count> { value: T } type Boxed = Box; interface Part extends Partial<Box> {}
interface CountSet extends Set<Count> {} interface MoreCounts extends CountSet {} interface CountMap extends Map<string, Count> {}
interface Tally extends Record<string, Count> {} interface TallyOf<T> extends Record<string, T> {}
type Both<A, B> = { a: A; b: B }; type Swapped<A, B> = Both<B, A>;
type Values<T, V> = { [K in keyof T]: V }; type Strict<T, K> = { [P in Exclude<keyof T, K>]: T[P] };
type Renamed<T> = { [K in keyof T as \`new_\${string & K}\`]?: T[K] }; type Texts<T> = { [K in keyof T & string]: T[K] };
interface Shelf { counts: Count[]; first?: Count; rest: { of: Count } } type Patch<T> = { [K in keyof T]?: T[K] | null };
type Lists<T> = { [K in keyof T as \`all_\${string & K}\`]: readonly T[K][] };
type Pair = [Count, string]; type List = Count[]; type Auto = Count | "auto" | null; type Brand<T> = T & { __brand: "x" };
type Same<T> = { readonly [K in keyof T]: T[K] };
type Marked = { /** @minimum 3 */ readonly [K in "a" | "b"]?: number }; type MarkedKeys = { /** @minimum 3 */ [K in string]: number };
type MarkedInside = { [/** @minimum 3 */ K in "a" | "b"]: number };
type AllMarked<T> = { /** @minimum 3 */ [K in keyof T]: T[K] }; type At<T, K extends keyof T> = T[K]; type Within<O, N extends keyof O> = At<O, N>;
declare function count(by: Count, more?: { of: Count }): Count; declare const later: () => Promise<Count>;
declare class Counter { constructor(from: Count); static count(): Count; next(): Count }
declare function same<T>(value: T): T; declare function text(by: Count): string;
type Counting = (by: Count) => Count; type Making<T> = () => T; interface Api { get(): Count; set: (to: Count) => void }
type ItemOf<T> = T extends readonly (infer U)[] ? U : never; type Open<T> = T extends (infer U)[] ? U : string;
type Unwrapped<T> = T extends Promise<infer U> ? U : T; type ValueOf<T> = T extends { value: infer V } ? V : never;
type If<B, X, Y> = B extends true ? X : Y; type BoxOf<T> = T extends Box<infer U> ? U : never;
type Json<T> = T extends Date ? string : T extends object ? { [K in keyof T]: Json<T[K]> } : T;
type Deep<T> = T extends readonly (infer U)[] ? Deep<U>[] : T extends object ? { [K in keyof T]?: Deep<T[K]> } : T;
declare function wrap<T>(value: T): { value: T }; declare function wrapLater<T>(value: T): Promise<{ value: T }>;
const made = <T>(value: T): { value: T } => ({ value }); type Wrapped<T> = { [K in keyof T]: T[K][] };
/** @param by How far @minimum 3 */ declare function step(by: number): void; enum Side { Left = "left", Right = "right" }
const LETTERS = ["a", "b"] as const; /** @minLength 1 */ type Letter = (typeof LETTERS)[number]; /** @minLength 1 */ type SideName = \`\${Side}\`;
type MaybeCount = Count | undefined; type MaybePlace = Place | undefined; type Pages = Book["pages"];
`;

/** Types in which a number is 3 at least. */
const COUNTS = [
  "Count",
  "Count | null",
  "Count | undefined",
  "Id<Count>",
  "Nullable<Count>",
  "Maybe<Count>",
  "MaybeCount",
  "NonNullable<Count | null>",
  "Count[] | undefined",
  "readonly Count[] | undefined",
  "[Count] | undefined",
  "[string, ...Count[]] | undefined",
  "Count[] | null",
  "Set<Count> | undefined",
  "CountSet",
  "MoreCounts | undefined",
  "CountMap",
  "Map<string, Count> | undefined",
  "Map<Count, string>",
  "Map<string, Count[] | undefined>",
  "Record<string, Count> | undefined",
  "Page<Count> | undefined",
  "Page<Page<Count>>",
  "Counts",
  "Counts | null",
  "Boxed",
  "Part",
  "Both<string, Count>",
  "Swapped<string, Count>",
  "Tally",
  "TallyOf<Count>",
  'Record<"a", Count> & { b: 1 }',
  "Readonly<Record<string, Count>>",
  'Partial<Record<"a" | "b", Count>>',
  'Omit<Record<"a" | "b", Count>, "b">',
  "Readonly<Dict<Count>>",
  "Values<{ a: number }, Count>",
  "Values<{ a: string }, Count>",
  'Strict<Book, "title">',
  "Renamed<Book>",
  "Texts<Book>",
  'Partial<Pick<Book, "pages">>',
  "{ [K in keyof Book]: Book[K] | null }",
  "Patch<Shelf>",
  'Patch<Omit<Shelf, "first" | "rest">>',
  'Patch<Pick<Shelf, "rest">>',
  "Patch<Page<Count>>",
  "Lists<Shelf>",
  'Lists<Pick<Shelf, "first">>',
  "{ [K in keyof Shelf]: Shelf[K] | null }",
  'Book["pages"]',
  'Book["pages"] | null',
  'Book["pages"][]',
  'Book["sold"]',
  'NonNullable<Book["sold"]>',
  "Pages",
  "Pages | undefined",
  "Box<Pages>",
  "Pair[0]",
  "List[number]",
  "List[0]",
  'Shelf["counts"][number]',
  'Record<string, Count>["any"]',
  "Dict<Count>[string]",
  'At<Book, "pages">',
  'Within<Book, "pages">',
  "Readonly<List>",
  "Partial<Pair>",
  "[...List]",
  "[boolean, ...Pair]",
  "{ [K in keyof Dict<Count>]: Dict<Count>[K] }",
  "Same<Record<string, Count>>",
  "Same<Same<Record<'a' | 'b', Count>>>",
  "Same<Tally>",
  "AllMarked<Record<string, number>>",
  "Brand<Count>",
  "Brand<List>",
  "List & { __brand: 'x' }",
  "Marked",
  "MarkedKeys",
  "MarkedInside",
  "AllMarked<{ a: number }>",
  "NoInfer<Count>",
  "Awaited<Count>",
  "Awaited<Promise<Promise<Count>>>",
  "Awaited<Promise<Amount>>",
  "Awaited<Promise<Amount | null>>",
  "Awaited<Promise<Brand<Count>>>",
  "Exclude<Count | null, null>",
  "Exclude<Auto, 'auto' | null>",
  "Exclude<Auto, null>",
  "Exclude<Count | string, string>",
  "Extract<Count | string, number>",
  "NonNullable<Auto>",
  "ReturnType<typeof count>",
  "ReturnType<typeof Counter.count>",
  "ReturnType<Counter['next']>",
  "ReturnType<Api['get']>",
  "ReturnType<Counting>",
  "ReturnType<Making<Count>>",
  "Awaited<ReturnType<typeof later>>",
  "ReturnType<typeof wrap<Count>>",
  "Awaited<ReturnType<typeof wrapLater<Count>>>",
  "ReturnType<typeof made<Count>>",
  "Wrapped<Book>",
  "Parameters<typeof count>[0]",
  "Parameters<typeof step>",
  "Parameters<typeof step>[0]",
  "NonNullable<Parameters<typeof count>[1]>",
  "Parameters<Api['set']>[0]",
  "ConstructorParameters<typeof Counter>[0]",
  "ItemOf<List>",
  "ItemOf<readonly Count[]>",
  "Open<Count[]>",
  "Unwrapped<Promise<Count>>",
  "Unwrapped<Count>",
  "ValueOf<Box>",
  "BoxOf<Box<Count>>",
  "If<true, Count, string>",
  "If<false, string, Count>",
  "Json<Count>",
  "Json<{ of: Count; at: Date }>",
  "Deep<List>",
  "Deep<{ of: { deep: Count } }>",
  'Count | "auto"',
  'Size | "auto"',
  'Size | "auto" | null',
  "Size | Size",
];

/** Types that are `Place`. */
const PLACES = [
  "Place",
  "Place | null",
  "Place | undefined",
  "Id<Place>",
  "Nullable<Place>",
  "Maybe<Place>",
  "MaybePlace",
  "NonNullable<Place | null>",
  "Nullable<Id<Place>>",
  "Readonly<Place>",
  "Same<Place | null>",
];

/** Types whose alias has a tag, although only the checker can evaluate what the alias stands for. */
const LETTERS = ["Letter", "Letter[]", "Id<Letter>", "Record<string, Letter>", "SideName", "SideName | null"];

/** Types to which the tag does not apply: another part, another alternative, the argument of a generic function. */
const OTHERS = [
  "Pair[1]",
  'Book["title"]',
  "Exclude<Count | string, number>",
  "Extract<Auto, string>",
  "ReturnType<typeof text>",
  "ReturnType<typeof same>",
  "ReturnType<typeof wrap<number>>",
  "Awaited<Promise<string>>",
  'Awaited<Promise<number & { readonly __unit: "EUR" }>>',
  "Open<readonly Count[]>",
  "If<true, string, Count>",
  "Unwrapped<Promise<string> | Count> & string",
];

const cases = [
  ...COUNTS.map((type) => ({ type, keyword: '"minimum":3' })),
  ...LETTERS.map((type) => ({ type, keyword: '"minLength":1' })),
  ...PLACES.map((type) => ({ type, keyword: '"description":"Where it is"' })),
];

/** The same declarations, in which comments are directly before the type and not before its alias. */
const INSIDE = DECLARATIONS.replaceAll(/(\/\*\*[^*]*\*\/) (type \w+ =)/g, "$2 $1");

const project = createTypeProject({
  kept: toRow(cases.map(({ type }) => type)),
  keptInside: toRow(
    cases.map(({ type }) => type),
    INSIDE,
  ),
  others: toRow(OTHERS),
  // It distributes over `true` and `false`.
  distributed: toRow(["If<boolean, Count, Count | string>"]),
});

function toRow(types: readonly string[], declarations = DECLARATIONS): string {
  return `${declarations}export type Row = {\n${types.map((type, index) => `p${index}: ${type};`).join("\n")}\n};`;
}

it.each([
  ["kept", "input"],
  ["kept", "output"],
  ["keptInside", "input"],
] as const)("a tag of an alias or member applies wherever its type is used: %s, %s", (name, direction) => {
  const { derived, diagnostics } = project.type(name, direction);
  expect(diagnostics).toEqual([]);
  expect(project.errorLines(name)).toEqual(new Set());
  const properties = Object.entries(derived?.schema.properties ?? {});
  const lost = cases.filter(({ keyword }, index) => !JSON.stringify(properties[index]).includes(keyword));
  expect(lost).toEqual([]);
  expect(properties).toHaveLength(cases.length);
});

it("a tag that cannot be followed into the members of a union is reported", () => {
  const { diagnostics } = project.type("distributed");
  expect(diagnostics.map(({ code }) => code)).toEqual(["constraint-tag-lost"]);
});

it("a tag does not apply elsewhere", () => {
  const { derived, diagnostics } = project.type("others");
  expect(diagnostics).toEqual([]);
  expect(Object.keys(derived?.schema.properties ?? {})).toHaveLength(OTHERS.length);
  expect(JSON.stringify(derived?.schema)).not.toContain('"minimum"');
});
