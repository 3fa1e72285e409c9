import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import {
  circlesIn,
  folderCircles,
  importGraph,
  findImports,
  listSourceFiles,
  withoutTypes,
} from "./imports.js";

const workspace = join(import.meta.dirname, "../..");

/** Imports that each package may have, in addition to Node.js modules and its own files. */
const ALLOWED: Record<string, string[]> = {
  // All but the first are optional peers: servers that verify no JWTs, have no telemetry, or run alone go without them.
  runtime: ["reflect-metadata", "jose", "@opentelemetry/api", "@redis/client", "bullmq"],
  compiler: ["@tenon/runtime", "ts-morph", "ajv", "yaml"],
  cli: [
    "@tenon/compiler",
    "@tenon/runtime",
    "@clack/prompts",
    "@modelcontextprotocol/client",
    "chokidar",
    "commander",
    "env-paths",
    "esbuild",
    "eventsource-parser",
    "fast-string-width",
    "fast-wrap-ansi",
    "jsonc-parser",
    "mime",
    "nano-spawn",
    "open",
    "package-manager-detector",
    "picocolors",
    "smol-toml",
    "url-template",
    "validate-npm-package-name",
    "yaml",
  ],
  "create-mcp-server": ["@tenon/cli"],
};

/** Packages that are published as bundles with the workspace packages that they import: they need the remaining ones. */
const BUNDLED: Record<string, string> = { "create-mcp-server": "dist/create" };

/** Returns the packages that the modules in a folder import. */
function importedByBundle(folder: string): Set<string> {
  const texts = readdirSync(folder).map((file) => readFileSync(join(folder, file), "utf8"));
  const outside = texts.flatMap(findImports).filter((specifier) => !/^(?:\.|node:)/.test(specifier));
  return new Set(outside.map((specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier));
}

const MAX_ROOT_FILES = 10;

/** Modules that are loaded by their path: programs, hooks of Node, and the source of generated clients. */
const LOADED_BY_PATH: ReadonlySet<string> = new Set([
  "bin.ts",
  "dev/process/host.ts",
  "import/openapi/client/api-client.ts",
  "testing/node-hooks.ts",
  "write/uri-expansion.ts",
]);

describe.each(Object.keys(ALLOWED))("packages/%s", (name) => {
  const folder = join(workspace, "packages", name);
  const files = listSourceFiles(join(folder, "src"));

  test("imports only allowed packages", () => {
    const wrong = files.flatMap((file) => {
      const path = join(folder, "src", file);
      return findImports(readFileSync(path, "utf8"))
        .filter((specifier) => !isAllowed(specifier, ALLOWED[name] ?? []))
        .map((specifier) => `${relative(workspace, path)} imports ${specifier}`);
    });
    expect(wrong).toEqual([]);
  });

  test("declares exactly the packages it may import", () => {
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
      dependencies?: Record<string, string>;
      peerDependencies?: Record<string, string>;
      bundledLibraries?: string[];
    };
    const { dependencies = {}, peerDependencies = {}, bundledLibraries = [] } = manifest;
    const declared = [...Object.keys(dependencies), ...Object.keys(peerDependencies), ...bundledLibraries];
    const imported = name in BUNDLED ? importedByBundle(join(folder, BUNDLED[name] ?? "")) : ALLOWED[name];
    expect(declared.sort()).toEqual([...(imported ?? [])].sort());
  });

  test.runIf(name in BUNDLED)("requires the same versions as the packages that it bundles", () => {
    const readRanges = (folder: string): Record<string, string> =>
      (
        JSON.parse(readFileSync(join(workspace, "packages", folder, "package.json"), "utf8")) as {
          dependencies: Record<string, string>;
        }
      ).dependencies;
    expect(readRanges("cli")).toMatchObject(readRanges(name));
  });

  // A stage, a rule, or a command in a separate file has no effect until a list imports it.
  test("has no module that nothing imports", () => {
    const graph = importGraph(join(folder, "src"));
    const imported = new Set([...graph.values()].flat());
    const entries = readFileSync(join(folder, "package.json"), "utf8");
    const unused = files.filter(
      (file) =>
        !imported.has(file) && !LOADED_BY_PATH.has(file) && !entries.includes(file.replace(/\.ts$/, ".js")),
    );
    expect(unused).toEqual([]);
  });

  test("has no file that imports itself through others, types included", () => {
    const circles = circlesIn(importGraph(join(folder, "src")));
    expect([...circles.values()]).toEqual([]);
  });

  test("has no folder that imports itself through others, types included", () => {
    expect([...folderCircles(importGraph(join(folder, "src")))]).toEqual([]);
  });

  test("has its files in folders, with few at the root", () => {
    const atRoot = files.filter((file) => !file.includes("/"));
    expect(atRoot.length, atRoot.join(", ")).toBeLessThanOrEqual(MAX_ROOT_FILES);
  });
});

/** The layers of the runtime, from the top: a folder imports only folders below it. Files at the root compose them. */
const RUNTIME_LAYERS = [
  "testing",
  "cluster",
  "call",
  "observe",
  "transports",
  "store",
  "access",
  "data",
  "api",
  "manifest",
  "protocol",
];

/** The layers of `call/` in the runtime, from the top. */
const CALL_LAYERS = [
  "methods",
  "search",
  "stages",
  "subscriptions",
  "tasks",
  "assembly",
  "input",
  "durable",
  "limits",
  "connection",
  "questions",
  "steps",
  "application",
];

test.each([
  ["the runtime", "packages/runtime/src", RUNTIME_LAYERS],
  ["call/ in the runtime", "packages/runtime/src/call", CALL_LAYERS],
])("a folder of %s imports only folders of lower layers", (_name, folder, layers) => {
  const graph = importGraph(join(workspace, folder));
  const upward = [...graph].flatMap(([file, imported]) =>
    imported
      .filter((each) => {
        const [from, to] = [layers.indexOf(getTopFolder(file)), layers.indexOf(getTopFolder(each))];
        return from >= 0 && to >= 0 && to < from;
      })
      .map((each) => `${file} → ${each}`),
  );
  expect(upward).toEqual([]);
});

test("every folder of the runtime, and of its folder call/, is in a layer", () => {
  const listFolders = (path: string): string[] => {
    const files = listSourceFiles(join(workspace, path)).filter((file) => file.includes("/"));
    return [...new Set(files.map(getTopFolder))];
  };
  expect(listFolders("packages/runtime/src").sort()).toEqual([...RUNTIME_LAYERS].sort());
  expect(listFolders("packages/runtime/src/call").sort()).toEqual([...CALL_LAYERS].sort());
});

test("nothing outside the runtime's cluster folder imports it, so that a server with one process does not load it", () => {
  const graph = importGraph(join(workspace, "packages/runtime/src"));
  const wrong = [...graph].flatMap(([file, imported]) =>
    imported
      .filter((each) => getTopFolder(each) === "cluster" && getTopFolder(file) !== "cluster")
      .map((each) => `${file} → ${each}`),
  );
  expect(wrong).toEqual([]);
});

/** The phases of the compiler in their order: none imports a later one. */
const PHASES = [
  "project",
  "read",
  "check",
  "schema",
  "elicitation",
  "manifest",
  "profiles",
  "views",
  "dialects",
  "skills",
  "directories",
  "emit",
];

/** Libraries next to the phases, and the files and folders that each may import in addition to its own files. */
const LIBRARIES: Record<string, string[]> = {
  "source-edits.ts": [],
  "declared-options.ts": [],
  "tool-hints.ts": [],
  "model.ts": ["declared-options.ts", "typescript/", "diagnostics/"],
  typescript: [],
  diagnostics: ["typescript/"],
  "json-schema": [],
  conversions: ["json-schema/"],
  clients: ["json-schema/"],
  grade: [],
  jsdoc: ["typescript/", "json-schema/"],
  syntax: ["typescript/", "jsdoc/"],
};

/** Folders with one entry point: no other file of theirs is imported from outside. */
const ENTRY_POINTS: Record<string, string> = { syntax: "syntax/type-syntax.ts" };

/** Files that connect the phases or are public: they import any phase, and no phase imports them. */
const ABOVE: ReadonlySet<string> = new Set(["compile.ts", "compilation.ts", "index.ts", "report.ts"]);

test("a cycle of imports is reported with its shortest path", () => {
  const graph = new Map([
    ["a.ts", ["b.ts", "c.ts"]],
    ["b.ts", ["c.ts"]],
    ["c.ts", ["a.ts"]],
    ["d.ts", ["a.ts"]],
  ]);
  expect([...circlesIn(graph).values()]).toEqual([
    "a.ts → c.ts → a.ts",
    "b.ts → c.ts → a.ts → b.ts",
    "c.ts → a.ts → c.ts",
  ]);
});

test("a circle of folders is reported with its imports", () => {
  const graph = new Map([
    ["a/x.ts", ["b/y.ts", "main.ts"]],
    ["b/y.ts", ["c/w.ts"]],
    ["c/w.ts", ["a/z.ts"]],
    ["d/v.ts", ["a/x.ts"]],
    ["main.ts", ["a/x.ts"]],
  ]);
  expect([...folderCircles(graph)]).toEqual([
    ["a", "a/x.ts → b/y.ts, b/y.ts → c/w.ts, c/w.ts → a/z.ts"],
    ["b", "b/y.ts → c/w.ts, c/w.ts → a/z.ts, a/x.ts → b/y.ts"],
    ["c", "c/w.ts → a/z.ts, a/x.ts → b/y.ts, b/y.ts → c/w.ts"],
  ]);
});

test("the compiler's phases import only earlier phases, and its libraries import no phase", () => {
  const graph = importGraph(join(workspace, "packages/compiler/src"));
  const wrong = [...graph].flatMap(([file, imported]) =>
    imported.filter((each) => !mayImport(file, each)).map((each) => `${file} → ${each}`),
  );
  expect(wrong).toEqual([]);
});

function mayImport(file: string, imported: string): boolean {
  if (ABOVE.has(file) || getTopFolder(file) === getTopFolder(imported)) return true;
  const entryPoint = ENTRY_POINTS[getTopFolder(imported)];
  if (entryPoint !== undefined && imported !== entryPoint) return false;
  const allowed = LIBRARIES[getTopFolder(file)];
  if (allowed)
    return allowed.some((each) => imported === each || (each.endsWith("/") && imported.startsWith(each)));
  if (Object.hasOwn(LIBRARIES, getTopFolder(imported))) return true;
  const [own, other] = [PHASES.indexOf(getTopFolder(file)), PHASES.indexOf(getTopFolder(imported))];
  return own >= 0 && other >= 0 && other < own;
}

/** Returns the top-level folder of a file, or the file itself if it is not in a folder. */
function getTopFolder(file: string): string {
  return file.split("/")[0] ?? file;
}

test("the compiler uses only the runtime's manifest, search for names, rules of options, and types for authors", () => {
  const folder = join(workspace, "packages/compiler/src");
  const entriesIn = (text: string): string[] =>
    findImports(text).filter((each) => each.startsWith("@tenon/"));
  const texts = listSourceFiles(folder)
    .map((file) => readFileSync(join(folder, file), "utf8"))
    .filter((text) => entriesIn(text).length > 0);
  const loaded = [
    "@tenon/runtime/manifest",
    "@tenon/runtime/nearest-name",
    "@tenon/runtime/option-rules",
    "@tenon/runtime/value-problems",
  ];
  expect(new Set(texts.flatMap((text) => entriesIn(withoutTypes(text))))).toEqual(new Set(loaded));
  expect(new Set(texts.flatMap(entriesIn))).toEqual(new Set(["@tenon/runtime", ...loaded]));
});

test("files and folders are named after their contents", () => {
  const banned = /^(utils?|helpers?|common|shared|core|internal|misc|types|manager|service)(\.ts)?$/;
  const named = Object.keys(ALLOWED).flatMap((name) =>
    readdirSync(join(workspace, "packages", name, "src"), { recursive: true, encoding: "utf8" }),
  );
  expect(named.filter((path) => path.split("/").some((part) => banned.test(part)))).toEqual([]);
});

test("the top level of the repository contains only the agreed entries", () => {
  const visible = readdirSync(workspace).filter((each) => !each.startsWith(".") && each !== "node_modules");
  expect(visible.sort()).toEqual(
    [
      "LICENSE",
      "README.md",
      "examples",
      "package-lock.json",
      "package.json",
      "packages",
      "templates",
      "test",
      "tsconfig.json",
    ].sort(),
  );
});

function isAllowed(specifier: string, allowed: string[]): boolean {
  if (specifier.startsWith(".")) return true;
  if (specifier.startsWith("node:")) return builtinModules.includes(specifier.slice(5));
  return allowed.some((name) => specifier === name || specifier.startsWith(`${name}/`));
}
