import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { compile, createCompiler, renderDiagnostic, writeFileTree } from "@tenon/compiler";
import { afterEach, describe, expect, test } from "vitest";

const workspace = join(import.meta.dirname, "../..");
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Creates a folder that contains only these files and the installed packages. */
function folderWith(files: Record<string, string>, installed = true): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "tenon-project-")));
  folders.push(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  if (installed) symlinkSync(join(workspace, "node_modules"), join(root, "node_modules"));
  return root;
}

function renderProblems(root: string): string {
  const { diagnostics } = compile({ root });
  return diagnostics.map((each) => renderDiagnostic(each).replaceAll(root, "<project>")).join("\n");
}

const greeter = `import { Tool } from "@tenon/runtime";
export class Greeter {
  /** Greet someone. */
  @Tool() greet(name: string): string { return "Hello, " + name; }
}
`;

describe("a folder that is not a usable project", () => {
  test("is reported if it has no package.json", () => {
    expect(renderProblems(folderWith({ "src/a.ts": greeter }))).toMatchInlineSnapshot(`
      "error  config-not-a-project
        <project> is not a Tenon project: it has no package.json.

        hint  Create a project with \`npm create mcp-server\`, or pass the folder of an existing one.
      "
    `);
  });

  test("is reported if it has no src folder", () => {
    expect(renderProblems(folderWith({ "package.json": "{}" }))).toMatchInlineSnapshot(`
      "error  config-not-a-project
        <project> is not a Tenon project: it has no src folder.

        hint  Put your classes under src/. In a workspace, pass the folder of the package with the server.
      "
    `);
  });

  test("is reported if it does not exist", () => {
    const root = join(folderWith({}), "nowhere");
    expect(renderProblems(root)).toMatchInlineSnapshot(`
      "error  config-not-a-project
        <project> is not a folder.

        hint  Create a project with \`npm create mcp-server\`, or pass the folder of an existing one.
      "
    `);
  });

  test("is reported if its package.json is invalid", () => {
    expect(
      renderProblems(
        folderWith({ "package.json": '{\n  "name": "x",\n  version: 1\n', "src/a.ts": greeter }),
      ),
    ).toMatchInlineSnapshot(`
      "package.json:4:1  error  config-unreadable
        package.json: '}' expected.

         2 │   "name": "x",
         3 │   version: 1
       > 4 │
           │ ^
      "
    `);
  });

  test("is reported if its tsconfig.json is invalid", () => {
    const root = folderWith({
      "package.json": "{}",
      "tsconfig.json": '{ "compilerOptions": { "target": "es1066" } }',
      "src/a.ts": greeter,
    });
    expect(renderProblems(root)).toMatchInlineSnapshot(`
      "tsconfig.json:1:34  error  config-unreadable
        tsconfig.json: Argument for '--target' option must be: 'es6', 'es2015', 'es2016', 'es2017', 'es2018', 'es2019', 'es2020', 'es2021', 'es2022', 'es2023', 'es2024', 'es2025', 'esnext'.

       > 1 │ { "compilerOptions": { "target": "es1066" } }
           │                                  ^^^^^^^^
      "
    `);
  });
});

test.each([
  [
    "a comma is missing",
    '{\n  "compilerOptions": {\n    "strict": true\n    "target": "es2022"\n  }\n}',
    "4:5",
    "',' expected.",
  ],
  [
    "an option has a value of another type",
    '{ "compilerOptions": { "strict": "yes" } }',
    "1:34",
    "a value of type boolean.",
  ],
  ["an option does not exist", '{ "compilerOptions": { "stirct": true } }', "1:24", "Did you mean 'strict'?"],
])("a tsconfig.json in which %s is reported with its line", (_, tsconfig, at, message) => {
  const root = folderWith({ "package.json": "{}", "tsconfig.json": tsconfig, "src/a.ts": greeter });
  const text = renderProblems(root);
  expect(text).toContain(`tsconfig.json:${at}  error  config-unreadable`);
  expect(text).toContain(message);
});

test.each([
  ["7.0.2", false],
  ["6.0.2", true],
])("options that only TypeScript 7 has are an error in a project with %s: %j", (version, isError) => {
  const tsconfig = JSON.stringify({ compilerOptions: { checkers: 4, singleThreaded: true, quiet: true } });
  const files = { "package.json": "{}", "tsconfig.json": tsconfig, "src/a.ts": greeter };
  const installed = { "node_modules/typescript/package.json": JSON.stringify({ version }) };
  const text = renderProblems(folderWith({ ...files, ...installed }, false));
  expect(text.includes("Unknown compiler option 'checkers'")).toBe(isError);
});

test("a project without the runtime is reported", () => {
  const root = folderWith({ "package.json": "{}", "src/a.ts": greeter }, false);
  expect(renderProblems(root)).toMatchInlineSnapshot(`
    "src/a.ts:1:22  error  runtime-not-installed
      "@tenon/runtime" is not installed in this project, so its decorators cannot be recognized.

     > 1 │ import { Tool } from "@tenon/runtime";
         │                      ^^^^^^^^^^^^^^^^
       2 │ export class Greeter {
       3 │   /** Greet someone. */

      hint  Run \`npm install @tenon/runtime\`.
    "
  `);
});

test("a project without TypeScript files is reported", () => {
  const tsconfig = JSON.stringify({ compilerOptions: { module: "nodenext" }, include: ["src"] });
  const files = { "package.json": "{}", "src/tools.js": "", "src/more/tools.mjs": "" };
  const expected = `error  config-no-typescript
  src/ has 2 JavaScript files but no TypeScript file. Tenon derives schemas from TypeScript's types, which JavaScript does not have.

  hint  Rename src/more/tools.mjs to src/more/tools.mts, and add types to the parameters.
`;
  expect(renderProblems(folderWith(files))).toBe(expected);
  expect(renderProblems(folderWith({ ...files, "tsconfig.json": tsconfig }))).toBe(expected);
  const empty = folderWith({ "package.json": "{}", "src/notes.md": "", "tsconfig.json": tsconfig });
  expect(renderProblems(empty)).toMatchInlineSnapshot(`
    "error  config-no-typescript
      src/ contains no TypeScript files, or tsconfig.json excludes them.

      hint  Write a class in a file such as src/tools.ts.
    "
  `);
  // Two links of a folder to itself would make 2^40 paths.
  const endless = folderWith(files);
  for (const name of ["here", "there"]) symlinkSync(".", join(endless, "src/more", name));
  expect(renderProblems(endless)).toBe(expected);
});

test.each([
  ["the line before", "// @ts-ignore: no types\n// and no package\nimport type { A } from 'nowhere';"],
  ["the whole file", "// @ts-nocheck\nimport type { A } from 'nowhere';"],
  ["a name", "// @ts-expect-error\nimport type { Nothing } from '@tenon/runtime';"],
])("an import error that a comment suppresses is suppressed: %s", (_, source) => {
  const root = folderWith({ "package.json": '{"type":"module"}', "src/a.ts": source + "\n" + greeter });
  expect(compile({ root }).diagnostics).toEqual([]);
});

describe("an import that is not found is reported with the command to install", () => {
  const source = `${greeter}import { z } from "zod-for-weather";\nexport const text = z.string();\n`;

  test.each([
    ["a package that is listed nowhere", {}, "Run `npm install zod-for-weather`."],
    [
      "a package that is listed",
      { "package.json": '{ "dependencies": { "zod-for-weather": "1.0.0" } }' },
      "Run `npm install`: the package is in package.json, but not installed.",
    ],
    [
      "a package in a project of another package manager",
      { "pnpm-lock.yaml": "" },
      "Run `pnpm add zod-for-weather`.",
    ],
    [
      "a part of a package with a scope",
      { "src/a.ts": source.replace('"zod-for-weather"', '"@weather/zod/mini"'), "bun.lock": "" },
      "Run `bun add @weather/zod`.",
    ],
    [
      "the types of Node.js",
      { "src/a.ts": source.replace('"zod-for-weather"', '"node:zlib"') },
      'Run `npm install -D @types/node`, and add "node" to `types` in tsconfig.json: the types of Node.js are missing.',
    ],
  ])("for %s", (_, files, hint) => {
    const tsconfig = {
      compilerOptions: { module: "nodenext", target: "es2022", types: [] },
      include: ["src"],
    };
    const root = folderWith(
      { "package.json": "{}", "tsconfig.json": JSON.stringify(tsconfig), "src/a.ts": source, ...files },
      false,
    );
    mkdirSync(join(root, "node_modules"));
    symlinkSync(join(workspace, "node_modules/@tenon"), join(root, "node_modules/@tenon"));
    const { diagnostics } = compile({ root });
    expect(diagnostics.map(({ code, hint: told }) => ({ code, told }))).toEqual([
      { code: "import-not-found", told: hint },
    ]);
  });
});

test("an import from a package of the workspace that is not built is reported with the advice to build it", () => {
  const source = `${greeter}import { S } from "@weather/shared";\nexport const text = S;\n`;
  const workspaceRoot = folderWith(
    {
      "shared/package.json": JSON.stringify({ name: "@weather/shared", exports: "./dist/index.js" }),
      "server/package.json": JSON.stringify({ dependencies: { "@weather/shared": "*" } }),
      "server/src/a.ts": source,
    },
    false,
  );
  const installed = join(workspaceRoot, "node_modules");
  mkdirSync(join(installed, "@weather"), { recursive: true });
  symlinkSync(join(workspace, "node_modules/@tenon"), join(installed, "@tenon"));
  symlinkSync(join(workspaceRoot, "shared"), join(installed, "@weather/shared"));
  const { diagnostics } = compile({ root: join(workspaceRoot, "server") });
  expect(diagnostics.map(({ code, hint }) => ({ code, hint }))).toEqual([
    {
      code: "import-not-found",
      hint: "Build the package `@weather/shared`, or correct the path: the package is linked to this project, but has no such module.",
    },
  ]);
});

describe("a project", () => {
  test("needs no tsconfig.json, name, or version", () => {
    const root = folderWith({ "package.json": "{}", "src/a.ts": greeter });
    const { manifest, diagnostics } = compile({ root });
    expect(diagnostics).toEqual([]);
    expect(manifest?.server).toEqual({ name: root.split("/").at(-1), version: "0.0.0" });
    expect(manifest?.tools.map((tool) => tool.definition.name)).toEqual(["greet"]);
  });

  test("without tsconfig.json uses the installed types", () => {
    const node = greeter.replace('"Hello, "', 'Buffer.from(process.env["GREETING"] ?? "Hello, ")');
    expect(renderProblems(folderWith({ "package.json": "{}", "src/a.ts": node }))).toBe("");
  });

  test.each([true, false])("may use experimentalDecorators: %s", (experimentalDecorators) => {
    const tsconfig = {
      compilerOptions: { module: "nodenext", target: "es2022", strict: true, experimentalDecorators },
      include: ["src"],
    };
    const root = folderWith({
      "package.json": '{"type":"module"}',
      "tsconfig.json": JSON.stringify(tsconfig),
      "src/a.ts": greeter,
    });
    const { manifest, diagnostics } = compile({ root });
    expect(diagnostics).toEqual([]);
    expect(manifest?.tools).toHaveLength(1);
  });

  test("may ask for its location, as an ES module or CommonJS", () => {
    const tsconfig = {
      compilerOptions: { module: "nodenext", target: "es2022", strict: true, types: ["node"] },
      include: ["src"],
    };
    const source = greeter.replace('"Hello, " + name', "import.meta.url + name");
    const createFiles = (type: string): Record<string, string> => ({
      "package.json": JSON.stringify({ type }),
      "tsconfig.json": JSON.stringify(tsconfig),
      "src/a.ts": source,
    });
    expect(compile({ root: folderWith(createFiles("module")) }).diagnostics).toEqual([]);
    expect(renderProblems(folderWith(createFiles("commonjs")))).toBe("");
  });

  test("may use ESM-only packages and their dependencies", () => {
    const tsconfig = {
      compilerOptions: { module: "nodenext", target: "es2022", strict: true, types: ["node"] },
      include: ["src"],
    };
    const esmOnly = (name: string): string =>
      JSON.stringify({
        name,
        type: "module",
        exports: { import: { types: "./types.d.ts", default: "./x.js" } },
      });
    const root = folderWith(
      {
        "package.json": '{"type":"module"}',
        "tsconfig.json": JSON.stringify(tsconfig),
        "node_modules/orders/package.json": esmOnly("orders"),
        "node_modules/orders/types.d.ts": `import type { Price } from "prices";
          export interface Order { item: string; price: Price }
          export declare class Shelf { readonly shelved: boolean }`,
        "node_modules/prices/package.json": esmOnly("prices"),
        "node_modules/prices/types.d.ts": `export interface Price { amount: number; currency: "EUR" | "CHF" }`,
        "src/a.ts": `import { Tool } from "@tenon/runtime";
          import { Shelf, type Order } from "orders";
          const here: string = import.meta.url;
          export class Shop extends Shelf {
            /** Order something. */
            @Tool() order(order: Order): string { return here + order.item; }
          }`,
      },
      false,
    );
    for (const name of ["@tenon", "@types"]) {
      symlinkSync(join(workspace, "node_modules", name), join(root, "node_modules", name));
    }
    const { manifest, diagnostics } = compile({ root });
    expect(diagnostics).toEqual([]);
    expect(manifest?.tools[0]?.definition.inputSchema).toMatchObject({
      properties: {
        item: { type: "string" },
        price: { properties: { amount: { type: "number" }, currency: { enum: ["EUR", "CHF"] } } },
      },
    });
  });

  test.each([
    { declaration: true, declarationDir: "types", outDir: "out" },
    { declaration: true, isolatedDeclarations: true },
    { composite: true, declarationMap: true, tsBuildInfoFile: "out/kept" },
  ])("may configure its own output: %o", (options) => {
    const compilerOptions = {
      module: "nodenext",
      target: "es2022",
      strict: true,
      rootDir: "src",
      ...options,
    };
    const root = folderWith({
      "package.json": '{"type":"module"}',
      "tsconfig.json": JSON.stringify({ compilerOptions, include: ["src"] }),
      "src/a.ts": greeter,
    });
    expect(compile({ root }).diagnostics).toEqual([]);
  });

  test("does not check files that import its build output", () => {
    const tsconfig = { module: "esnext", moduleResolution: "bundler", strict: true, skipLibCheck: true };
    const paths = { "@/*": ["./*"] };
    const root = folderWith({
      "package.json": `{ "type": "module" }`,
      "tsconfig.json": JSON.stringify({ compilerOptions: { ...tsconfig, paths }, include: ["**/*.ts"] }),
      "src/a.ts": greeter,
      "app/route.ts": `import { server } from "../dist/app.js";\nexport { server };\n`,
      "app/page.ts": `import { orders } from "@/dist/app.js";\nexport const count: string = orders.count;\n`,
      "app/link.ts": `import { count } from "./page.js";\nexport const length: number = count.size;\n`,
      "app/other.ts": `export const wrong: number = "1";\n`,
    });
    const wrong = [{ code: "typescript", span: { file: "app/other.ts" } }];
    expect(compile({ root }).diagnostics).toMatchObject(wrong);
    mkdirSync(join(root, "dist"));
    writeFileSync(join(root, "dist/app.d.ts"), "export declare const server: object;\n");
    expect(compile({ root }).diagnostics).toMatchObject(wrong);
  });

  test("does not serve its tests", () => {
    const root = folderWith({
      "package.json": "{}",
      "src/a.ts": greeter,
      "src/a.test.ts": greeter.replace("greet(", "wave("),
    });
    expect(compile({ root }).manifest?.tools.map((tool) => tool.definition.name)).toEqual(["greet"]);
  });

  test("produces identical bytes every time", async () => {
    const root = folderWith({
      "package.json": "{}",
      "src/a.ts": greeter,
      "src/b.ts": greeter.replaceAll("reet", "rant"),
    });
    const first = await compile({ root }).emit?.();
    const second = await compile({ root }).emit?.();
    expect([...(first ?? [])]).toEqual([...(second ?? [])]);
  });
});

describe("a project with its own version of TypeScript", () => {
  /** Creates a CommonJS project with the settings of an application of TypeScript 5. */
  const application = (compilerOptions: object, files: Record<string, string>, version = "5.4.5"): string => {
    const root = folderWith({ "package.json": "{}", ...files }, false);
    writeFileSync(join(root, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["src"] }));
    for (const name of ["@tenon", "@types", "undici-types", "reflect-metadata"]) {
      mkdirSync(join(root, "node_modules"), { recursive: true });
      symlinkSync(join(workspace, "node_modules", name), join(root, "node_modules", name));
    }
    mkdirSync(join(root, "node_modules/typescript"));
    writeFileSync(join(root, "node_modules/typescript/package.json"), JSON.stringify({ version }));
    return root;
  };
  const commonJs = { module: "commonjs", target: "es2022", skipLibCheck: true };

  test("may use options that TypeScript 6 deprecates", () => {
    const options = { ...commonJs, baseUrl: "./", paths: { "@app/*": ["src/*"] }, alwaysStrict: false };
    const root = application(options, {
      "src/greeter.ts": greeter,
      "src/other.ts": `import { Greeter } from "@app/greeter"; export const other = new Greeter();`,
    });
    expect(renderProblems(root)).toBe("");
  });

  test("may await at the top level of src/server.ts and ask for its location", () => {
    const server = `import { defineServer } from "@tenon/runtime";
const instructions = await Promise.resolve(import.meta.url);
export default defineServer({ instructions });
`;
    const files = { "src/greeter.ts": greeter, "src/server.ts": server };
    expect(renderProblems(application(commonJs, files))).toBe("");
    expect(
      renderProblems(application({ ...commonJs, module: "node16", verbatimModuleSyntax: true }, files)),
    ).toBe("");
  });

  test("keeps null in its schemas without strict null checks", () => {
    const source = `import { Tool } from "@tenon/runtime";
export interface Item { name: string; shelf: string | null; since?: Date }
export class Stock {
  /** Finds an item. */
  @Tool() find(name: string | null): Item | undefined { const item: Item = null; return name ? item : undefined; }
}
`;
    const root = application({ ...commonJs, strictNullChecks: false }, { "src/stock.ts": source });
    const { manifest, diagnostics } = compile({ root });
    expect(diagnostics).toEqual([]);
    expect(manifest?.tools[0]?.definition).toMatchInlineSnapshot(`
      {
        "description": "Finds an item.",
        "inputSchema": {
          "additionalProperties": false,
          "properties": {
            "name": {
              "type": [
                "string",
                "null",
              ],
            },
          },
          "required": [
            "name",
          ],
          "type": "object",
        },
        "name": "find",
        "outputSchema": {
          "anyOf": [
            {
              "properties": {
                "name": {
                  "type": "string",
                },
                "shelf": {
                  "type": [
                    "string",
                    "null",
                  ],
                },
                "since": {
                  "format": "date-time",
                  "type": "string",
                },
              },
              "required": [
                "name",
                "shelf",
              ],
              "type": "object",
            },
            {
              "type": "null",
            },
          ],
        },
      }
    `);
  });

  test("has the defaults of its TypeScript", () => {
    const loose = `export const length = (text) => text.length + process.argv.length;`;
    const files = { "src/greeter.ts": greeter, "src/loose.ts": loose };
    expect(renderProblems(application(commonJs, files))).toBe("");
    expect(renderProblems(application(commonJs, files, "6.0.2"))).toMatch(
      /TS7006[^]*TS2591|TS2591[^]*TS7006/,
    );
  });
});

describe("a compiler that stays loaded", () => {
  test("notices changed, new, and removed files", () => {
    const root = folderWith({ "package.json": "{}", "src/a.ts": greeter });
    const compiler = createCompiler({ root });
    const names = (): string[] | undefined =>
      compiler.compile().manifest?.tools.map((tool) => tool.definition.name);
    expect(names()).toEqual(["greet"]);

    writeFileSync(join(root, "src/a.ts"), greeter.replace("greet(", "welcome("));
    compiler.refresh([join(root, "src/a.ts")]);
    expect(names()).toEqual(["welcome"]);

    writeFileSync(join(root, "src/b.ts"), greeter);
    compiler.refresh([join(root, "src/b.ts")]);
    expect(names()).toEqual(["greet", "welcome"]);

    rmSync(join(root, "src/a.ts"));
    compiler.refresh([join(root, "src/a.ts")]);
    expect(names()).toEqual(["greet"]);
  });

  test("follows a type into the file that declares it", () => {
    const tool = `import { Tool } from "@tenon/runtime";
import type { Order } from "./order.js";
export class Shop {
  /** Order something. */
  @Tool() order(order: Order): string { return order.item; }
}
`;
    const root = folderWith({
      "package.json": '{"type":"module"}',
      "src/shop.ts": tool,
      "src/order.ts": "export interface Order { item: string }",
    });
    const compiler = createCompiler({ root });
    const properties = (): string[] =>
      Object.keys(compiler.compile().manifest?.tools[0]?.definition.inputSchema.properties ?? {});
    expect(properties()).toEqual(["item"]);
    writeFileSync(join(root, "src/order.ts"), "export interface Order { item: string; count: number }");
    compiler.refresh([join(root, "src/order.ts")]);
    expect(properties()).toEqual(["item", "count"]);
  });
});

describe("writeFileTree", () => {
  test("writes only changed files, inside the folder", () => {
    const root = folderWith({});
    expect(
      writeFileTree(
        new Map([
          ["a/b.txt", "1"],
          ["c.txt", "2"],
        ]),
        root,
      ),
    ).toEqual(["a/b.txt", "c.txt"]);
    expect(
      writeFileTree(
        new Map([
          ["a/b.txt", "1"],
          ["c.txt", "3"],
        ]),
        root,
      ),
    ).toEqual(["c.txt"]);
  });

  test.skipIf(process.platform === "win32")("writes to a pipe without replacing it", async () => {
    const root = folderWith({});
    const pipe = join(root, "pipe");
    execFileSync("mkfifo", [pipe]);
    const received = promisify(execFile)("cat", [pipe]);
    expect(writeFileTree(new Map([["pipe", "text"]]), root)).toEqual(["pipe"]);
    expect((await received).stdout).toBe("text");
    expect(statSync(pipe).isFIFO()).toBe(true);
  });

  test.each(["../escape.txt", "a/../../escape.txt", "/etc/escape.txt"])("rejects %s", (path) => {
    const root = folderWith({});
    expect(() =>
      writeFileTree(
        new Map([
          ["fine.txt", "1"],
          [path, "2"],
        ]),
        root,
      ),
    ).toThrow(/outside/);
    expect(writeFileTree(new Map([["fine.txt", "1"]]), root), "nothing was written before").toEqual([
      "fine.txt",
    ]);
  });
});
