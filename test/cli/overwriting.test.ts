/** No command replaces what is there and is not its own, unless it was asked to. */
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, unlinkSync } from "node:fs";
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

/** The content of every file, by path, but for what is installed and what Tenon keeps for itself. */
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

/** Runs a command and says what it has changed of what was there, and what it has added. */
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
  ["add", "tool", "current", "--to", "src/other.ts"],
  ["install", "cursor"],
  ["install", "cursor", "--print"],
  ["build"],
  ["import", "--out", "src/weather.ts", "--", process.execPath, "-e", "0"],
])("%s %s %s changes nothing", async (...args) => {
  const { code, ...what } = await changes(...args);
  expect(what).toEqual({ changed: [], added: [] });
  expect(code).toBeGreaterThan(0);
});

test("add keeps every line of the file that it adds to", async () => {
  expect(await changes("add", "tool", "rain")).toEqual({ code: 0, changed: ["src/rain.ts"], added: [] });
  expect(await changes("add", "prompt", "plan", "--to", "src/weather.ts")).toEqual({
    code: 0,
    changed: ["src/weather.ts"],
    added: [],
  });
  for (const [file, text] of [
    ["src/rain.ts", "export const millimetres = 3; // mine"],
    ["src/weather.ts", WEATHER],
  ] as const) {
    const after = readFileSync(join(project.root, file), "utf8").split("\n");
    const kept = text.split("\n").filter((line) => !line.startsWith("import"));
    expect(after.filter((line) => kept.includes(line))).toEqual(expect.arrayContaining(kept));
  }
});

test("check --write writes the contract alone", async () => {
  expect(await changes("check", "--write")).toEqual({ code: 0, changed: [], added: ["tenon.lock.json"] });
  expect(await changes("check")).toEqual({ code: 0, changed: [], added: [] });
});

test("install keeps what a configuration held, and the file as it was beside it", async () => {
  expect(await changes("install", "cursor", "--force")).toEqual({
    code: 0,
    changed: ["home/.cursor/mcp.json"],
    added: ["home/.cursor/mcp.json.before-tenon"],
  });
  const after = files();
  expect(after.get("home/.cursor/mcp.json.before-tenon")).toBe(CURSOR);
  expect(after.get("home/.cursor/mcp.json")).toMatch(/\/\/ Mine\.[^]*"other": \{\s*"command": "x"\s*\}/);
});

test("build says which files of another build it would replace", async () => {
  expect(await failure("build")).toMatchInlineSnapshot(`
    "error  \`…/dist\` holds what another build made: a server would replace \`server.js\`, which no build of Tenon has written.
    hint   Give the server a folder of its own, for example \`tenon build --out dist-mcp\`, or remove what is there.
    "
  `);
});

test("build makes no ES modules of the files of a CommonJS application", async () => {
  unlinkSync(join(project.root, "dist/server.js"));
  const scripts = ["main", "root", "orders/orders", "orders/prices"].map(
    (name) => [`dist/${name}.js`, ""] as const,
  );
  project.write({
    "package.json": '{ "name": "sample", "version": "1.0.0" }',
    ...Object.fromEntries(scripts),
  });
  expect(await failure("build")).toMatchInlineSnapshot(`
    "error  \`…/dist\` holds what another build made: with the \`package.json\` of a server beside them, Node would take \`main.js\`, \`orders/orders.js\`, \`orders/prices.js\` and 1 more for ES modules.
    hint   Give the server a folder of its own, for example \`tenon build --out dist-mcp\`, or remove what is there.
    "
  `);
  expect(await changes("build", "--out", "dist-mcp")).toMatchObject({ code: 0, changed: [] });
  expect(await changes("build", "--out", "dist-mcp")).toMatchObject({ code: 0, changed: [], added: [] });
});

test("Git sees nothing of what Tenon keeps for itself", async () => {
  execFileSync("git", ["init", "--quiet"], { cwd: project.root });
  expect(await run(["build", "--out", "built"], recordingTerminal(project.root))).toBe(0);
  const untracked = execFileSync("git", ["ls-files", "--others", "--exclude-standard"], {
    cwd: project.root,
  });
  expect(untracked.toString()).toContain("built/server.js");
  expect(untracked.toString()).not.toContain(".tenon/");
});

/** What a command prints that fails. */
async function failure(...args: string[]): Promise<string> {
  const terminal = recordingTerminal(project.root);
  expect(await run(args, terminal)).toBe(1);
  return terminal.stderr().replaceAll(project.root, "…");
}
