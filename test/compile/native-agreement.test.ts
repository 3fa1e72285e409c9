import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { createCollector } from "../../packages/compiler/src/diagnostics/diagnostic.js";
import { typeCheck } from "../../packages/compiler/src/check/type-check.js";
import { createProjectLoader } from "../../packages/compiler/src/project/project.js";
import { mistakes, unreadable } from "./type-mistakes.js";
import { families } from "./types/families.js";

/**
 * A build believes the native compiler when it finds nothing. So whatever the checker in ts-morph calls an error has
 * to be one for the native compiler as well: here, both tell all they find, line by line.
 */
const workspace = join(import.meta.dirname, "../..");
const fixtures = join(import.meta.dirname, "fixtures");

const OPTIONS = {
  target: "es2022",
  module: "nodenext",
  types: ["node"],
  strict: true,
  skipLibCheck: true,
  noEmit: true,
};

const STRICTEST = {
  ...OPTIONS,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  noImplicitReturns: true,
  noImplicitOverride: true,
  noFallthroughCasesInSwitch: true,
  noPropertyAccessFromIndexSignature: true,
  allowUnreachableCode: false,
  allowUnusedLabels: false,
};

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** A project whose `src/` is still empty. */
function projectWith(compilerOptions: Record<string, unknown>): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "tenon-native-")));
  folders.push(root);
  mkdirSync(join(root, "src"));
  symlinkSync(join(workspace, "node_modules"), join(root, "node_modules"));
  writeFileSync(join(root, "package.json"), JSON.stringify({ name: "native", type: "module" }));
  writeFileSync(join(root, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["src"] }));
  return root;
}

/** `src/a.ts:3` for each line with an error of the checker in ts-morph. */
function linesOfOurs(root: string): string[] {
  const project = createProjectLoader(root).load(createCollector(root));
  if (!project) throw new Error("The project cannot be read.");
  return distinct(typeCheck(project).map(({ span }) => (span ? `${span.file}:${span.start.line}` : "")));
}

/** The same of the native compiler. Some errors it words differently, so messages are not compared. */
async function linesOfNative(root: string): Promise<string[]> {
  const manifest = createRequire(import.meta.url).resolve("typescript/package.json");
  const { default: getExePath } = (await import(
    pathToFileURL(join(dirname(manifest), "lib/getExePath.js")).href
  )) as { default: () => string };
  const output = await new Promise<string>((resolve) => {
    const args = ["-p", "tsconfig.json", "--pretty", "false"];
    execFile(getExePath(), args, { cwd: root, maxBuffer: 64 << 20 }, (_, stdout) => resolve(stdout));
  });
  const errors = output.matchAll(/^(?:(.+)\((\d+),\d+\): )?error TS\d+: /gm);
  return distinct([...errors].map(([, file, line]) => (file ? `${file}:${line}` : "")));
}

function distinct(lines: string[]): string[] {
  return [...new Set(lines)].sort();
}

async function expectAgreement(root: string): Promise<string[]> {
  const ours = linesOfOurs(root);
  expect(await linesOfNative(root)).toEqual(ours);
  return ours;
}

describe("the native compiler finds the same errors", () => {
  test("in every fixture", async () => {
    const root = projectWith(OPTIONS);
    cpSync(fixtures, join(root, "src"), { recursive: true });
    const found = await expectAgreement(root);
    const names = new Set(found.map((each) => each.split("/")[1]));
    expect([...names]).toEqual(["decorator-not-called", "type-not-found", "typescript-errors"]);
  });

  test("in samples of all types", async () => {
    const root = projectWith({ ...OPTIONS, lib: ["es2023", "dom"], experimentalDecorators: true });
    const shared = "export interface Exported { note: string }\nexport type { Exported as Again };\n";
    writeFileSync(join(root, "src/shared-types.ts"), shared);
    for (const [family, rows] of Object.entries(families)) {
      for (const [index, { type, declare = "", accepts, rejects }] of rows.entries()) {
        const samples = [...accepts, ...rejects].map(
          (value, number) => `export const sample${number}: Row = ${JSON.stringify(value)};`,
        );
        const text = [declare, `export type Row = ${type};`, ...samples].join("\n");
        writeFileSync(join(root, "src", `${family}-${index}.ts`), text);
      }
    }
    expect((await expectAgreement(root)).length).toBeGreaterThan(500);
  });

  test("in mistakes of all kinds", async () => {
    const root = projectWith(STRICTEST);
    for (const [title, text] of Object.entries(mistakes)) writeFileSync(fileOf(root, title), text);
    const found = await expectAgreement(root);
    expect(missed(mistakes, found)).toEqual([]);
  });

  test("in files that cannot be read to the end", async () => {
    const root = projectWith(OPTIONS);
    for (const [title, text] of Object.entries(unreadable)) writeFileSync(fileOf(root, title), text);
    expect(missed(unreadable, linesOfOurs(root))).toEqual([]);
    expect(missed(unreadable, await linesOfNative(root))).toEqual([]);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ["a package of types that is not there", { types: ["there-is-no-such-package"] }, "export {};"],
    [
      "a library that is not named",
      { lib: ["es5"], types: [] },
      "export const a = new Map<string, string>();",
    ],
    ["an option that needs another", { checkJs: true, allowJs: false }, "export {};"],
    [
      "options that exclude each other",
      { isolatedModules: true, verbatimModuleSyntax: true, module: "commonjs" },
      "export const a = 1;",
    ],
    ["an option from before", { moduleResolution: "node10", module: "esnext" }, "export {};"],
    ["paths that lead nowhere", { paths: { "#a": ["./src/nowhere.ts"] } }, 'export * from "#a";'],
    ["a root that lies elsewhere", { rootDir: "src/inner" }, "export {};"],
    ["syntax that is not erasable", { erasableSyntaxOnly: true }, "export enum A { B }"],
  ])("in a project with %s", async (_, options, text) => {
    const root = projectWith({ ...OPTIONS, ...options });
    writeFileSync(join(root, "src/a.ts"), text);
    expect(linesOfOurs(root)).not.toEqual([]);
    expect(await linesOfNative(root)).not.toEqual([]);
  });
});

/** Those in whose files nothing was found. */
function missed(modules: Record<string, string>, lines: string[]): string[] {
  const files = new Set(lines.map((line) => line.split(":")[0]));
  return Object.keys(modules).filter((title) => !files.has(`src/${slug(title)}.ts`));
}

function fileOf(root: string, title: string): string {
  return join(root, "src", `${slug(title)}.ts`);
}

function slug(title: string): string {
  return title.replaceAll(/\W+/g, "-");
}
