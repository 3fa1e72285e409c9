import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { builtinModules } from "node:module";
import { describe, expect, test } from "vitest";

const workspace = join(import.meta.dirname, "../..");

/** What each package may import, besides Node itself and its own files. */
const ALLOWED: Record<string, string[]> = {
  runtime: ["reflect-metadata"],
  compiler: ["@tenon/runtime", "@ts-morph/common", "ts-morph", "ajv"],
  cli: [
    "@tenon/compiler",
    "@tenon/runtime",
    "@clack/prompts",
    "chokidar",
    "commander",
    "esbuild",
    "picocolors",
  ],
  "create-mcp-server": ["@tenon/cli"],
};

describe.each(Object.keys(ALLOWED))("packages/%s", (name) => {
  const folder = join(workspace, "packages", name);
  const files = readdirSync(join(folder, "src"), { recursive: true, encoding: "utf8" }).filter((each) =>
    each.endsWith(".ts"),
  );

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
    };
    expect(Object.keys(manifest.dependencies ?? {}).sort()).toEqual([...(ALLOWED[name] ?? [])].sort());
  });
});

test("the compiler knows the runtime by its manifest alone", () => {
  const folder = join(workspace, "packages/compiler/src");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((each) =>
    each.endsWith(".ts"),
  );
  const entries = files.flatMap((file) =>
    importsOf(readFileSync(join(folder, file), "utf8")).filter((specifier) =>
      specifier.startsWith("@tenon/"),
    ),
  );
  expect([...new Set(entries)]).toEqual(["@tenon/runtime/manifest"]);
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

/** Specifiers of static and dynamic imports and re-exports. Comments and templates of emitted code are left out. */
function importsOf(text: string): string[] {
  const code = text
    .replaceAll(/\/\*[\s\S]*?\*\//g, "")
    .replaceAll(/^\s*\/\/.*$/gm, "")
    .replaceAll(/`(?:[^`\\]|\\.)*`/g, "``");
  const found = code.matchAll(
    /(?:^|\n)\s*(?:import|export)\b[^;`]*?from\s+"([^"]+)"|import\(\s*"([^"]+)"\s*\)|(?:^|\n)import\s+"([^"]+)"/g,
  );
  return [...found].map((match) => match[1] ?? match[2] ?? match[3] ?? "");
}

function isAllowed(specifier: string, allowed: string[]): boolean {
  if (specifier.startsWith(".")) return true;
  if (specifier.startsWith("node:")) return builtinModules.includes(specifier.slice(5));
  return allowed.some((name) => specifier === name || specifier.startsWith(`${name}/`));
}
