import { describe, expect, it } from "vitest";
import type { Diagnostic } from "@tenon/compiler";
import { createTypeProject } from "./type-project.js";

interface Case {
  /** The type of an argument `it`, or with `method` a whole method. `⟦…⟧` marks where the diagnostic points. */
  source: string;
  code: string;
  /** A part of the message. */
  message: string;
  /** A part of the hint. */
  hint?: string;
  /** Defaults to a rejection. */
  severity?: "warning";
}

const types: Record<string, Case> = {
  "a function": {
    source: "type Row = { it: ⟦() => void⟧ };",
    code: "type-function",
    message: "Argument `it` is a function (`() => void`)",
    hint: "Omit",
  },
  "a method": {
    source: "interface Ent { id: string; ⟦run⟧(): void }\ntype Row = { it: Ent };",
    code: "type-function",
    message: "`it → run` in the arguments",
  },
  "a class that is a string in JSON": {
    source:
      "declare class Day { #days: number; add(days: number): Day; toJSON(): string }\ntype Row = { it: ⟦Day⟧ };",
    code: "type-has-methods",
    message: "Argument `it` is `Day`, an object with methods (`add`)",
    hint: "Accept a `string`, which is its JSON form, and create the `Day` in the method.",
  },
  "a class that is a string or null in JSON": {
    source:
      "declare class Day { #days: number; add(days: number): Day; toJSON(): string | null }\ntype Row = { it: ⟦Day⟧ };",
    code: "type-has-methods",
    message: "Argument `it` is `Day`, an object with methods (`add`)",
    hint: "Accept a `string`, which is its JSON form",
  },
  "a class with data that is a string in JSON": {
    source:
      "declare class Money { cents: number; add(other: Money): Money; toJSON(): string }\ntype Row = { it: ⟦Money⟧ };",
    code: "type-methods-missing",
    message: "without its method `add`",
    hint: "Accept a `string`, which is its JSON form, and create the `Money` in the method.",
    severity: "warning",
  },
  "an array with a method": {
    source: "interface Tags extends Array<string> { first(): string }\ntype Row = { it: ⟦Tags⟧ };",
    code: "type-has-methods",
    message: "Argument `it` is `Tags`, an object with methods (`first`)",
  },
  "a constructor": {
    source: "type Row = { it: ⟦new () => object⟧ };",
    code: "type-function",
    message: "function",
  },
  "the type Function": {
    source: "type Row = { it: ⟦Function⟧ };",
    code: "type-function",
    message: "function",
  },
  "a function in a union": {
    source: "type Row = { it: string | (⟦() => void⟧) };",
    code: "type-function",
    message: "Argument `it`",
  },
  "a property that may fit the index signature of an intersection": {
    source: "type Row = { it: Record<string, string | { a: number }> & { x?: ⟦{ b: string }⟧ } };",
    code: "type-not-serializable",
    message: "`it → x` in the arguments is `{ b: string; }`, which must also fit the index signature",
    hint: "fits the index signature",
  },
  "a type whose repeated parts are too many": {
    source: `${[0, 1, 2, 3]
      .map((level) => {
        const inner = level === 0 ? "string" : `L${level - 1}`;
        return `interface L${level} { ${[..."abcdefgh"].map((name) => `${name}: ${inner}`).join("; ")} }`;
      })
      .join("\n")}\ntype Row = { it: { a: L3; b: L3; c: L3; d: L3; e: ⟦L3⟧; f: L3 } };`,
    code: "type-too-large",
    message: "has more than 20,000 parts",
  },
  "a symbol": {
    source: "type Row = { it: ⟦symbol⟧ };",
    code: "type-symbol",
    message: "symbol",
    hint: "string literal",
  },
  "a unique symbol": {
    source: "declare const key: unique symbol;\ntype Row = { it: ⟦typeof key⟧ };",
    code: "type-symbol",
    message: "symbol",
  },
  "a WeakMap, deep inside": {
    source: "type Row = { a: { b: ⟦WeakMap<object, string>⟧ }[] };",
    code: "type-not-serializable",
    message: "`a → [] → b` in the arguments is `WeakMap<object, string>`",
    hint: "Map",
  },
  "a property that no validator sees": {
    source: 'type Row = { it: { ⟦["__proto__"]⟧: string } };',
    code: "type-not-serializable",
    message: "Argument `it` is an object with the property `__proto__`",
    hint: "Rename",
  },
  "in a map": {
    source: "type Row = { it: Map<string, ⟦symbol⟧> };",
    code: "type-symbol",
    message: "`it → [value]`",
  },
  "in a record": {
    source: "type Row = { it: Record<string, ⟦symbol⟧> };",
    code: "type-symbol",
    message: "`it → [key]`",
  },
  "in a tuple": {
    source: "type Row = { it: [string, ⟦symbol⟧] };",
    code: "type-symbol",
    message: "`it → [1]`",
  },
  "in a set": { source: "type Row = { it: Set<⟦symbol⟧> };", code: "type-symbol", message: "`it → []`" },
  "inside a generic, at its argument": {
    source: "interface Page<T> { items: T[] }\ntype Row = { it: Page<⟦WeakSet<object>⟧> };",
    code: "type-not-serializable",
    message: "`it → items → []`",
  },
  "inside a mapped type, at the member": {
    source: "interface Options { at: ⟦symbol⟧ }\ntype Row = { it: Partial<Options> };",
    code: "type-symbol",
    message: "`it → at`",
  },
  "in an alias, where it is used": {
    source: "type Handle = symbol;\ntype Row = { it: ⟦Handle⟧ };",
    code: "type-symbol",
    message: "`it`",
  },
  "a promise": {
    source: "type Row = { it: ⟦Promise<string>⟧ };",
    code: "type-promise",
    message: "never awaited",
    hint: "Declare `string`",
  },
  "parameters of a URL, whose only public property is their number": {
    source: "type Row = { it: ⟦URLSearchParams⟧ };",
    code: "type-not-serializable",
    message: "`URLSearchParams`, whose entries are not members of an object",
    hint: "`Map<string, string>`",
  },
  "an error": {
    source: "type Row = { it: ⟦Error⟧ };",
    code: "type-not-serializable",
    message: "without its message",
  },
  "an error of another name": {
    source: "type Row = { it: ⟦TypeError⟧ };",
    code: "type-not-serializable",
    message: "`TypeError`, which JSON writes without its message",
  },
  "an author's own error": {
    source: "class NotFound extends Error { code = 404 }\ntype Row = { it: ⟦NotFound⟧ };",
    code: "type-not-serializable",
    message: "`NotFound`",
    hint: "the message and other properties",
  },
  "a mapped Date": {
    source:
      "type Deep<T> = T extends object ? { [K in keyof T]?: Deep<T[K]> } : T;\ntype Row = { it: ⟦Deep<Date>⟧ };",
    code: "type-not-serializable",
    message: "turns the methods of `Date` into data",
    hint: "`T extends Date ? T : …`",
  },
  "a mapped URL, which is a class": {
    source:
      "type Deep<T> = T extends object ? { readonly [K in keyof T]: Deep<T[K]> } : T;\ntype Row = { it: ⟦Deep<URL>⟧ };",
    code: "type-not-serializable",
    message: "turns the methods of `URL` into data",
    hint: "`T extends URL ? T : …`",
  },
  "a mapped Map, whose type has arguments": {
    source:
      "type Deep<T> = T extends object ? { readonly [K in keyof T]: Deep<T[K]> } : T;\ntype Row = { it: ⟦Deep<Map<string, number>>⟧ };",
    code: "type-not-serializable",
    message: "turns the methods of `Map` into data",
    hint: "`T extends Map<any, any> ? T : …`",
  },
  "a partial Date": {
    source: "type Row = { it: ⟦Partial<Date>⟧ };",
    code: "type-not-serializable",
    message: "`Partial<Date>`",
  },
  "a number that JSON does not have": {
    source: "enum Limit { None = 1 / 0 }\ntype Row = ⟦{ it: Limit }⟧[];",
    code: "type-never",
    message: "`it` has no possible value",
  },
  "a wrapper": {
    source: "type Row = { it: ⟦String⟧ };",
    code: "type-not-serializable",
    message: "wrapper",
    hint: "`string`",
  },
  "a typed array": {
    source: "type Row = { it: ⟦Float64Array⟧ };",
    code: "type-not-serializable",
    message: "JSON cannot represent",
    hint: "number[]",
  },
  "an ArrayBuffer": {
    source: "type Row = { it: ⟦ArrayBuffer⟧ };",
    code: "type-not-serializable",
    message: "JSON cannot represent",
    hint: "Uint8Array",
  },
  "a file limit on text": {
    source: "type Row = { /** ⟦@maxSize 5 MB⟧ */ it: string };",
    code: "constraint-does-not-fit",
    message: "files",
  },
  "a file limit on a list of files": {
    source: "type Row = { /** ⟦@accept image/png⟧ */ it: File[] };",
    code: "constraint-does-not-fit",
    message: "files",
  },
  "a size without a known unit": {
    source: "type Row = {\n  /**\n   * A file.\n   * ⟦@maxSize 5 pages⟧\n   */\n  it: File;\n};",
    code: "constraint-value-invalid",
    message: "5 MB",
  },
  "a file name extension in place of a type": {
    source: "type Row = {\n  /**\n   * A file.\n   * ⟦@accept .png⟧\n   */\n  it: File;\n};",
    code: "constraint-value-invalid",
    message: "image/png",
  },
  "a file or text": {
    source: "type Row = { it: ⟦File | string⟧ };",
    code: "type-union-ambiguous",
    severity: "warning",
    message: "File",
  },
  "a file or bytes": {
    source: "type Row = { it: ⟦File[] | Uint8Array[]⟧ };",
    code: "type-union-ambiguous",
    severity: "warning",
    message: "File",
  },
  "a generator": {
    source: "type Row = { it: ⟦AsyncGenerator<string>⟧ };",
    code: "type-not-serializable",
    message: "one at a time",
    hint: "array",
  },
  "keys that no pattern describes": {
    source: "type Row = { it: Record<⟦Uppercase<`${number}`>⟧, string> };",
    code: "type-not-serializable",
    message: "`it → [key]`",
    hint: "template",
  },
  "keys of an index signature that no pattern describes": {
    source: "type Row = { it: { [key: ⟦Lowercase<`${number}`>⟧]: string } };",
    code: "type-not-serializable",
    message: "`it → [key]`",
  },
  "a class of methods": {
    source: "class Client { #url = ''; get() { return this.#url } }\ntype Row = { it: ⟦Client⟧ };",
    code: "type-has-methods",
    message: "`get`",
  },
  "a library object": {
    source: "type Row = { it: ⟦Request⟧ };",
    code: "type-has-methods",
    message: "`Request`",
  },
  "the global object": {
    source: "type Row = { it: ⟦typeof globalThis⟧ };",
    code: "type-has-methods",
    message: "methods",
  },
  never: { source: "type Row = ⟦never⟧;", code: "type-never", message: "no value" },
  "a required member that is never": {
    source: "type Row = { it: ⟦{ a: never }⟧ };",
    code: "type-never",
    message: "its property `a` has no possible value",
  },
  "a conflict of an intersection": {
    source: "type Row = { it: ⟦{ a: string } & { a: number }⟧ };",
    code: "type-never",
    message: "property `a`",
  },
  "a conflict with an index signature": {
    source: "type Row = { it: ⟦Record<string, string> & { a: number }⟧ };",
    code: "type-never",
    message: "property `a`",
  },
  "endless unfolding": {
    source: "type Grow<T> = { value: T; next?: ⟦Grow<T[]>⟧ };\ntype Row = { it: Grow<string> };",
    code: "type-recursive-endless",
    message: "new types without end",
  },
  "a map whose values are always absent": {
    source: "type Row = { it: Map<string, ⟦undefined⟧> };",
    code: "type-not-serializable",
    message: "`Map<string, undefined>`, whose values JSON cannot carry",
    hint: "Use a `Set` of the keys",
  },
  any: {
    source: "type Row = { it: ⟦any⟧ };",
    code: "type-any",
    message: "Argument `it` has type `any`",
    hint: "unknown",
    severity: "warning",
  },
  "a type that cannot be found": {
    source: 'import type { Lost } from ⟦"./lost.js"⟧;\ntype Row = { it: Lost };',
    code: "type-not-found",
    message: "`Lost`, which TypeScript cannot find",
    hint: "import",
  },
  "the keys of a type that cannot be found": {
    source: "type Row = { it: keyof ⟦Lost⟧ };",
    code: "type-not-found",
    message: "Argument `it` has the type `Lost`, which TypeScript cannot find",
    hint: "Install the package",
  },
  "a type among others that cannot be found": {
    source: "type Row = { it: Partial<⟦Lost⟧>[] | string };",
    code: "type-not-found",
    message: "has the type `Lost`, which TypeScript cannot find",
  },
  "a class of Node.js with data, methods, and functions": {
    source: 'import type { Readable } from "node:stream";\ntype Row = { it: ⟦Readable⟧ };',
    code: "type-has-methods",
    message: "Argument `it` is `Readable`, an object with methods",
    hint: "Collect its values in an array.",
  },
  "the keys of an imported type that cannot be found, among other types": {
    source: 'import type { Lost } from ⟦"./lost.js"⟧;\ntype Row = { it: null | keyof Lost };',
    code: "type-not-found",
    message: "which TypeScript cannot find",
    hint: "import",
  },
  "a class with methods": {
    source: "class Money { cents = 0; format() { return '' } }\ntype Row = { it: ⟦Money⟧ };",
    code: "type-methods-missing",
    message: "without its method `format`",
    hint: "interface",
    severity: "warning",
  },
  "an optional function": {
    source: "type Row = { it?: ⟦() => void⟧ };",
    code: "type-member-omitted",
    message: "omitted",
    severity: "warning",
  },
  "a property name": {
    source: 'type Row = { it: { ⟦"a b"⟧: string } };',
    code: "type-property-name",
    message: '`"a b"`',
    severity: "warning",
  },
  "number literals": {
    source: "type Row = { it: ⟦1 | 2⟧ };",
    code: "type-enum-of-numbers",
    message: "number literals",
    severity: "warning",
  },
  "a rest element before others": {
    source: "type Row = { it: ⟦[...string[], number]⟧ };",
    code: "type-order-not-checked",
    message: "`[...string[], number]`",
    severity: "warning",
  },
};

const tags: Record<string, Case> = {
  "a length on numbers": {
    source: "type Row = { /** Text. ⟦@minLength 3⟧ */ it: number };",
    code: "constraint-does-not-fit",
    message: "`@minLength` is for strings, but argument `it` has type `number`",
  },
  "a bound on text": {
    source: "type Row = { /**\n * ⟦@minimum 3⟧\n */ it: string };",
    code: "constraint-does-not-fit",
    message: "is for numbers",
  },
  "an unknown format of a number": {
    source: "type Row = { /** ⟦@format emial⟧ */ it: number };",
    code: "constraint-does-not-fit",
    message: "is for strings",
  },
  "a constraint meant for the items": {
    source: "type Row = { /** ⟦@format email⟧ */ it: string[] };",
    code: "constraint-does-not-fit",
    message: "`string[]`",
    hint: "alias of the item type",
  },
  "a length on a Date": {
    source: "type Row = { /** ⟦@minLength 3⟧ */ it: Date };",
    code: "constraint-does-not-fit",
    message: "`Date`",
  },
  "items of a tuple": {
    source: "type Row = { /** @minItems 3 */ it: ⟦[string]⟧ };",
    code: "constraint-contradiction",
    message: "both `minItems 3` and `maxItems 1`",
  },
  "@integer on text": {
    source: "type Row = { /** ⟦@integer⟧ */ it: string };",
    code: "constraint-does-not-fit",
    message: "`@integer`",
  },
  "a limit that is not a number": {
    source: "type Row = { /** ⟦@minimum one⟧ */ it: number };",
    code: "constraint-value-invalid",
    message: "needs a number, not `one`",
  },
  "a limit without a value": {
    source: "type Row = { /** ⟦@maximum⟧ */ it: number };",
    code: "constraint-value-invalid",
    message: "has no value",
  },
  "a negative length": {
    source: "type Row = { /** ⟦@maxLength -1⟧ */ it: string };",
    code: "constraint-value-invalid",
    message: "a whole number of at least 0",
  },
  "a pattern that is not a regular expression": {
    source: "type Row = { /** ⟦@pattern (⟧ */ it: string };",
    code: "constraint-value-invalid",
    message: "a regular expression",
  },
  "a pattern with flags": {
    source: "type Row = { /** ⟦@pattern /a/i⟧ */ it: string };",
    code: "constraint-value-invalid",
    message: "without flags",
  },
  "bounds in the wrong order": {
    source: "type Row = { /** @minimum 5 @maximum 3 */ it: ⟦number⟧ };",
    code: "constraint-contradiction",
    message: "`minimum 5` and `maximum 3`",
  },
  "a default of another type": {
    source: "type Row = { /** ⟦@default many⟧ */ it: number };",
    code: "constraint-default-does-not-fit",
    message: "The default `many` of argument `it` is not a valid `number`",
  },
  "a default that is an expression": {
    source: "type Row = { /** ⟦@default process.env.HOME⟧ */ it: string };",
    code: "constraint-default-does-not-fit",
    message: "is not a valid `string`",
  },
  "a default that is prose": {
    source: "type Row = { /** ⟦@default the current directory⟧ */ it: string };",
    code: "constraint-default-does-not-fit",
    message: "is not a valid `string`",
  },
  "a default that is a link": {
    source: "type Row = { /** ⟦@default {@link Row}⟧ */ it: string };",
    code: "constraint-default-does-not-fit",
    message: "is not a valid `string`",
  },
  "a default that lists choices": {
    source: 'type Row = { /** ⟦@default "a" | "b"⟧ */ it: string };',
    code: "constraint-default-does-not-fit",
    message: "is not a valid `string`",
  },
  "a default that may be text or a name": {
    source: "type Row = { /** ⟦@default metric⟧ */ it: string };",
    code: "constraint-default-does-not-fit",
    message: "is not a valid `string`",
  },
  "a number as the default of a string": {
    source: "type Row = { /** ⟦@default 5⟧ */ it: string };",
    code: "constraint-default-does-not-fit",
    message: "is not a valid `string`",
  },
  "a default that is code in backticks": {
    source: "type Row = { /** ⟦@default `os.tmpdir()`⟧ */ it: string };",
    code: "constraint-default-does-not-fit",
    message: "is not a valid `string`",
  },
  "a default without a value": {
    source: "type Row = { /** ⟦@default⟧ */ it: string };",
    code: "constraint-value-invalid",
    message: "has no value",
  },
  "a default in the tag of TSDoc that is prose": {
    source: "type Row = { /** ⟦@defaultValue the current one⟧ */ it: string };",
    code: "constraint-default-does-not-fit",
    message: "`the current one`",
  },
  "a default after a dash": {
    source: "type Row = { /** ⟦@default - 5⟧ */ it: number };",
    code: "constraint-default-does-not-fit",
    message: "`- 5`",
  },
  "a default outside the constraints": {
    source: "type Row = { /** ⟦@default 9⟧ @maximum 5 */ it: number };",
    code: "constraint-default-does-not-fit",
    message: "`9`",
  },
  "a default outside the union": {
    source: "type Row = { /** ⟦@default c⟧ */ it: 'a' | 'b' };",
    code: "constraint-default-does-not-fit",
    message: "`c`",
  },
  "an example of another type": {
    source: "type Row = { /** ⟦@example some⟧ */ it: number };",
    code: "constraint-example-does-not-fit",
    message: "omitted",
    severity: "warning",
  },
  "an unknown format": {
    source: "type Row = { /** ⟦@format emial⟧ */ it: string };",
    code: "constraint-format-unknown",
    message: "`emial`",
    hint: "`@format email`",
    severity: "warning",
  },
  "a misspelled tag": {
    source: "type Row = {\n/**\n * ⟦@minium⟧ 3\n */\nit: number };",
    code: "constraint-tag-unknown",
    message: "`@minium`",
    hint: "`@minimum`",
    severity: "warning",
  },
  "the comment of another declaration": {
    source: "type Row = { /** A row, as in {⟦@inheritDoc⟧ Other}. */ it: number };",
    code: "constraint-tag-unknown",
    message: "`@inheritDoc`",
    severity: "warning",
  },
  "the tag of another tool": {
    source: "type Row = { /** ⟦@max⟧ 3 */ it: number };",
    code: "constraint-tag-unknown",
    message: "`@max`",
    hint: "`@maximum`",
    severity: "warning",
  },
};

const methods: Record<string, Case> = {
  "a destructured parameter next to others": {
    source: "export class Tools { run(a: string, ⟦{ b }⟧: { b: string }) {} }",
    code: "type-parameter-unnamed",
    message: "Parameter 2 is destructured",
  },
  "a destructured union": {
    source: "export class Tools { run(⟦{ a }⟧: { a: string } | { a: string; b: number }) {} }",
    code: "type-parameter-unnamed",
    message: "Parameter 1",
  },
  "a type parameter that nothing fills in": {
    source: "export class Tools { run<T>(a: ⟦T⟧, b: string) {} }",
    code: "type-unresolved",
    message: "Argument `a` of tool `run` has type `T`",
    hint: "extends",
  },
  "a tuple of as many elements as a type parameter has": {
    source: "export class Tools { run<T extends string[]>(a: ⟦[...T, number]⟧, b: string) {} }",
    code: "type-unresolved",
    message: "Argument `a` of tool `run`",
  },
  "a record over a type parameter": {
    source: "export class Tools { run<K extends 'a' | 'b'>(a: ⟦Record<K, number>⟧, b: string) {} }",
    code: "type-unresolved",
    message: "`Record<K, number>`",
  },
  "a parameter that is never": {
    source: "export class Tools { run(a: ⟦never⟧, b: string) {} }",
    code: "type-never",
    message: "Argument `a` of tool `run`",
  },
  "a parameter of any": {
    source: "export class Tools { run(a: ⟦any⟧) {} }",
    code: "type-any",
    message: "Argument `a` of tool `run`",
    severity: "warning",
  },
  "a constraint of a method": {
    source: "export class Tools {\n/** Runs. ⟦@minimum 3⟧ */\nrun(a: number) {} }",
    code: "constraint-misplaced",
    message: "in the comment of a method",
    severity: "warning",
  },
  "a constraint on the object of all arguments": {
    source: "export class Tools {\n/** @param args What.\n * ⟦@minimum 3⟧ */\nrun(args: { a: number }) {} }",
    code: "constraint-does-not-fit",
    message: "is for numbers",
  },
};

const METHODS = "a problem with the parameters of a method is reported:";
const groups = {
  "a type that JSON cannot represent is reported:": types,
  "a tag that does not apply is reported:": tags,
  [METHODS]: methods,
};
const cases = Object.entries(groups).flatMap(([group, list], part) =>
  Object.entries(list).map(([title, each], index) => ({ group, title, each, file: `case-${part}-${index}` })),
);

const project = createTypeProject({
  ...Object.fromEntries(
    cases.map(({ each, file }) => [file, `${each.source.replaceAll(/[⟦⟧]/g, "")}\nexport {};\n`]),
  ),
  several: "type Row = { a: WeakMap<object, 1>; b: symbol; c: () => void };\nexport {};",
  endless: "interface Grow<T> { id: symbol; next?: Grow<T[]> }\ntype Row = { it: Grow<string> };\nexport {};",
  output: "type Row = { a: { b: symbol }[] };\nexport {};",
  file: "type Row = { file: File };\nexport {};",
  parameters: "type Row = { it: URLSearchParams };\nexport {};",
  package: 'type Row = { it: import("node:stream").TransformOptions };\nexport {};',
  names: 'type Row = { "a b": string; ok: { "c/d": string; "é": string } };\nexport {};',
});

describe.each(Object.keys(groups))("%s", (group) => {
  it.each(cases.filter((each) => each.group === group))("$title", ({ each, file }) => {
    const { derived, diagnostics } = group === METHODS ? project.method(file) : project.type(file);
    expect(diagnostics.map(({ code }) => code)).toEqual([each.code]);
    const [diagnostic] = diagnostics as [Diagnostic];
    expect(diagnostic.severity).toBe(each.severity ?? "error");
    expect(diagnostic.message).toContain(each.message);
    if (each.hint) expect(diagnostic.hint).toContain(each.hint);
    expect(markSpan(diagnostic, project.file(file).text)).toBe(each.source);
    if (each.code.startsWith("type-")) expect(derived === undefined).toBe(each.severity !== "warning");
  });
});

/** Returns the source with `⟦…⟧` around the span of the diagnostic. */
function markSpan({ span }: Diagnostic, text: string): string | undefined {
  if (!span) return undefined;
  const lines = text.split("\n");
  const offset = ({ line, column }: { line: number; column: number }): number =>
    lines.slice(0, line - 1).reduce((length, each) => length + each.length + 1, 0) + column - 1;
  const [start, end] = [offset(span.start), offset(span.end)];
  const source = `${text.slice(0, start)}⟦${text.slice(start, end)}⟧${text.slice(end)}`;
  return source.replace(/\nexport \{\};\n$/, "");
}

it("all mistakes are reported together", () => {
  const { derived, diagnostics } = project.type("several");
  expect(derived).toBeUndefined();
  expect(diagnostics.map(({ code }) => code)).toEqual([
    "type-not-serializable",
    "type-symbol",
    "type-function",
  ]);
});

it("a problem at each level of an endless type is reported once", () => {
  const { diagnostics } = project.type("endless");
  expect(diagnostics.map(({ code }) => code)).toEqual(["type-symbol", "type-recursive-endless"]);
});

it("a property name is reported each time, at the name", () => {
  const { diagnostics } = project.type("names");
  const { text } = project.file("names");
  expect(diagnostics.map((each) => /⟦.*⟧/.exec(markSpan(each, text) ?? "")?.[0])).toEqual([
    '⟦"c/d"⟧',
    '⟦"é"⟧',
    '⟦"a b"⟧',
  ]);
});

it("at most three similar problems of a type from a package are reported", () => {
  const { diagnostics } = project.type("package");
  const omitted = diagnostics.filter(({ code }) => code === "type-member-omitted");
  const more = "Other parts of this type have the same problem.";
  expect(omitted.map(({ hint }) => hint?.endsWith(more))).toEqual([false, false, true]);
});

it("a problem in a result names the result", () => {
  const { diagnostics } = project.type("output", "output");
  expect(diagnostics[0]?.message).toContain("`a → [] → b` in the result");
});

it("parameters of a URL in a result are reported, since only their number would be sent", () => {
  const codes = project.type("parameters", "output").diagnostics.map(({ code }) => code);
  expect(codes).toEqual(["type-not-serializable"]);
});

it("a file in data is reported, with the alternatives", () => {
  const [diagnostic] = project.type("file", "output").diagnostics;
  expect(diagnostic?.code).toBe("type-not-serializable");
  expect(diagnostic?.message).toContain("`File`, which is content, and cannot be part of data");
  expect(diagnostic?.hint).toContain("Return the file itself");
});

describe("a type of Node.js that is not installed is reported once", () => {
  const sources = {
    "as an argument": "{ it: ⟦Buffer⟧ }",
    "in a union": "{ it: string | ⟦Buffer⟧ }",
    "in a namespace": "{ it: ⟦NodeJS.ReadableStream⟧[] }",
    "in a nested object": "{ it: { at?: ⟦URL⟧ } }",
    "in an index": '{ it: ⟦Buffer⟧["length"] }',
    "in a utility type": "{ it: Partial<⟦Buffer⟧> }",
    "in a record": "{ it: Record<string, ⟦Buffer⟧> }",
  };
  const bare = createTypeProject(
    Object.fromEntries(
      Object.entries(sources).map(([name, type]) => [name, `type Row = ${type.replaceAll(/[⟦⟧]/g, "")};`]),
    ),
    { types: [], lib: ["lib.es2023.d.ts"] },
  );

  it.each(Object.entries(sources))("%s", (name, type) => {
    const { diagnostics } = bare.type(name);
    expect(diagnostics.map(({ code }) => code)).toEqual(["type-not-found"]);
    const [diagnostic] = diagnostics as [Diagnostic];
    expect(markSpan(diagnostic, bare.file(name).text)).toBe(`type Row = ${type};`);
    expect(diagnostic.hint).toContain("Install `@types/node`");
  });
});
