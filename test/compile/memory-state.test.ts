/** The state that a server loses when it restarts, as `tenon dev` reports it. */
import { compile } from "@tenon/compiler";
import { afterEach, expect, test } from "vitest";
import { projectFolder, type ProjectFolder } from "../support/project-folder.js";

let project: ProjectFolder | undefined;
afterEach(() => project?.remove());

function findState(body: string, outside = ""): string[] | undefined {
  project = projectFolder({
    "src/notes.ts": `import { Tool } from "@tenon/runtime";
${outside}
export class Notes {
  ${body}
  /** Adds a note. */
  @Tool() add(note: string): string { return note; }
}`,
  });
  return compile({ root: project.root, typeCheck: false }).findMemoryState?.();
}

test.each([
  ["notes: string[] = [];", ["Notes.notes"]],
  ["readonly #notes = new Map<string, string>();", ["Notes.#notes"]],
  ["static counts = new Map<string, number>();", ["Notes.counts"]],
  ["private readonly names = new Set<string>();", ["Notes.names"]],
  ["byName: Record<string, string> = {};", ["Notes.byName"]],
  ["items = [] as string[];", ["Notes.items"]],
  ["#count = 0; next() { return ++this.#count; }", ["Notes.#count"]],
  ["last = ''; keep(text: string) { this.last = text; }", ["Notes.last"]],
  ["total = 0; sum(of: number[]) { of.forEach((each) => { this.total += each; }); }", ["Notes.total"]],
  ["static total = 0; sum() { Notes.total++; }", ["Notes.total"]],
])("a field that collects state is found: %s", (body, expected) => {
  expect(findState(body)).toEqual(expected);
});

test.each([
  "readonly rates = { EUR: 1.08 };",
  "readonly names = ['a'];",
  "readonly known = new Set(['a']);",
  "readonly cache = new WeakMap<object, string>();",
  "size: number; constructor() { this.size = 1; }",
  "client?: object; connect() { return (this.client ??= {}); }",
  "note = ''; other() { return class { note = ''; set() { this.note = 'a'; } }; }",
])("a field without state is not found: %s", (body) => {
  expect(findState(body)).toEqual([]);
});

test("a variable of a module counts as state in memory, and a field of a class without handlers does not", () => {
  const outside = `const orders = new Map<string, number>();
const rates = { EUR: 1 };
let total = 0;
let last: string | undefined;
let client: object | undefined;
let mode = "a";
if (process.argv.length > 2) mode = "b";
export const connect = () => (client ??= {});
export class Store { items: string[] = []; add(item: string) { total += 1; last = item; } }
const limit = 9;
export function count(limit: number) { limit = 1; return limit; }`;
  expect(findState("", outside)).toEqual(["orders", "total", "last"]);
});

test.each([
  ["a module", "const store = new Store();", "", ["Store.items"]],
  ["a constructor of handlers", "", "constructor(readonly store = new Store()) {}", ["Store.items"]],
  ["a field of handlers", "", "readonly store = new Store();", ["Store.items"]],
  ["only a function", "export const create = () => new Store();", "open() { return new Store(); }", []],
])("a field of a class without handlers counts if %s creates an instance", (_, created, body, expected) => {
  expect(findState(body, `export class Store { items: string[] = []; }\n${created}`)).toEqual(expected);
});

test("a field counts if the configuration provides an instance of its class", () => {
  project = projectFolder({
    "src/store.ts": `export class Store { #items = new Map<string, string>(); }`,
    "src/notes.ts": `import { Tool } from "@tenon/runtime";
import type { Store } from "./store.js";
export class Notes {
  constructor(readonly store: Store) {}
  /** Adds a note. */
  @Tool() add(note: string): string { return note; }
}`,
    "src/server.ts": `import { defineServer } from "@tenon/runtime";
import { Notes } from "./notes.js";
import { Store } from "./store.js";
export default defineServer({ provide: [new Notes(new Store())] });`,
  });
  expect(compile({ root: project.root, typeCheck: false }).findMemoryState?.()).toEqual(["Store.#items"]);
});
