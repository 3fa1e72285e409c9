/** Samples that `tenon add` writes: they are served at once, and existing content is unchanged. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { run } from "@tenon/cli";
import { compile } from "@tenon/compiler";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { projectFolder, type ProjectFolder } from "../support/project-folder.js";
import { recordingTerminal } from "../support/recording-terminal.js";

let project: ProjectFolder;
beforeEach(() => {
  project = projectFolder();
});
afterEach(() => project.remove());

async function add(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const terminal = recordingTerminal(project.root);
  const code = await run(["add", ...args], terminal);
  return { code, out: terminal.stdout(), err: terminal.stderr() };
}

const read = (path: string): string => readFileSync(join(project.root, path), "utf8");

describe("a new file", () => {
  test.each(["tool", "prompt", "resource"])("with a %s is served without further changes", async (kind) => {
    const { code, out, err } = await add(kind, "read-notes");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    await expect(`${out}\n${read("src/read-notes.ts")}`).toMatchFileSnapshot(`add/${kind}.txt`);
    const { manifest, diagnostics } = compile({ root: project.root });
    expect(diagnostics).toEqual([]);
    const { tools = [], prompts = [], resourceTemplates = [] } = manifest ?? {};
    expect(tools.length + prompts.length + resourceTemplates.length).toBe(1);
  });

  test("uses the names given for the handler and its class", async () => {
    await add("tool", "search", "--file", "src/notes/search.ts", "--class", "Finder");
    expect(read("src/notes/search.ts")).toContain("export class Finder {");
  });
});

describe("an existing file", () => {
  test.each([
    ["two spaces", "  "],
    ["four spaces", "    "],
    ["tabs", "\t"],
  ])("keeps its formatting: %s", async (_name, indent) => {
    const quote = indent === "\t" ? "'" : '"';
    const end = indent === "    " ? "\r\n" : "\n";
    const text = [
      `import { Tool }   from ${quote}@tenon/runtime${quote};  // odd`,
      "export class Notes {",
      `${indent}private   x = 1;`,
      `${indent}@Tool()`,
      `${indent}list( ): string[] { return [ String(this.x) ] }`,
      "}",
      "",
    ].join(end);
    project.write({ "src/notes.ts": text });
    expect((await add("prompt", "plan", "--file", "src/notes.ts")).code).toBe(0);
    const after = read("src/notes.ts");
    for (const line of text.split(end).slice(1, 5)) expect(after.split(end)).toContain(line);
    expect(after).toContain(`${indent}plan(topic: string): string {${end}${indent}${indent}return`);
    expect(after.replaceAll("\r\n", "")).not.toMatch(end === "\n" ? /\r/ : /\n/);
    expect(after).toMatch(/import \{ Tool, Prompt \}/);
    expect(compile({ root: project.root }).manifest?.prompts).toHaveLength(1);
  });

  test("may import the decorators under other names", async () => {
    project.write({
      "src/a.ts": `import type { Context } from "@tenon/runtime";\nexport class A { run(ctx: Context) { return ctx; } }\n`,
    });
    await add("tool", "go", "--file", "src/a.ts");
    expect(compile({ root: project.root }).manifest?.tools.map(({ definition }) => definition.name)).toEqual([
      "go",
    ]);
  });
});

describe("rules for coding agents", () => {
  const rules = readFileSync(join(import.meta.dirname, "../../templates/_base/AGENTS.md"), "utf8");

  test("are written to the AGENTS.md of a new project", async () => {
    const added = await add("rules");
    expect(added).toEqual({ code: 0, out: "✓ Wrote AGENTS.md: rules for coding agents\n", err: "" });
    expect(read("AGENTS.md")).toBe(rules);
  });

  test("are added to an existing file as a section, which a second run replaces", async () => {
    project.write({ "docs/agents.md": "# Ours\n\nUse tabs.\n" });
    expect((await add("rules", "--file", "docs/agents.md")).out).toContain("Added to docs/agents.md");
    expect(read("docs/agents.md")).toBe(`# Ours\n\nUse tabs.\n\n${rules}`);
    project.write({
      "docs/agents.md": `${read("docs/agents.md").replace("npm test", "old")}\nMore of ours.\n`,
    });
    expect((await add("rules", "--file", "docs/agents.md")).out).toContain("Updated docs/agents.md");
    expect(read("docs/agents.md")).toBe(`# Ours\n\nUse tabs.\n\n${rules}\nMore of ours.\n`);
  });

  test("name the commands of the project's package manager", async () => {
    project.write({ "pnpm-lock.yaml": "" });
    await add("rules");
    expect(read("AGENTS.md")).toContain("`pnpm exec tenon build`");
    expect(read("AGENTS.md")).not.toContain("npx");
  });

  test("are rejected with a name, or outside the project", async () => {
    const named = await add("rules", "security");
    expect(named.code).toBe(2);
    expect(named.err).toContain("Unexpected argument `security`.");
    const outside = await add("rules", "--file", "../AGENTS.md");
    expect(outside.code).toBe(2);
    expect(outside.err).toContain("../AGENTS.md is outside the project.");
  });

  test("need no name, unlike tools, resources, and prompts", async () => {
    const { code, err } = await add("tool");
    expect(code).toBe(2);
    expect(err).toContain("tenon add tool NAME");
  });
});

describe("a request that cannot be met", () => {
  const SOURCE = `import { Tool } from "@tenon/runtime";
export class A { @Tool() taken(): string { return ""; } }
export class B {}
`;
  test.each([
    [["widget", "x"]],
    [["tool", "9lives"]],
    [["tool", "taken"]],
    [["tool", "new", "--file", "src/a.ts"]],
    [["tool", "new", "--file", "src/a.ts", "--class", "C"]],
    [["tool", "Taken", "--file", "src/a.ts", "--class", "A"]],
    [["tool", "new", "--file", "lib/a.ts"]],
  ])("is rejected: %j", async (args) => {
    project.write({ "src/a.ts": SOURCE });
    const { code, err } = await add(...args);
    expect(code).toBeGreaterThan(0);
    expect(err).toMatchSnapshot();
    expect(read("src/a.ts")).toBe(SOURCE);
    expect(existsSync(join(project.root, "lib"))).toBe(false);
  });
});

test("nothing is added outside a package", async () => {
  rmSync(join(project.root, "package.json"));
  const { code, err } = await add("tool", "greet");
  expect({ code, err: err.replace(project.root, "/home/ada") }).toEqual({
    code: 1,
    err: "error  /home/ada has no package.json.\nhint   Change to the folder of a project, or create one with `tenon create`.\n",
  });
  expect(existsSync(join(project.root, "src"))).toBe(false);
});

describe("any existing content of a file", () => {
  test.each([
    "export const millimetres = 3; // mine",
    "#!/usr/bin/env node\n// head\nexport const x = 1;\n// end\n",
    "// head\n/* license */\nimport { Tool } from '@tenon/runtime'; // why\nexport class A {\n  @Tool() a() {} // t\n  /* b */ }\n",
    "export class A {\n  x = 1; // mine\n  // last words\n}\n// after\n",
    'import * as tenon from "@tenon/runtime";\nexport class A { @tenon.Tool() b() {} }\n',
    'import { Tool as T } from "@tenon/runtime";\nexport class A { @T() b() {} }\n',
    'import { type Context } from "@tenon/runtime"; // c\nexport class A {} // d\r\n',
    "export interface Rain { mm: number }\n",
    "// nothing but a comment",
  ])("is preserved: %j", async (text) => {
    project.write({ "src/rain.ts": text });
    expect((await add("tool", "rain")).err).toBe("");
    // Every character but spaces is there, in its order.
    let next = 0;
    const wanted = text.replaceAll(/\s/g, "");
    for (const character of read("src/rain.ts").replaceAll(/\s/g, "")) {
      if (character === wanted[next]) next += 1;
    }
    expect(wanted.slice(next)).toBe("");
    const { manifest, diagnostics } = compile({ root: project.root });
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(manifest?.tools.map(({ definition }) => definition.name)).toContain("rain");
  });
});
