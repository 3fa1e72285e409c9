/** Commands that the cli prints for the user work in the folder where the user is. */
import { mkdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { run } from "@tenon/cli";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
// Internal: paths with spaces and of other systems.
import { formatPathArgument } from "../../packages/cli/src/terminal/path-argument.js";
import { projectFolder, type ProjectFolder } from "../support/project-folder.js";
import { recordingTerminal } from "../support/recording-terminal.js";

let project: ProjectFolder;
beforeAll(() => {
  project = projectFolder({
    "package.json": JSON.stringify({
      name: "@ada/weather",
      version: "1.0.0",
      description: "Weather",
      author: "Ada",
      license: "MIT",
      type: "module",
      mcpName: "io.github.ada/weather",
    }),
    "README.md": "# Weather\n",
    "src/weather.ts": `
      import { Tool } from "@tenon/runtime";
      export class Weather {
        /** Returns the conditions. */
        @Tool({ readOnly: true, openWorld: false }) current(): string { return "rain"; }
      }`,
  });
  mkdirSync(join(project.root, "src/inner"));
});
afterAll(() => project.remove());

async function runTenon(cwd: string, ...args: string[]): Promise<string> {
  const terminal = recordingTerminal(cwd);
  expect(await run(args, terminal), terminal.stderr()).toBe(0);
  return terminal.stdout();
}

describe("in a folder of the project", () => {
  test("tenon package prints commands and files relative to it", async () => {
    const targets = ["--docker", "--npx", "--worker", "--single-file", "--registry"];
    const shown = await runTenon(join(project.root, "src/inner"), "package", ...targets);
    expect(shown).toContain("docker build -t weather:1.0.0 ../..\n");
    expect(shown).toContain("npm publish ../../package/npx --access public ");
    expect(shown).toContain("npx wrangler deploy --cwd ../..");
    expect(shown).toContain("deno serve -E -N ../../package/worker/worker.js");
    expect(shown).toContain("node ../../package/single-file/ada-weather.mjs");
    expect(shown).toContain("mcp-publisher publish ../../server.json");
    expect(shown).toMatch(/^ {2}\.\.\/\.\.\/Dockerfile /m);
  });

  test("tenon build names the built server, and the project is found from there", async () => {
    const shown = await runTenon(join(project.root, "src/inner"), "build");
    expect(shown).toContain("node ../../dist/server.js ");
    expect(shown).toContain("Next: npx tenon install claude-code  connects a client");
  });
});

test("in the project folder, tenon package prints the shortest commands", async () => {
  const shown = await runTenon(project.root, "package", "--docker", "--worker", "--registry", "--npx");
  expect(shown).toMatch(/docker build -t \S+ \.\n/);
  expect(shown).toContain("npx wrangler deploy ");
  expect(shown).not.toContain("--cwd");
  expect(shown).toMatch(/mcp-publisher publish *(?:\n| publishes)/);
});

test("outside the project, tenon build prints an install command with the project's folder", async () => {
  const folder = basename(project.root);
  const shown = await runTenon(dirname(project.root), "build", folder);
  expect(shown).toContain(`node ${folder}/dist/server.js`);
  expect(shown).toContain(`Next: npx tenon install claude-code ./${folder}  connects a client`);
});

describe("the argument for a path", () => {
  test.each([
    ["/home/ada/mail", "/home/ada/mail", "."],
    ["/home/ada/servers/mail", "/home/ada", "./servers/mail"],
    ["/home/ada", "/home/ada/servers", ".."],
    ["/home/ada/my mail", "/home/ada", "'./my mail'"],
    ["/home/ada/..mail", "/home/ada", "./..mail"],
  ])("%s in %s is %s", (path, cwd, expected) => {
    expect(formatPathArgument(path, cwd)).toBe(expected);
  });
});
