import { describe, expect, it } from "vitest";
import { ts } from "ts-morph";
// Internal: how a type node is read where no alias binds anything; only this package reads types.
import { NO_BINDINGS } from "../../packages/compiler/src/syntax/type-syntax.js";
import { createTypeProject } from "./type-project.js";

const DECLARATIONS = `
import type { Count as Imported, Space, Renamed } from "./other.js"; import type * as ns from "./other.js"; import type { Again, all, Count as Reexported } from "./reexport.js";
/** @minimum 3 */ type Count = number; /** @maximum 10 */ type Limit = number; /** @minLength 2 */ type Code = string;
interface Book { title: string; /** @minimum 3 */ pages: number; of: Count }
class P { constructor(public n: Count, /** @minimum 3 */ readonly m: number) {} }
class G<T> { constructor(public value: T, readonly opt?: T) {} }
type Pair = [Count, string]; type Named = [first: Count, second?: Limit]; type Lists = Count[];
type NonNull<T> = T extends null ? never : T; type Only<T, U> = T extends U ? T : never;
type Boxes<T> = T extends unknown ? { value: T } : never; type ToArray<T> = T extends any ? T[] : never;
type Head<T> = T extends [infer H, ...infer R] ? H : never; type Tail<T> = T extends [infer H, ...infer R] ? R : never;
type First<T extends unknown[]> = T extends [infer H extends number, ...unknown[]] ? H : never;
type Last<T> = T extends [...infer R, infer L] ? L : never;
type Ret<F> = F extends (...args: any[]) => infer R ? R : never; type Arg<F> = F extends (a: infer A, ...rest: any[]) => any ? A : never;
type Args<F> = F extends (...args: infer A) => any ? A : never;
type Key<T> = T extends Record<infer K, any> ? K : never; type Val<T> = T extends Record<any, infer V> ? V : never; type MapVal<T> = T extends Map<any, infer V> ? V : never;
type Two<T> = T extends { a: infer A; b: infer B } ? [A, B] : never;
declare function fn(a: Count, b?: Limit): Count; declare function over(a: string): string; declare function over(a: Count): Count;
declare const v: Count; declare const o: { n: Count; /** @minimum 3 */ m: number; deep: { x: Count } }; const lit = { /** @minimum 3 */ n: 5, deep: { x: 1 as Count } };
const tup = [1 as Count, "a"] as const;
interface Base<T> { base: T; list: T[] } interface Derived extends Base<Count> {} interface Derived2<U> extends Base<U> { own: U } interface Derived3 extends Derived2<Count> {}
interface Merged { a: Count } interface Merged { b: Count; /** @minimum 3 */ c: number }
interface MergedG<T> { a: T } interface MergedG<T> { b: T }
type Brand<T, B> = T & { readonly __brand: B }; 
type Getters<T> = { [K in keyof T as \`get_\${string & K}\`]: T[K] }; type Drop<T> = { [K in keyof T as Exclude<K, "title">]: T[K] };
interface Gens { n: Gen<Count> }
type Col<S, I> = { readonly select: S; readonly insert: I }; type Gen<S> = Col<S, S | undefined>; type Select<T> = T extends Col<infer S, any> ? S : T;
type Prom<T> = { [K in keyof T]: Promise<T[K]> }; type Unprom<T> = { [K in keyof T]: Awaited<T[K]> };
type Obj = { a: Count; b: Limit; c: string }; type Nums = { a: Count; b: Limit };
type Fallback<T, D = Count> = { v: T; d: D }; type Chain<A, B = A> = { b: B };
abstract class Abs { constructor(readonly n: Count) {} } class Sub extends G<Count> {}
enum Color { Red = "red" }
type Arr<T extends readonly unknown[]> = T[number]; type Vals<T> = T[keyof T]; type Push<T extends unknown[], V> = [...T, V]; type Concat<A extends unknown[], B extends unknown[]> = [...A, ...B];
type DeepPartial<T> = { [K in keyof T]?: T[K] extends object ? DeepPartial<T[K]> : T[K] };
type Mutable<T> = { -readonly [K in keyof T]: T[K] }; type Optional<T, K extends keyof T> = Omit<T, K> & Partial<Pick<T, K>>;
type Tree<T> = { value: T; children: Tree<T>[] }; type Cond<T> = T extends string ? Code : Count; type Nest<T> = T extends string ? Code : T extends number ? Count : never;
type Fn = { (a: Count): Count }; type Ctor = new (a: Count) => { n: Count }; interface Svc { run(a: Count): Promise<Count>; over(a: string): string; over(a: Count): Count; field: (x: Count) => Count }
namespace Inner { /** @minimum 3 */ export type Count = number; export interface Box<T> { v: T } }
type Simplify<T> = { [K in keyof T]: T[K] } & {}; type Elem<T> = T extends (infer E)[] ? E : T extends Set<infer E> ? E : never;
type Flat<T> = T extends readonly (infer E)[] ? Flat<E> : T;
type Rec<K extends string, V> = { [P in K]: V }; type Lower<T> = { [K in keyof T as Lowercase<string & K>]: T[K] };
type Swap<T> = T extends [infer A, infer B] ? [B, A] : never;
type Maybe<T> = T | null | undefined; type Id<T> = T;
type PickByNumber<T> = { [K in keyof T as T[K] extends number ? K : never]: T[K] };
type KeysOf<T> = { [K in keyof T]: T[K] extends number ? K : never }[keyof T];
type PropType<T, K extends keyof T> = T[K]; type Getter<T, K> = K extends keyof T ? T[K] : never;
/** @param a A @minimum 3 */ type Documented = (a: number) => void; /** @param a A @minimum 3 */ const arrow = (a: number) => a;
/** @param a A @minimum 3 */ const typed: (a: number) => void = () => {}; interface Members { /** @param a A @minimum 3 */ of: ((a: number) => void) }
const methods = { /** @param a A @minimum 3 */ of: function (a: number) {} }; class Field { /** @param a A @minimum 3 */ of = (a: number) => a; counted = (a: Count): Limit => a }
type Entries<T> = { [K in keyof T]: [K, T[K]] }[keyof T]; type Ent<T> = { [K in keyof T]: { key: K; value: T[K] } }[keyof T];
`;

interface Case {
  type: string;
  /** Keywords of tags that hold for the type, or for a part of it. */
  keeps: Keyword[];
  /** Keywords of tags that are about another type. */
  loses?: Keyword[];
}

/** The keywords with the values that the declarations give them. */
const KEYWORDS = { minimum: '"minimum":3', maximum: '"maximum":10', minLength: '"minLength":2' };

type Keyword = keyof typeof KEYWORDS;

const CASES: Record<string, Case[]> = {
  intersections: [
    { type: "Count & Limit", keeps: ["minimum", "maximum"] },
    { type: "(Count & Limit) | null", keeps: ["minimum", "maximum"] },
    { type: "Count & (number | string)", keeps: ["minimum"] },
    { type: "{ n: Count } & { n: Limit }", keeps: ["minimum", "maximum"] },
    { type: "{ n: Count } & { n: number }", keeps: ["minimum"] },
    { type: "{ n: number } & { n: Count }", keeps: ["minimum"] },
    { type: "Book & { pages: number }", keeps: ["minimum"] },
    { type: "Id<{ n: Count }> & { m: string }", keeps: ["minimum"] },
    { type: "Base<Count> & { m: string }", keeps: ["minimum"] },
    { type: "{ m: string } & Base<Count>", keeps: ["minimum"] },
    { type: "Simplify<{ n: Count }>", keeps: ["minimum"] },
    { type: "Simplify<Base<Count>>", keeps: ["minimum"] },
    { type: "Simplify<Base<Count> & { m: Count }>", keeps: ["minimum"] },
    { type: 'Optional<Book, "pages">', keeps: ["minimum"] },
    { type: 'Optional<Nums, "a">', keeps: ["minimum", "maximum"] },
    { type: 'Brand<Count, "x"> | null', keeps: ["minimum"] },
    { type: 'Brand<Count, "x">[]', keeps: ["minimum"] },
    { type: 'Record<"a", Brand<Count, "x">>', keeps: ["minimum"] },
  ],
  "indexed access": [
    { type: 'Obj["a"]', keeps: ["minimum"] },
    { type: "Nums[keyof Nums]", keeps: ["minimum", "maximum"] },
    { type: "Vals<Nums>", keeps: ["minimum", "maximum"] },
    { type: "Vals<{ a: Count }>", keeps: ["minimum"] },
    { type: 'Obj["a" | "b"]', keeps: ["minimum", "maximum"] },
    { type: 'Obj["a" | "c"]', keeps: ["minimum"] },
    { type: "Obj[keyof Obj]", keeps: ["minimum"] },
    { type: "Pair[number]", keeps: ["minimum"] },
    { type: "Arr<Pair>", keeps: ["minimum"] },
    { type: "Arr<Lists>", keeps: ["minimum"] },
    { type: 'P["n"]', keeps: ["minimum"] },
    { type: 'P["m"]', keeps: ["minimum"] },
    { type: 'G<Count>["value"]', keeps: ["minimum"] },
    { type: 'NonNullable<G<Count>["opt"]>', keeps: ["minimum"] },
    { type: "G<Count>", keeps: ["minimum"] },
    { type: "Sub", keeps: ["minimum"] },
    { type: "P", keeps: ["minimum"] },
    { type: 'Book["of"]', keeps: ["minimum"] },
    { type: 'Partial<Book>["pages"]', keeps: ["minimum"] },
    { type: 'Required<Partial<Book>>["pages"]', keeps: ["minimum"] },
    { type: 'Pick<Book, "pages">["pages"]', keeps: ["minimum"] },
    { type: 'Omit<Book, "title">["pages"]', keeps: ["minimum"] },
    { type: 'Readonly<Book>["of"]', keeps: ["minimum"] },
    { type: 'Mutable<Book>["of"]', keeps: ["minimum"] },
    { type: 'Record<"a" | "b", Count>["a"]', keeps: ["minimum"] },
    { type: '(Book & { x: 1 })["pages"]', keeps: ["minimum"] },
    { type: '({ x: 1 } & Book)["of"]', keeps: ["minimum"] },
    { type: 'Derived["base"]', keeps: ["minimum"] },
    { type: 'Derived3["base"]', keeps: ["minimum"] },
    { type: 'Derived3["own"]', keeps: ["minimum"] },
    { type: 'Getters<Book>["get_pages"]', keeps: ["minimum"] },
    { type: 'Tree<Count>["children"][number]["value"]', keeps: ["minimum"] },
    { type: 'PropType<Book, "pages">', keeps: ["minimum"] },
    { type: 'Getter<Book, "pages">', keeps: ["minimum"] },
    { type: 'Getter<Book, "of">', keeps: ["minimum"] },
    { type: "Entries<Nums>", keeps: ["minimum", "maximum"] },
    { type: "Ent<Nums>", keeps: ["minimum", "maximum"] },
  ],
  "mapped types": [
    { type: "Getters<Book>", keeps: ["minimum"] },
    { type: "Drop<Book>", keeps: ["minimum"] },
    { type: 'Prom<Nums>["a"] extends Promise<infer U> ? U : never', keeps: ["minimum"] },
    { type: "Unprom<{ n: Promise<Count> }>", keeps: ["minimum"] },
    { type: "{ [K in keyof Gens]: Select<Gens[K]> }", keeps: ["minimum"] },
    { type: "Unprom<Prom<Nums>>", keeps: ["minimum", "maximum"] },
    { type: "DeepPartial<{ n: Count; d: { x: Count } }>", keeps: ["minimum"] },
    { type: "Mutable<{ readonly n: Count }>", keeps: ["minimum"] },
    { type: 'Rec<"a" | "b", Count>', keeps: ["minimum"] },
    { type: "Lower<{ A: Count }>", keeps: ["minimum"] },
    { type: "PickByNumber<Obj>", keeps: ["minimum", "maximum"] },
    { type: "Partial<Base<Count>>", keeps: ["minimum"] },
    { type: "Partial<Derived3>", keeps: ["minimum"] },
    { type: 'Pick<Derived3, "base">', keeps: ["minimum"] },
    { type: 'Omit<Derived3, "own">', keeps: ["minimum"] },
    { type: 'Readonly<Partial<Pick<Base<Count>, "base">>>', keeps: ["minimum"] },
  ],
  "conditional types": [
    { type: "NonNull<Count | null>", keeps: ["minimum"] },
    { type: "NonNull<Nums | null>", keeps: ["minimum", "maximum"] },
    { type: "Only<Count | string, number>", keeps: ["minimum"] },
    { type: "Only<string | Count, number>", keeps: ["minimum"] },
    { type: "Only<Count | Limit, number>", keeps: ["minimum", "maximum"] },
    { type: "Boxes<Count | string>", keeps: ["minimum"] },
    { type: "ToArray<Count | string>", keeps: ["minimum"] },
    { type: "ToArray<Count>", keeps: ["minimum"] },
    { type: "Cond<5>", keeps: ["minimum"] },
    { type: "Cond<number>", keeps: ["minimum"] },
    { type: "Cond<number | string>", keeps: ["minimum", "minLength"] },
    { type: "Nest<number>", keeps: ["minimum"] },
    { type: "Nest<boolean | number>", keeps: ["minimum"] },
    { type: "Head<Pair>", keeps: ["minimum"] },
    { type: "Head<[Count, Limit]>", keeps: ["minimum"], loses: ["maximum"] },
    { type: "Tail<[string, Count]>", keeps: ["minimum"] },
    { type: "Tail<[string, Count, Limit]>", keeps: ["minimum", "maximum"] },
    { type: "First<[Count, string]>", keeps: ["minimum"] },
    { type: "Last<[string, Count]>", keeps: ["minimum"] },
    { type: "Ret<typeof fn>", keeps: ["minimum"] },
    { type: "Ret<(a: string) => Count>", keeps: ["minimum"] },
    { type: "Arg<typeof fn>", keeps: ["minimum"] },
    { type: "Args<typeof fn>", keeps: ["minimum", "maximum"] },
    { type: "Args<(a: Count) => void>", keeps: ["minimum"] },
    { type: "Val<Record<string, Count>>", keeps: ["minimum"] },
    { type: 'Val<Record<"a", Count>>', keeps: ["minimum"] },
    { type: "Key<Record<Code, number>>", keeps: ["minLength"] },
    { type: "MapVal<Map<string, Count>>", keeps: ["minimum"] },
    { type: "Two<{ a: Count; b: Limit }>", keeps: ["minimum", "maximum"] },
    { type: "Swap<[Count, string]>", keeps: ["minimum"] },
    { type: "Elem<Count[]>", keeps: ["minimum"] },
    { type: "Elem<Set<Count>>", keeps: ["minimum"] },
    { type: "Flat<Count[][]>", keeps: ["minimum"] },
    { type: "Flat<Lists>", keeps: ["minimum"] },
    { type: "Id<Count> extends infer U ? U : never", keeps: ["minimum"] },
  ],
  "imports and namespaces": [
    { type: 'import("./other.js").Count', keeps: ["minimum"] },
    { type: 'import("./other.js").Box', keeps: ["minimum"] },
    { type: 'import("./other.js").Box<Count>', keeps: ["minimum"] },
    { type: 'import("./other.js").Space.Count', keeps: ["minimum"] },
    { type: 'import("./other.js").Count[]', keeps: ["minimum"] },
    { type: 'import("./other.js").Count | null', keeps: ["minimum"] },
    { type: "Imported", keeps: ["minimum"] },
    { type: "Imported | null", keeps: ["minimum"] },
    { type: "Renamed", keeps: ["minimum"] },
    { type: "ns.Count", keeps: ["minimum"] },
    { type: "ns.Space.Count", keeps: ["minimum"] },
    { type: "ns.Box<Count>", keeps: ["minimum"] },
    { type: "Space.Count", keeps: ["minimum"] },
    { type: "Again", keeps: ["minimum"] },
    { type: "Reexported", keeps: ["minimum"] },
    { type: "all.Count", keeps: ["minimum"] },
    { type: "Inner.Count", keeps: ["minimum"] },
    { type: "Inner.Box<Count>", keeps: ["minimum"] },
    { type: "Inner.Box<Inner.Count>", keeps: ["minimum"] },
  ],
  typeof: [
    { type: "typeof v", keeps: ["minimum"] },
    { type: "(typeof v)[]", keeps: ["minimum"] },
    { type: "typeof v | null", keeps: ["minimum"] },
    { type: "typeof o", keeps: ["minimum"] },
    { type: '(typeof o)["n"]', keeps: ["minimum"] },
    { type: '(typeof o)["m"]', keeps: ["minimum"] },
    { type: "typeof o.n", keeps: ["minimum"] },
    { type: "typeof o.deep", keeps: ["minimum"] },
    { type: "typeof lit", keeps: ["minimum"] },
    { type: '(typeof lit)["n"]', keeps: ["minimum"] },
    { type: "(typeof tup)[0]", keeps: ["minimum"] },
    { type: "typeof fn extends (a: infer A, b?: any) => any ? A : never", keeps: ["minimum"] },
  ],
  "functions and classes": [
    { type: "InstanceType<typeof P>", keeps: ["minimum"] },
    { type: "InstanceType<typeof G<Count>>", keeps: ["minimum"] },
    { type: "InstanceType<typeof Abs>", keeps: ["minimum"] },
    { type: "InstanceType<Ctor>", keeps: ["minimum"] },
    { type: 'InstanceType<typeof P>["n"]', keeps: ["minimum"] },
    { type: "Parameters<typeof fn>", keeps: ["minimum", "maximum"] },
    { type: "Parameters<typeof fn>[0]", keeps: ["minimum"] },
    { type: "Parameters<Documented>[0]", keeps: ["minimum"] },
    { type: "Parameters<typeof arrow>[0]", keeps: ["minimum"] },
    { type: "Parameters<typeof typed>[0]", keeps: ["minimum"] },
    { type: "Parameters<Members['of']>[0]", keeps: ["minimum"] },
    { type: "Parameters<(typeof methods)['of']>[0]", keeps: ["minimum"] },
    { type: "Parameters<Field['of']>[0]", keeps: ["minimum"] },
    { type: "Parameters<Field['counted']>[0]", keeps: ["minimum"] },
    { type: "ReturnType<Field['counted']>", keeps: ["maximum"] },
    { type: "Parameters<(this: Limit, a: Count) => void>[0]", keeps: ["minimum"], loses: ["maximum"] },
    { type: "ThisParameterType<(this: Count, a: Limit) => void>", keeps: ["minimum"], loses: ["maximum"] },
    {
      type: "Parameters<OmitThisParameter<(this: Limit, a: Count) => void>>[0]",
      keeps: ["minimum"],
      loses: ["maximum"],
    },
    { type: "Parameters<(a: Count, ...rest: Limit[]) => void>", keeps: ["minimum", "maximum"] },
    { type: "ConstructorParameters<typeof P>", keeps: ["minimum"] },
    { type: "ConstructorParameters<Ctor>[0]", keeps: ["minimum"] },
    { type: "ReturnType<typeof fn>", keeps: ["minimum"] },
    { type: "ReturnType<typeof over>", keeps: ["minimum"] },
    { type: 'ReturnType<Svc["over"]>', keeps: ["minimum"] },
    { type: 'Parameters<Svc["over"]>[0]', keeps: ["minimum"] },
    { type: 'ReturnType<Svc["field"]>', keeps: ["minimum"] },
    { type: 'Awaited<ReturnType<Svc["run"]>>', keeps: ["minimum"] },
    { type: 'Parameters<Svc["run"]>', keeps: ["minimum"] },
    { type: "ReturnType<Fn>", keeps: ["minimum"] },
    { type: "Parameters<Fn>", keeps: ["minimum"] },
    { type: "ReturnType<() => Promise<Count>> extends Promise<infer U> ? U : never", keeps: ["minimum"] },
    { type: "Awaited<Promise<Count>[][number]>", keeps: ["minimum"] },
    { type: "Awaited<Promise<Count> | Promise<string>>", keeps: ["minimum"] },
    { type: "Awaited<Promise<Count> | Count>", keeps: ["minimum"] },
  ],
  "tuples and lists": [
    { type: "Named", keeps: ["minimum", "maximum"] },
    { type: "Push<[string], Count>", keeps: ["minimum"] },
    { type: "Push<[Count], string>", keeps: ["minimum"] },
    { type: "Concat<[Count], [Limit]>", keeps: ["minimum", "maximum"] },
    { type: "[...Named, string]", keeps: ["minimum", "maximum"] },
    { type: "readonly [...Pair]", keeps: ["minimum"] },
    { type: "[...Parameters<typeof fn>]", keeps: ["minimum", "maximum"] },
    { type: "[a?: Count]", keeps: ["minimum"] },
    { type: "[...rest: Count[]]", keeps: ["minimum"] },
    { type: "[string, ...Lists]", keeps: ["minimum"] },
    { type: "[...Lists, string]", keeps: ["minimum"] },
    { type: "readonly Count[]", keeps: ["minimum"] },
    { type: "Array<Count>", keeps: ["minimum"] },
    { type: "ReadonlyArray<Count>", keeps: ["minimum"] },
    { type: "(Count)[]", keeps: ["minimum"] },
    { type: "Array<Array<Count>>", keeps: ["minimum"] },
  ],
  "type arguments and inheritance": [
    { type: "Fallback<string>", keeps: ["minimum"] },
    { type: "Fallback<Fallback<string>>", keeps: ["minimum"] },
    { type: "Chain<Count>", keeps: ["minimum"] },
    { type: "Base<Count>", keeps: ["minimum"] },
    { type: "Derived", keeps: ["minimum"] },
    { type: "Derived3", keeps: ["minimum"] },
    { type: "Derived2<Count>", keeps: ["minimum"] },
    { type: "Merged", keeps: ["minimum"] },
    { type: "MergedG<Count>", keeps: ["minimum"] },
    { type: "Maybe<Id<Count>>", keeps: ["minimum"] },
    { type: "Id<Maybe<Count>>", keeps: ["minimum"] },
    { type: "Id<Id<Count>[]>", keeps: ["minimum"] },
  ],
  "Exclude, Extract, and NonNullable": [
    { type: "Exclude<Count | Limit | string, string>", keeps: ["minimum", "maximum"] },
    { type: "Extract<Obj[keyof Obj], number>", keeps: ["minimum", "maximum"] },
    { type: "NonNullable<Maybe<Count>>", keeps: ["minimum"] },
    { type: "NonNullable<Count | Limit | null>", keeps: ["minimum", "maximum"] },
    { type: 'Exclude<Count | "a" | "b", "a">', keeps: ["minimum"] },
    { type: "Exclude<Nums | string, string>", keeps: ["minimum", "maximum"] },
  ],
  keyof: [
    { type: "Record<keyof Nums, Count>", keeps: ["minimum"] },
    { type: "{ [K in keyof Nums]: Count }", keeps: ["minimum"] },
    { type: "keyof Record<Code, number>", keeps: ["minLength"] },
  ],
  "template literals": [{ type: `Record<\`x_\${string}\`, Count>`, keeps: ["minimum"] }],
  "unions and library types": [
    { type: "Iterable<Count> extends Iterable<infer U> ? U : never", keeps: ["minimum"] },
    { type: "Count | Limit", keeps: ["minimum", "maximum"] },
    { type: "Set<Count>", keeps: ["minimum"] },
    { type: "Map<string, Limit>", keeps: ["maximum"] },
  ],
  "other parts": [
    { type: '{ n: Count }["n"] | string', keeps: ["minimum"] },
    { type: 'Obj["b"]', keeps: [], loses: ["minimum"] },
    { type: "Head<[string, Count]>", keeps: [], loses: ["minimum"] },
    { type: "Tail<[Count, string]>", keeps: [], loses: ["minimum"] },
    { type: "Only<Count | string, string>", keeps: [], loses: ["minimum"] },
    { type: "NonNull<string | null>", keeps: [], loses: ["minimum"] },
    { type: "Arg<(a: string, b: Count) => Count>", keeps: [], loses: ["minimum"] },
    { type: "Ret<(a: Count) => number>", keeps: [], loses: ["minimum"] },
    { type: "ReturnType<(a: Count) => number>", keeps: [], loses: ["minimum"] },
    { type: 'Cond<"a">', keeps: [], loses: ["minimum"] },
    { type: "{ [K in keyof Nums]: number }", keeps: [], loses: ["minimum"] },
    { type: "{ [K in keyof Nums]: string }", keeps: [], loses: ["minimum"] },
    { type: "{ [K in keyof Book]: string }", keeps: [], loses: ["minimum"] },
    { type: "Record<keyof Book, number>", keeps: [], loses: ["minimum"] },
    { type: "Val<Record<string, number>>", keeps: [], loses: ["minimum"] },
    { type: 'Book["title"]', keeps: [], loses: ["minimum"] },
    { type: "Exclude<Count | string, number>", keeps: [], loses: ["minimum"] },
    { type: `\`a\${Count}\``, keeps: [], loses: ["minimum"] },
  ],
};

/** Declarations of which only some are tagged, and types that combine several of them. */
const MIXED = `
/** @minimum 3 */ type Count = number; /** @maximum 10 */ type Limit = number; /** @minLength 2 */ type Code = string;
interface Base<T> { base: T; list: T[] } interface Over extends Base<Count> { base: number } interface Two extends Base<Count>, Other<number> {} interface Other<T> { other: T }
declare function over(a: string): Count; declare function over(a: number): number; declare function plain(a: number, b: Count): number;
type Obj = { a: Count; b: number; c: string }; type At<T, K extends keyof T> = T[K]; type Vals<T> = T[keyof T];
type Boxes<T> = T extends unknown ? { value: T } : never; type If<C, A, B> = C extends true ? A : B; type Wrap<T> = { [K in keyof T]: { v: T[K] } };
type Ex<T, U> = T extends U ? never : T; type Pair<A, B> = [A, B]; type Swap<T> = T extends [infer A, infer B] ? [B, A] : never; type Elem<T> = T extends (infer E)[] ? E : number;
type First<T> = T extends { a: infer A } ? A : number; type Fn<F> = F extends (x: infer A, y: infer B) => infer R ? [A, B, R] : never;
class G<T> { constructor(readonly value: T, readonly plain: number) {} } class H extends G<Count> { readonly own = 5 }
type Flip<T> = T extends Count ? string : T; type Cond<T> = T extends string ? Count : number; type Both<A, B> = A & B; type Same<T> = T; type Num = number; type Nested<T> = { in: { deep: T; flat: number } };
type Boxed<T, U> = { a: Box<T>; b: Box<U> }; type Box<T> = { value: T }; namespace A { /** @minimum 3 */ export type X = number } namespace B { export type X = number }
type Opt<T> = { [K in keyof T]?: T[K] }; type Ren<T> = { [K in keyof T as K extends "a" ? "b" : "a"]: T[K] }; type Mk<K extends string, T> = { [P in K]: P extends "a" ? T : number };
declare const conf: { a: Count; b: number }; type Un = { kind: "x"; n: Count } | { kind: "y"; n: number }; type RecTree = { n: number; next?: RecTree; c?: Count };
`;

/** Types with the parts that their schemas have, tags included, and with those that they lack. */
const PARTS: { type: string; has?: string[]; lacks?: string[] }[] = [
  { type: 'Over["base"]', lacks: ['"minimum"'] },
  { type: 'Pick<Over, "base">', lacks: ['"minimum"'] },
  { type: "Two", has: ['"other":{"type":"number"}'] },
  { type: "ReturnType<typeof over>", lacks: ['"minimum"'] },
  { type: "Parameters<typeof plain>[0]", lacks: ['"minimum"'] },
  {
    type: "Parameters<typeof plain>",
    has: ['"prefixItems":[{"type":"number"},{"type":"number","minimum":3}]'],
  },
  { type: 'At<Obj, "b">', lacks: ['"minimum"'] },
  { type: 'At<Obj, "b" | "c">', lacks: ['"minimum"'] },
  { type: 'Pick<Obj, "b">', lacks: ['"minimum"'] },
  { type: 'Omit<Obj, "a">', lacks: ['"minimum"'] },
  {
    type: "Boxes<Count | string>",
    has: [
      '{"anyOf":[{"type":"object","properties":{"value":{"type":"number","minimum":3}},"required":["value"],"additionalProperties":false},{"type":"object","properties":{"value":{"type":"string"}},"required":["value"],"additionalProperties":false}]}',
    ],
  },
  { type: "If<false, Count, number>", lacks: ['"minimum"'] },
  { type: "If<true, number, Count>", lacks: ['"minimum"'] },
  { type: "Ex<Count | string, number>", lacks: ['"minimum"'] },
  { type: "Pair<number, Count>", has: ['"prefixItems":[{"type":"number"},{"type":"number","minimum":3}]'] },
  {
    type: "Swap<Pair<number, Count>>",
    has: ['"prefixItems":[{"type":"number","minimum":3},{"type":"number"}]'],
  },
  { type: "Elem<string>", lacks: ['"minimum"'] },
  { type: "Elem<number[]>", lacks: ['"minimum"'] },
  { type: "Elem<[Count, string]>", has: ['"minimum":3'] },
  { type: "First<{ a: number; b: Count }>", lacks: ['"minimum"'] },
  { type: "First<{ b: Count }>", lacks: ['"minimum"'] },
  {
    type: "Fn<(x: number, y: Count) => string>",
    has: ['"prefixItems":[{"type":"number"},{"type":"number","minimum":3},{"type":"string"}]'],
  },
  { type: "G<number>", lacks: ['"minimum"'] },
  { type: "G<Count>", has: ['"plain":{"type":"number"}'] },
  { type: "Flip<number>", lacks: ['"minimum"'] },
  { type: "Flip<string | boolean>", lacks: ['"minimum"'] },
  { type: "Cond<number>", lacks: ['"minimum"'] },
  { type: "Cond<string>", has: ['"minimum":3'] },
  { type: "Nested<Count>", has: ['"flat":{"type":"number"}', '"deep":{"type":"number","minimum":3}'] },
  { type: "Nested<number>", lacks: ['"minimum"'] },
  {
    type: "Boxed<Count, number>",
    has: [
      '"b":{"type":"object","properties":{"value":{"type":"number"}}',
      '"a":{"type":"object","properties":{"value":{"type":"number","minimum":3}}',
    ],
  },
  { type: "Boxed<number, Count>", has: ['"a":{"type":"object","properties":{"value":{"type":"number"}}'] },
  { type: "B.X", lacks: ['"minimum"'] },
  { type: "A.X", has: ['"minimum":3'] },
  {
    type: "Opt<{ a: number; b: Count }>",
    has: ['"a":{"type":"number"}', '"b":{"type":"number","minimum":3}'],
  },
  { type: 'Mk<"a" | "b", Count>', has: ['"a":{"type":"number","minimum":3}', '"b":{"type":"number"}'] },
  { type: '(typeof conf)["b"]', lacks: ['"minimum"'] },
  { type: "typeof conf", has: ['"a":{"type":"number","minimum":3}', '"b":{"type":"number"}'] },
  {
    type: "Un",
    has: ['"properties":{"kind":{"type":"string","enum":["y"]},"n":{"type":"number"}}', '"minimum":3'],
  },
  { type: 'Extract<Un, { kind: "y" }>', lacks: ['"minimum"'] },
  { type: 'Exclude<Un, { kind: "x" }>', lacks: ['"minimum"'] },
  { type: "Same<Num>", lacks: ['"minimum"'] },
  { type: 'Partial<RecTree>["n"]', lacks: ['"minimum"'] },
  {
    type: 'Record<"a", number> & Record<"b", Count>',
    has: ['"a":{"type":"number"}', '"b":{"type":"number","minimum":3}'],
  },
  {
    type: 'Record<"a", number> | Record<"b", Count>',
    has: ['"a":{"type":"number"}', '"b":{"type":"number","minimum":3}'],
  },
  { type: "[Count, number][1]", lacks: ['"minimum"'] },
  { type: "[number, ...Count[]]", has: ['"prefixItems":[{"type":"number"}]'] },
  {
    type: "Wrap<Obj>",
    has: [
      '"b":{"type":"object","properties":{"v":{"type":"number"}}',
      '"a":{"type":"object","properties":{"v":{"type":"number","minimum":3}}',
    ],
  },
  { type: '{ [K in keyof Obj]: Obj["b"] }', lacks: ['"minimum"'] },
  {
    type: '{ [K in "a" | "b"]: K extends "a" ? Count : number }',
    has: ['"b":{"type":"number"}', '"a":{"type":"number","minimum":3}'],
  },
  { type: "NonNullable<number | null> | string", lacks: ['"minimum"'] },
  { type: "Exclude<Count, string> | string", has: ['"minimum":3'] },
];

const project = createTypeProject({
  parts: `${MIXED}export type Row = {\n${PARTS.map(({ type }, index) => `p${index}: ${type};`).join("\n")}\n};`,
  unfollowed: `${DECLARATIONS}declare function make<T>(): T; const made = make<Count>();
export type Row = [\`n\${Count}\`, typeof made, Ret<typeof make>];`,
  other: `/** @minimum 3 */ export type Count = number;
export namespace Space { /** @minimum 3 */ export type Count = number; }
export { Count as Renamed }; export interface Box<T = Count> { value: T }`,
  reexport: `export * from "./other.js"; export * as all from "./other.js"; export type { Count as Again } from "./other.js";`,
  ...Object.fromEntries(Object.entries(CASES).map(([name, cases]) => [toFileName(name), toRow(cases)])),
});

function toFileName(name: string): string {
  return name.replaceAll(/\W+/g, "-");
}

function toRow(cases: readonly Case[]): string {
  const properties = cases.map(({ type }, index) => `p${index}: ${type};`);
  return `${DECLARATIONS}export type Row = {\n${properties.join("\n")}\n};`;
}

describe.each(Object.entries(CASES))("a tag and %s", (name, cases) => {
  it.each(["input", "output"] as const)("is kept exactly where it applies: %s", (direction) => {
    const { derived, diagnostics } = project.type(toFileName(name), direction);
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(project.errorLines(toFileName(name))).toEqual(new Set());
    const { properties = {} } = derived?.exact ?? derived?.schema ?? {};
    const wrong = cases.filter(({ keeps, loses = [] }, index) => {
      const schema = JSON.stringify(properties[`p${index}`]);
      const has = (keyword: Keyword): boolean => schema.includes(KEYWORDS[keyword]);
      return !keeps.every((each) => has(each)) || loses.some((each) => has(each));
    });
    expect(wrong).toEqual([]);
    expect(Object.keys(properties)).toHaveLength(cases.length);
  });
});

it("a tag on one part of a type does not apply to the others", () => {
  const { derived, diagnostics } = project.type("parts");
  expect(diagnostics).toEqual([]);
  expect(project.errorLines("parts")).toEqual(new Set());
  const wrong = PARTS.filter(({ has = [], lacks = [] }, index) => {
    const schema = JSON.stringify(derived?.schema.properties?.[`p${index}`]);
    return has.some((each) => !schema.includes(each)) || lacks.some((each) => schema.includes(each));
  });
  expect(wrong).toEqual([]);
});

it("a type that only the checker can evaluate is reported", () => {
  const { types } = project.cache;
  const { structure } = types.resolve({ node: findRow("unfollowed"), bindings: NO_BINDINGS });
  const elements = structure.kind === "tuple" ? structure.elements : [];
  const found = elements.map(({ written }) => written && types.resolve(written).structure);
  expect(found).toMatchObject([{ kind: "unfollowed" }, { kind: "unfollowed" }, { kind: "unfollowed" }]);
});

it("an expression is followed once, however many types mention it", () => {
  const { types } = project.cache;
  const node = findRow("unfollowed");
  const resolution = types.resolve({ node, bindings: NO_BINDINGS });
  expect(types.resolve({ node, bindings: new Map() })).toBe(resolution);
});

it("a type that multiplies the work at each level is followed only as far as is reasonable", () => {
  const levels = Array.from(
    { length: 10 },
    (_, level) => `type T${level + 1}<T> = T${level}<[T, T, T, T, T, T]>;`,
  );
  const multiplied = createTypeProject({
    row: `type T0<T> = Code extends T ? string : Code; ${levels.join(" ")} type Code = string; type Row = { it: T10<number> };`,
  });
  expect(multiplied.type("row")).toMatchObject({
    derived: { schema: { properties: { it: { type: "string" } } } },
    diagnostics: [],
  });
});

function findRow(snippet: string): ts.TypeNode {
  const { statements } = project.file(snippet);
  const row = statements.find((each) => ts.isTypeAliasDeclaration(each) && each.name.text === "Row");
  return (row as ts.TypeAliasDeclaration).type;
}
