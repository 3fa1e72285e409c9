import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { circlesIn, importGraph, importsOf, mutualRooms, sourceFilesOf, withoutTypes } from "./imports.js";

const workspace = join(import.meta.dirname, "../..");

/** What each package may import, besides Node itself and its own files. */
const ALLOWED: Record<string, string[]> = {
  // All but the first are optional peers: servers that verify no JWTs, have no telemetry or run alone go without them.
  runtime: ["reflect-metadata", "jose", "@opentelemetry/api", "@redis/client", "bullmq"],
  compiler: ["@tenon/runtime", "ts-morph", "ajv"],
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

/** Packages that are published as bundles of what they import of ours: these need what is left. */
const BUNDLED: Record<string, string> = { "create-mcp-server": "dist/create" };

/** The packages that the modules in a folder import. */
function importedByBundle(folder: string): Set<string> {
  const texts = readdirSync(folder).map((file) => readFileSync(join(folder, file), "utf8"));
  const outside = texts.flatMap(importsOf).filter((specifier) => !/^(?:\.|node:)/.test(specifier));
  return new Set(outside.map((specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier));
}

/** Files that import themselves by way of others. The lists may only shrink: take out what no longer does. */
const KNOWN_CIRCLES: Record<string, string[]> = {
  runtime: [],
  compiler: [],
  cli: [],
  "create-mcp-server": [],
};

/** Folders that import each other. The lists may only shrink: take out what no longer does. */
const KNOWN_MUTUAL_ROOMS: Record<string, string[]> = {
  runtime: [
    // What is configured names what serves it.
    "api ↔ auth",
    "api ↔ connection",
    "api ↔ transports/http/exchange",
    "ask/questions ↔ connection",
    "ask/replay ↔ replicas",
    "assembly ↔ methods",
    "explain ↔ explain/keywords",
    "explain ↔ values",
    "replicas ↔ replicas/calls",
    "replicas ↔ replicas/changes",
    "replicas ↔ replicas/streams",
    "replicas ↔ tasks/stored",
  ],
  compiler: [
    "diagnostics ↔ project",
    "schema ↔ schema/constraints",
    // A type is made of types.
    "schema ↔ schema/families",
    "schema/families ↔ schema/order",
  ],
  cli: [],
  "create-mcp-server": [],
};

const MOST_FILES_AT_THE_ROOT = 10;

describe.each(Object.keys(ALLOWED))("packages/%s", (name) => {
  const folder = join(workspace, "packages", name);
  const files = sourceFilesOf(join(folder, "src"));

  test("imports only what lies downstream", () => {
    const wrong = files.flatMap((file) => {
      const path = join(folder, "src", file);
      return importsOf(readFileSync(path, "utf8"))
        .filter((specifier) => !isAllowed(specifier, ALLOWED[name] ?? []))
        .map((specifier) => `${relative(workspace, path)} imports ${specifier}`);
    });
    expect(wrong).toEqual([]);
  });

  test("declares exactly what it may import", () => {
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
      dependencies?: Record<string, string>;
      peerDependencies?: Record<string, string>;
    };
    const declared = { ...manifest.dependencies, ...manifest.peerDependencies };
    const imported = name in BUNDLED ? importedByBundle(join(folder, BUNDLED[name] ?? "")) : ALLOWED[name];
    expect(Object.keys(declared).sort()).toEqual([...(imported ?? [])].sort());
  });

  test.runIf(name in BUNDLED)("asks for the same versions as what it bundles", () => {
    const rangesOf = (folder: string): Record<string, string> =>
      (
        JSON.parse(readFileSync(join(workspace, "packages", folder, "package.json"), "utf8")) as {
          dependencies: Record<string, string>;
        }
      ).dependencies;
    expect(rangesOf("cli")).toMatchObject(rangesOf(name));
  });

  test("no file imports itself by way of others, types included", () => {
    const circles = circlesIn(importGraph(join(folder, "src")));
    const known = KNOWN_CIRCLES[name] ?? [];
    const isNew = ([file]: [string, string]): boolean => !known.includes(file);
    expect([...circles].filter(isNew).map(([, way]) => way)).toEqual([]);
    expect(
      known.filter((file) => !circles.has(file)),
      "listed in KNOWN_CIRCLES, but in no circle any more: take it out",
    ).toEqual([]);
  });

  test("no two folders import each other, types included", () => {
    const mutual = mutualRooms(importGraph(join(folder, "src")));
    const known = KNOWN_MUTUAL_ROOMS[name] ?? [];
    expect([...mutual].filter(([pair]) => !known.includes(pair))).toEqual([]);
    expect(
      known.filter((pair) => !mutual.has(pair)),
      "listed in KNOWN_MUTUAL_ROOMS, but one way by now: take it out",
    ).toEqual([]);
  });

  test("has its files in folders, and few beside them", () => {
    const atRoot = files.filter((file) => !file.includes("/"));
    expect(atRoot.length, atRoot.join(", ")).toBeLessThanOrEqual(MOST_FILES_AT_THE_ROOT);
  });
});

/** The phases of the compiler in their order: none imports a later one. */
const PHASES = ["project", "read", "check", "schema", "forms", "manifest", "profiles", "emit"];

/** Libraries beside the phases, and all that each may import besides its own files: files, or folders with all in them. */
const LIBRARIES: Record<string, string[]> = {
  "source-edits.ts": [],
  "declared-options.ts": [],
  "model.ts": ["declared-options.ts", "project/typescript.ts", "diagnostics/"],
  diagnostics: ["project/typescript.ts"],
  "json-schema": [],
  conversions: ["json-schema/"],
  clients: ["json-schema/"],
  jsdoc: ["project/typescript.ts", "project/constant.ts", "project/nodes.ts", "project/written-type.ts"],
};

/** What puts the phases together, and what is public: these import as they like, and nothing imports them. */
const ABOVE: ReadonlySet<string> = new Set(["compile.ts", "index.ts"]);

test("a circle of imports is told by its shortest way", () => {
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

test("folders that import each other are told with a file of each", () => {
  const graph = new Map([
    ["a/x.ts", ["b/y.ts", "main.ts"]],
    ["b/z.ts", ["a/x.ts"]],
    ["c/w.ts", ["a/x.ts"]],
    ["main.ts", ["a/x.ts"]],
  ]);
  expect([...mutualRooms(graph)]).toEqual([["a ↔ b", "a/x.ts → b/y.ts, b/z.ts → a/x.ts"]]);
});

test("the compiler's phases are a line, and its libraries know none of them", () => {
  const graph = importGraph(join(workspace, "packages/compiler/src"));
  const wrong = [...graph].flatMap(([file, imported]) =>
    imported.filter((each) => !mayImport(file, each)).map((each) => `${file} → ${each}`),
  );
  expect(wrong).toEqual([]);
});

function mayImport(file: string, imported: string): boolean {
  if (ABOVE.has(file) || roomOf(file) === roomOf(imported)) return true;
  const allowed = LIBRARIES[roomOf(file)];
  if (allowed)
    return allowed.some((each) => imported === each || (each.endsWith("/") && imported.startsWith(each)));
  if (Object.hasOwn(LIBRARIES, roomOf(imported))) return true;
  const [own, other] = [PHASES.indexOf(roomOf(file)), PHASES.indexOf(roomOf(imported))];
  return own >= 0 && other >= 0 && other < own;
}

/** A folder of the first level, or a file beside those. */
function roomOf(file: string): string {
  return file.split("/")[0] ?? file;
}

test("the compiler knows the runtime by its manifest, its search for names what it makes of values, and types for authors", () => {
  const folder = join(workspace, "packages/compiler/src");
  const texts = sourceFilesOf(folder).map((file) => readFileSync(join(folder, file), "utf8"));
  const entriesIn = (text: string): string[] => importsOf(text).filter((each) => each.startsWith("@tenon/"));
  const loaded = ["@tenon/runtime/manifest", "@tenon/runtime/nearest-name", "@tenon/runtime/value-problems"];
  expect(new Set(texts.flatMap((text) => entriesIn(withoutTypes(text))))).toEqual(new Set(loaded));
  expect(new Set(texts.flatMap(entriesIn))).toEqual(new Set(["@tenon/runtime", ...loaded]));
});

test("files and folders are named for what they hold", () => {
  const banned = /^(utils?|helpers?|common|shared|core|internal|misc|types|manager|service)(\.ts)?$/;
  const named = Object.keys(ALLOWED).flatMap((name) =>
    readdirSync(join(workspace, "packages", name, "src"), { recursive: true, encoding: "utf8" }),
  );
  expect(named.filter((path) => path.split("/").some((part) => banned.test(part)))).toEqual([]);
});

test("the top level holds what was agreed", () => {
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
