/** Data files that a server reads relative to its sources: every way to name one, in every target. */
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "@tenon/cli";
import { afterEach, describe, expect, test } from "vitest";
import { projectFolder, tsconfig, type ProjectFolder } from "../../support/project-folder.js";
import { recordingTerminal } from "../../support/recording-terminal.js";
import { callText, startClient } from "./started-server.js";

let project: ProjectFolder;
const folders: string[] = [];
afterEach(() => {
  project.remove();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** The expressions by which `src/de#p/reader.ts` reads `src/de#p/data.json`. */
const READS = {
  "new URL()": `readFileSync(new URL("./data.json", import.meta.url), "utf8")`,
  "new URL() without a dot": `readFileSync(new URL("data.json", import.meta.url), "utf8")`,
  "new URL() in a template": "readFileSync(new URL(`./data.json`, import.meta.url), 'utf8')",
  "a path from another folder": `readFileSync(new URL("../de%23p/data.json", import.meta.url), "utf8")`,
  "import.meta.dirname": `readFileSync(join(import.meta.dirname, "data.json"), "utf8")`,
  "dirname() of a URL": `readFileSync(join(dirname(fileURLToPath(import.meta.url)), "data.json"), "utf8")`,
  "a folder and a string": `readFileSync(here + "/data.json", "utf8")`,
  "a folder in a template": "readFileSync(`${here}/data.json`, 'utf8')",
  "import.meta.resolve()": `readFileSync(fileURLToPath(import.meta.resolve("./data.json")), "utf8")`,
  "createRequire()": `JSON.stringify(createRequire(import.meta.url)("./data.json"))`,
  "a require function": `JSON.stringify(require("./data.json"))`,
  "require.resolve()": `readFileSync(require.resolve("./data.json"), "utf8")`,
  "a folder": `readFileSync(new URL("data.json", new URL("./", import.meta.url)), "utf8")`,
};

/** Returns the sources of a server whose tool evaluates an expression. */
function createSources(expression: string): Record<string, string> {
  return {
    "src/de#p/reader.ts": `import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Tool } from "@tenon/runtime";
${expression.includes("require") ? "const require = createRequire(import.meta.url);" : ""}
${expression.includes("here") ? "const here = import.meta.dirname;" : ""}
export class Reader {
  /** Reads data. */
  @Tool() read(): string { return ${expression}; }
}
`,
    "src/de#p/data.json": '{"mark":"found"}',
  };
}

async function runTenon(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const terminal = recordingTerminal(project.root);
  const code = await run(args, terminal);
  return { code, out: terminal.stdout().replaceAll(/\s+/g, " "), err: terminal.stderr() };
}

/** Calls the tool of a program that has been moved out of the project. */
async function callMoved(folder: string, program: string): Promise<string> {
  const moved = mkdtempSync(join(tmpdir(), "tenon-moved-"));
  folders.push(moved);
  cpSync(join(project.root, folder), moved, { recursive: true });
  const client = await startClient({ command: process.execPath, args: [program], cwd: moved });
  try {
    return await callText(client, "read");
  } finally {
    await client.close();
  }
}

describe.each(Object.entries(READS))("a data file that is read with %s", (_name, expression) => {
  test("is contained in --npx, and rejected by targets of one file", async () => {
    project = projectFolder(createSources(expression));
    expect(await runTenon("package", "--npx")).toMatchObject({ code: 0, err: "" });
    expect(await callMoved("package/npx", "dist/server.js")).toContain('"mark":"found"');
    for (const [target, name] of [
      ["single-file", "A single file"],
      ["worker", "A worker"],
    ]) {
      const { code, err } = await runTenon("package", `--${target}`);
      expect(err.replaceAll(/\s+/g, " ")).toContain(
        `error ${name} cannot contain src/de#p/data.json, which src/de#p/reader.ts reads relative to itself. ` +
          "hint Import their content from a TypeScript or JSON module, or ",
      );
      expect(code).toBe(1);
      expect(existsSync(join(project.root, `package/${target}`))).toBe(false);
    }
  });
});

describe("a single file", () => {
  test("contains data that is imported", async () => {
    const sources = createSources("JSON.stringify(data)");
    project = projectFolder({
      ...sources,
      "src/de#p/reader.ts": `import data from "./data.json" with { type: "json" };\n${sources["src/de#p/reader.ts"]}`,
      "tsconfig.json": tsconfig({ resolveJsonModule: true }),
    });
    expect(await runTenon("package", "--single-file")).toMatchObject({ code: 0, err: "" });
    expect(await callMoved("package/single-file", "sample.mjs")).toBe('{"mark":"found"}');
  });

  test.each([
    [
      "a file outside src",
      `readFileSync(new URL("../../data/mark.txt", import.meta.url), "utf8")`,
      "data/mark.txt",
    ],
    [
      "a folder of files",
      `String(new URL("./pages/", import.meta.url))`,
      "src/de#p/pages/a.html, src/de#p/pages/b.html",
    ],
    ["a worker", `String(new URL("./worker.ts", import.meta.url))`, "src/de#p/worker.ts"],
  ])("is rejected for %s", async (_name, expression, paths) => {
    project = projectFolder({
      ...createSources(expression),
      "data/mark.txt": "mark",
      "src/de#p/pages/a.html": "",
      "src/de#p/pages/b.html": "",
      "src/de#p/worker.ts": "export const worker = 1;",
    });
    const { code, err } = await runTenon("package", "--single-file");
    expect(err).toContain(
      `A single file cannot contain ${paths}, which src/de#p/reader.ts reads relative to itself.`,
    );
    expect(code).toBe(1);
  });

  test("names every module that reads a file", async () => {
    const [first, second] = ["a", "b"].map(
      (name) => `export const ${name} = String(new URL("./${name}.txt", import.meta.url));`,
    );
    project = projectFolder({
      "src/a.ts": first ?? "",
      "src/b.ts": second ?? "",
      "src/a.txt": "",
      "src/b.txt": "",
      "src/both.ts": `import { Tool } from "@tenon/runtime";
import { a } from "./a.js";
import { b } from "./b.js";
export class Both { /** Both. */ @Tool() both(): string { return a + b; } }
`,
    });
    const { code, err } = await runTenon("package", "--single-file");
    expect(err).toContain(
      "A single file cannot contain src/a.txt, src/b.txt, which src/a.ts and src/b.ts read relative to themselves.",
    );
    expect(code).toBe(1);
  });

  test.each([
    ["an environment file", `String(new URL("../../.env", import.meta.url))`],
    ["a file that does not exist", `String(new URL("../../cache.db", import.meta.url))`],
    [
      "a name that the code computes",
      `readFileSync(join(import.meta.dirname, ["data", "json"].join(".")), "utf8")`,
    ],
  ])("reports that a module uses its location for %s", async (_name, expression) => {
    project = projectFolder({ ...createSources(expression), ".env": "A=b" });
    const { code, out } = await runTenon("package", "--single-file");
    expect(out).toContain(
      "src/de#p/reader.ts finds files relative to itself (import.meta). Files that it reads are not included.",
    );
    expect(code).toBe(0);
  });

  test("is created for a module that resolves a package", async () => {
    project = projectFolder(
      createSources(`import.meta.resolve("@tenon/runtime") + require.resolve("@tenon/runtime")`),
    );
    const { code, out } = await runTenon("package", "--single-file");
    expect(code).toBe(0);
    expect(out).not.toContain("uses its own location");
  });
});
