/** No command replaces files that Tenon did not write, unless an option requests it. */
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, symlinkSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { run } from "@tenon/cli";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { projectFolder, type ProjectFolder } from "../support/project-folder.js";
import { recordingTerminal } from "../support/recording-terminal.js";

const WEATHER = `import { Tool } from "@tenon/runtime";

// Mine.
export class Weather {
  /** Current conditions. */
  @Tool() current(city: string): string { return city; }
}
`;
const CURSOR = `{
  // Mine.
  "mcpServers": { "other": { "command": "x" }, "sample": { "command": "mine" } }
}
`;

let project: ProjectFolder;
beforeEach(() => {
  project = projectFolder({
    "src/weather.ts": WEATHER,
    "src/rain.ts": "export const millimetres = 3; // mine\n",
    "dist/server.js": "// mine\n",
    "home/.cursor/mcp.json": CURSOR,
    ".mcp.json": '{ "mcpServers": {} }\n',
    "README.md": "# Mine\n",
  });
  vi.stubEnv("HOME", join(project.root, "home"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  project.remove();
});

/** Returns the content of every file by path, except installed packages and Tenon's own folder. */
function files(folder = ""): Map<string, string> {
  const entries = readdirSync(join(project.root, folder), { withFileTypes: true });
  return new Map(
    entries.flatMap((entry): (readonly [string, string])[] => {
      const path = join(folder, entry.name);
      if (path === "node_modules" || path.startsWith(".tenon")) return [];
      if (entry.isDirectory()) return [...files(path)];
      return [[path, readFileSync(join(project.root, path), "utf8")]];
    }),
  );
}

/** Runs a command, and returns the existing files that it changed and the files that it added. */
async function changes(...args: string[]): Promise<{ code: number; changed: string[]; added: string[] }> {
  const before = files();
  const code = await run(args, recordingTerminal(project.root));
  const after = files();
  const changed = [...before].filter(([path, text]) => after.get(path) !== text).map(([path]) => path);
  return { code, changed, added: [...after.keys()].filter((path) => !before.has(path)) };
}

test.each([
  ["create", ".", "--yes", "--no-install"],
  ["create", "src", "--yes", "--no-install"],
  ["create", "README.md", "--yes", "--no-install"],
  ["add", "tool", "current"],
  ["add", "tool", "current", "--file", "src/other.ts"],
  ["install", "cursor"],
  ["install", "cursor", "--print"],
  ["build"],
  ["build", "--out", "."],
  ["build", "--out", "src/dist"],
  ["package", "--single-file", "--out", "."],
  ["package", "--single-file", "--out", "src"],
  ["import", "--out", "src/weather.ts", "--", process.execPath, "-e", "0"],
])("%s %s %s changes nothing", async (...args) => {
  const { code, ...what } = await changes(...args);
  expect(what).toEqual({ changed: [], added: [] });
  expect(code).toBeGreaterThan(0);
});

test("add keeps every line of the file it extends", async () => {
  expect(await changes("add", "tool", "rain")).toEqual({ code: 0, changed: ["src/rain.ts"], added: [] });
  expect(await changes("add", "prompt", "plan", "--file", "src/weather.ts")).toEqual({
    code: 0,
    changed: ["src/weather.ts"],
    added: [],
  });
  for (const [file, text] of [
    ["src/rain.ts", "export const millimetres = 3; // mine"],
    ["src/weather.ts", WEATHER],
  ] as const) {
    const after = readFileSync(join(project.root, file), "utf8").split("\n");
    const lines = text.split("\n").filter((line) => !line.startsWith("import"));
    expect(after.filter((line) => lines.includes(line))).toEqual(expect.arrayContaining(lines));
  }
});

test("check writes only the contract", async () => {
  expect(await changes("check", "--update")).toEqual({
    code: 0,
    changed: [],
    added: ["tenon.contract.json"],
  });
  expect(await changes("check")).toEqual({ code: 0, changed: [], added: [] });
});

test("install keeps the rest of a configuration, and a backup of the file", async () => {
  expect(await changes("install", "cursor", "--force")).toEqual({
    code: 0,
    changed: ["home/.cursor/mcp.json"],
    added: ["home/.cursor/mcp.json.before-tenon"],
  });
  const after = files();
  expect(after.get("home/.cursor/mcp.json.before-tenon")).toBe(CURSOR);
  expect(after.get("home/.cursor/mcp.json")).toMatch(/\/\/ Mine\.[^]*"other": \{\s*"command": "x"\s*\}/);
});

test("build reports the files of another build that it would replace", async () => {
  expect(await failure("build")).toMatchInlineSnapshot(`
    "error  \`…/dist\` contains files of another build: the server would replace \`server.js\`, which Tenon did not write.
    hint   Choose another folder, for example \`tenon build --out dist-mcp\`, or remove these files.
    "
  `);
});

test("build does not turn the files of a CommonJS application into ES modules", async () => {
  unlinkSync(join(project.root, "dist/server.js"));
  const scripts = ["main", "root", "orders/orders", "orders/prices"].map(
    (name) => [`dist/${name}.js`, ""] as const,
  );
  project.write({
    "package.json": '{ "name": "sample", "version": "1.0.0" }',
    ...Object.fromEntries(scripts),
  });
  // Two links of a folder to itself would make 2^40 paths.
  const links = ["here", "there"].map((name) => join(project.root, "dist", name));
  for (const link of links) symlinkSync(".", link);
  expect(await failure("build")).toMatchInlineSnapshot(`
    "error  \`…/dist\` contains files of another build: with the \`package.json\` of the server, Node would load \`main.js\`, \`orders/orders.js\`, \`orders/prices.js\`, and 1 more as ES modules.
    hint   Choose another folder, for example \`tenon build --out dist-mcp\`, or remove these files.
    "
  `);
  for (const link of links) unlinkSync(link);
  expect(await changes("build", "--out", "dist-mcp")).toMatchObject({ code: 0, changed: [] });
  expect(await changes("build", "--out", "dist-mcp")).toMatchObject({ code: 0, changed: [], added: [] });
});

test("Git ignores the files that Tenon keeps for itself", async () => {
  execFileSync("git", ["init", "--quiet"], { cwd: project.root });
  expect(await run(["build", "--out", "built"], recordingTerminal(project.root))).toBe(0);
  const untracked = execFileSync("git", ["ls-files", "--others", "--exclude-standard"], {
    cwd: project.root,
  });
  expect(untracked.toString()).toContain("built/server.js");
  // Editors need the types in a clone.
  expect(untracked.toString().match(/^\.tenon\/.*$/gm)).toEqual([".tenon/server.d.ts"]);
});

/** Returns the output of a command that fails. */
async function failure(...args: string[]): Promise<string> {
  const terminal = recordingTerminal(project.root);
  expect(await run(args, terminal)).toBe(1);
  return terminal.stderr().replaceAll(project.root, "…");
}
