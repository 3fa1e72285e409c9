import { execFileSync } from "node:child_process";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { compile } from "@tenon/compiler";
import { afterEach, expect, test } from "vitest";
// Internal: the conversion of one source.
import { lowerSource } from "../../packages/cli/src/bundle/lower-source.js";
import { bundleSources } from "../support/bundle-sources.js";
import { projectFolder, tsconfig, type ProjectFolder } from "../support/project-folder.js";

let project: ProjectFolder;
afterEach(() => project.remove());

/** A decorator of any kind that records the emitted types at the moment when it runs. */
const RECORD = `import "reflect-metadata";
export const log: unknown[] = [];
const shown = (type: unknown): unknown =>
  Array.isArray(type) ? type.map(shown) : typeof type === "function" ? type.name : String(type);
export const Seen = (note: string): any => (target: object, key?: string | symbol, index?: unknown) => {
  const types = ["design:type", "design:paramtypes", "design:returntype"].map((each) =>
    Reflect.hasMetadata(each, target, key as string) ? shown(Reflect.getMetadata(each, target, key as string)) : "none");
  log.push([note, (typeof target === "function" ? target : target.constructor).name, String(key), typeof index === "number" ? index : "", types]);
};
`;

const KINDS = `import { Readable } from "node:stream";
import * as http from "node:http";
import type { Agent } from "node:http";
import type { Hidden } from "./classes.js";
import { type AlsoHidden, Store, type Shape, again, Renamed as Other, Generic } from "./classes.js";
import { Forwarded, Typed } from "./index.js";
import { Seen } from "./record.js";

type Text = string; type Maybe = number | null; type Pair = [string, number]; type Fn = () => void;
type Id = string & { readonly brand: "id" };
enum Level { low, high }
enum Color { red = "red" }
const both = 1; type both = boolean;
namespace inner { export class Deep {} export namespace more { export class Deeper {} } }
abstract class Abstract {}

@Seen("class")
export class Kinds<T extends string, U> {
  @Seen("p") s!: string; @Seen("p") n?: number; @Seen("p") b!: boolean; @Seen("p") big!: bigint; @Seen("p") y!: symbol;
  @Seen("p") a!: string[]; @Seen("p") pair!: Pair; @Seen("p") tuple!: [a: string]; @Seen("p") ro!: readonly string[]; @Seen("p") arr!: Array<string>;
  @Seen("p") fn!: Fn; @Seen("p") fn2!: () => void; @Seen("p") ctor!: new () => Store;
  @Seen("p") text!: Text; @Seen("p") maybe!: Maybe; @Seen("p") nul!: string | null; @Seen("p") undef!: Store | undefined; @Seen("p") id!: Id;
  @Seen("p") any!: any; @Seen("p") unknown!: unknown; @Seen("p") never!: never; @Seen("p") vo!: void; @Seen("p") obj!: object; @Seen("p") lit!: { a: 1 };
  @Seen("p") one!: "one"; @Seen("p") two!: 2; @Seen("p") minus!: -2; @Seen("p") minusBig!: -2n; @Seen("p") yes!: true; @Seen("p") onlyNull!: null; @Seen("p") template!: \`a\${string}\`;
  @Seen("p") ones!: "one" | "two"; @Seen("p") mixed!: "one" | 2; @Seen("p") inter!: Store & Shape; @Seen("p") same!: Store & Store; @Seen("p") neverUnion!: never | string; @Seen("p") unknownInter!: unknown & string;
  @Seen("p") level!: Level; @Seen("p") member!: Level.low; @Seen("p") color!: Color; @Seen("p") both!: both;
  @Seen("p") store!: Store; @Seen("p") shape!: Shape; @Seen("p") hidden!: Hidden; @Seen("p") alsoHidden!: AlsoHidden; @Seen("p") other!: Other; @Seen("p") generic!: Generic<string>; @Seen("p") forwarded!: Forwarded; @Seen("p") typed!: Typed;
  @Seen("p") star!: again.Store; @Seen("p") deep!: inner.Deep; @Seen("p") deeper!: inner.more.Deeper; @Seen("p") abstract!: Abstract;
  @Seen("p") date!: Date; @Seen("p") map!: Map<string, number>; @Seen("p") bytes!: Uint8Array; @Seen("p") url!: URL; @Seen("p") record!: Record<string, string>; @Seen("p") partial!: Partial<Store>; @Seen("p") error!: Error;
  @Seen("p") promise!: Promise<string>; @Seen("p") readable!: Readable; @Seen("p") server!: http.Server; @Seen("p") headers!: http.IncomingHttpHeaders; @Seen("p") agent!: Agent; @Seen("p") format!: Intl.NumberFormat; @Seen("p") wrapped!: String;
  @Seen("p") param!: T; @Seen("p") free!: U; @Seen("p") cond!: T extends string ? Store : Store; @Seen("p") query!: typeof both; @Seen("p") key!: keyof Store; @Seen("p") indexed!: Store["name"]; @Seen("p") imported!: import("./classes.js").Store; @Seen("p") self!: Kinds<T, U>; @Seen("p") inferred = 1;
  @Seen("p") static shared: Store; @Seen("p") [both]!: string; @Seen("p") "quoted name"!: string; @Seen("p") paren!: (string); @Seen("p") parens!: ((string)) | (null);
  constructor(@Seen("i") private readonly first: Store, second: string, @Seen("i")
    readonly third: Shape, ...rest: Store[]) {}
  @Seen("m") method(a: Store, @Seen("i") b: Hidden, c = 1, ...more: Array<string>): Promise<Store> { return Promise.reject(this); }
  @Seen("m") async later2(this: Kinds<T, U>, a?: string) {}
  @Seen("m") bare() {}
  @Seen("m") guards(a: unknown): a is Store { return true; }
  @Seen("m") asserts(a: unknown): asserts a is Store {}
  @Seen("m") chain(): this { return this; }
  over(a: string): void; over(a: number): void; @Seen("m") over(a: string | number): void {}
  onlyParameter(@Seen("i") a: Store) {}
  undecorated(a: Store) {}
  @Seen("a") get got(): Store { return this.store; } set got(value: Store) {}
  @Seen("a") set written(value: string) {}
  @Seen("a") get read() { return 1; }
  @Seen("a") get half() { return 1; } set half(value: number) {}
  @Seen("a") static get got(): string { return ""; }
}

@Seen("c") export class NoConstructor extends Store {}
@Seen("c") @Seen("d") /* between */ export default class Overloaded { constructor(a: string); constructor(a: number); constructor(a: string | number) {} }
export class Category { @Seen("p") parent?: Category; @Seen("p") readonly all = () => Category; static at = import.meta.url; }
export class OnlyInjected { constructor(@Seen("i") a: Store, b: Date) {} }
export @Seen("c") class After { constructor(a: Store) {} }
export function make(): unknown { class Inner {} @Seen("c") class Local { @Seen("p") one!: Store; constructor(a: Inner) {} } return Local; }
`;

const CLASSES = `export class Store { name = ""; }
export interface Shape { sides?: number }
export class Hidden {} export class AlsoHidden {} export class Renamed {} export class Generic<T> { of!: T }
export * as again from "./classes.js";
`;

const INDEX = `export { Store as Forwarded } from "./classes.js";\nexport type { Renamed as Typed } from "./classes.js";\n`;

const TOOLS = `import { Tool } from "@tenon/runtime";
import { Store } from "./classes.js";
import { Seen } from "./record.js";
/** The build removes the decorators of Tenon. All others run as in the source. */
@Seen("c")
export class Tools {
  /** Go. */
  @Tool() @Seen("m") go(name: string): string { return name; }
  /** Go on. */
  @Seen("m") @Tool() on(name: string): string { return name; }
}
export const store = Store;
`;

const options = { experimentalDecorators: true, emitDecoratorMetadata: true };

/** Bundles the project into `by-tenon/app.js`. */
async function bundle(app: string): Promise<void> {
  const { sourceEdits } = compile({ root: project.root, typeCheck: false });
  await bundleSources(project.root, app, { sourceEdits, folder: "by-tenon" });
}

async function importLog(path: string): Promise<unknown> {
  const { log } = (await import(pathToFileURL(join(project.root, path)).href)) as { log: unknown };
  return log;
}

/** Returns the metadata that the decorators recorded, for a compilation by TypeScript and by Tenon. */
async function logs(compilerOptions: object): Promise<{ byTypeScript: unknown; byTenon: unknown }> {
  project = projectFolder({
    "tsconfig.json": tsconfig({ ...options, noUncheckedSideEffectImports: false, ...compilerOptions }),
    "src/record.ts": RECORD,
    "src/classes.ts": CLASSES,
    "src/index.ts": INDEX,
    "src/kinds.ts": KINDS,
    "src/tools.ts": TOOLS,
  });
  const { root } = project;
  const tsc = resolve(import.meta.dirname, "../../node_modules/typescript/bin/tsc");
  execFileSync(
    process.execPath,
    [tsc, "--noEmit", "false", "--noCheck", "--rootDir", "src", "--outDir", "by-typescript"],
    {
      cwd: root,
    },
  );
  project.write({
    "by-typescript/all.js": `import "./kinds.js";\nimport "./tools.js";\nexport { log } from "./record.js";\n`,
  });

  await bundle(
    `import "../src/kinds.ts";\nimport "../src/tools.ts";\nexport { log } from "../src/record.ts";\n`,
  );
  return {
    byTypeScript: await importLog("by-typescript/all.js"),
    byTenon: await importLog("by-tenon/app.js"),
  };
}

test.each([{ strict: true }, { strict: false }])(
  "decorators of a project with %j receive the types that TypeScript emits",
  async (compilerOptions) => {
    const { byTypeScript, byTenon } = await logs(compilerOptions);
    expect(byTenon).toEqual(byTypeScript);
    expect(byTenon).toHaveLength(108);
  },
);

const TOOL = `import { Tool } from "@tenon/runtime";
export class Tools {
  /** Go. */
  @Tool() go(name: string): string { return name; }
}
`;

test("classes of modules that import each other see undefined for uninitialized imports, as in CommonJS", async () => {
  const sources = {
    "src/first.ts": `import { Seen } from "./record.js"; import { Second } from "./second.js";
@Seen("first") export class First { constructor(second: Second) {} }\n`,
    "src/second.ts": `import { Seen } from "./record.js"; import { First } from "./first.js";
@Seen("second") export class Second { @Seen("later") later!: Later; constructor(first: First) {} } class Later {}\n`,
    "src/record.ts": RECORD,
  };
  project = projectFolder({
    "tsconfig.json": tsconfig(options),
    "src/tools.ts": `${TOOL}export * from "./first.js";\n`,
    ...sources,
  });
  const { root } = project;
  const log = [
    ["later", "Second", "later", "", ["undefined", "none", "none"]],
    ["second", "Second", "undefined", "", ["none", ["undefined"], "none"]],
    ["first", "First", "undefined", "", ["none", ["Second"], "none"]],
  ];
  await bundle(`import "../src/first.ts";\nexport { log } from "../src/record.ts";\n`);
  expect(await importLog("by-tenon/app.js")).toEqual(log);

  // Each is its own module, as tests read them.
  const { sourceEdits } = compile({ root, typeCheck: false });
  for (const [path, source] of Object.entries(sources)) {
    const { code } = await lowerSource(join(root, path), source, sourceEdits?.get(path) ?? [], true);
    project.write({ [path.replace("src/", "alone/").replace(".ts", ".js")]: code });
  }
  project.write({ "alone/all.js": `import "./first.js";\nexport { log } from "./record.js";\n` });
  expect(await importLog("alone/all.js")).toEqual(log);
});

test("a linked TypeScript package is compiled with the settings of its own tsconfig.json", async () => {
  const entity = `import { Seen } from "./record.js";
export class Author {}
@Seen("entity") export class Book { @Seen("column") author!: Author; constructor(title: string) {} }\n`;
  project = projectFolder({
    "server/package.json": JSON.stringify({ name: "server", type: "module" }),
    "server/tsconfig.json": tsconfig({}),
    "server/src/tools.ts": `${TOOL}export { Book } from "../../entities/src/entity.js";\n`,
    "entities/package.json": JSON.stringify({ name: "entities", type: "module" }),
    "entities/tsconfig.json": tsconfig(options),
    "entities/src/entity.ts": entity,
    "entities/src/record.ts": RECORD,
  });
  const outer = project;
  project = { ...outer, root: join(outer.root, "server") };
  await bundle(`import "../src/tools.ts";\nexport { log } from "../../entities/src/record.ts";\n`);
  expect(await importLog("by-tenon/app.js")).toEqual([
    ["column", "Book", "author", "", ["Author", "none", "none"]],
    ["entity", "Book", "undefined", "", ["none", ["String"], "none"]],
  ]);
  project = outer;
});

test.each([{ experimentalDecorators: true }, {}])(
  "sources get no metadata with only %j",
  (compilerOptions) => {
    project = projectFolder({
      "tsconfig.json": tsconfig(compilerOptions),
      "src/tools.ts": `export class Store { @seen name = ""; }\nfunction seen(...at: unknown[]): any {}\n${TOOL}`,
    });
    const edits = compile({ root: project.root, typeCheck: false }).sourceEdits?.get("src/tools.ts") ?? [];
    // Classes keep their names.
    expect(edits.map(({ text }) => text.trim().split(" {")[0])).toEqual(["static", "static", ""]);
  },
);
