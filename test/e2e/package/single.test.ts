import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { run } from "@tenon/cli";
import { afterEach, expect, it } from "vitest";
import { projectFolder, type ProjectFolder } from "../../support/project-folder.js";
import { CTRL_C, pseudoTerminal } from "../../support/pseudo-terminal.js";
import { recordingTerminal } from "../../support/recording-terminal.js";
import { INSTALLED, NATIVE, PURE, WEATHER } from "./sources.js";
import { callText, ERAS, startClient } from "./started-server.js";

let project: ProjectFolder;
const folders: string[] = [];
afterEach(() => {
  project.remove();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A folder with nothing but copies of these files. */
function alone(...paths: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "tenon-alone-"));
  folders.push(folder);
  for (const path of paths) cpSync(join(project.root, path), join(folder, path.split("/").at(-1) ?? ""));
  return folder;
}

const shownBy = (text: string): string =>
  text.replaceAll(/in \d+\.\d s/g, "in 0.0 s").replaceAll(/ *\d+\.\d kB/g, "  0.0 kB");

it("makes one file that needs nothing but Node", async () => {
  project = projectFolder({ ...WEATHER, ...PURE }, INSTALLED);
  const terminal = recordingTerminal(project.root);
  expect(await run(["package", "--single"], terminal)).toBe(0);
  expect(terminal.stderr()).toBe("");
  expect(shownBy(terminal.stdout())).toMatchInlineSnapshot(`
    "✓ sample 1.2.3: 2 tools, 1 prompt and 1 resource template in 0.0 s

    --single
      package/single/sample.mjs  0.0 kB

      node package/single/sample.mjs                      serves over stdio
      node package/single/sample.mjs --http --port 3000   serves at http://127.0.0.1:3000/mcp
    "
  `);
  expect(readdirSync(join(project.root, "package/single"))).toEqual([".tenon-files.json", "sample.mjs"]);
  const cwd = alone("package/single/sample.mjs");
  for (const era of ERAS) {
    const client = await startClient(
      { command: process.execPath, args: ["sample.mjs"], cwd, env: { WEATHER_API_KEY: "k" } },
      era,
    );
    expect(await callText(client, "current", { city: "Oslo" })).toBe(
      JSON.stringify({ city: "Oslo", units: "metric", key: "k" }),
    );
    expect(await callText(client, "pure")).toBe("pure/thing");
    expect(await callText(client, "current", { city: 1 })).toContain("error: ");
    await client.close();
  }
});

it("names what it cannot hold, and finds that where it is installed", async () => {
  project = projectFolder(
    {
      ...NATIVE,
      "src/data.ts": `export const file = new URL("../data.txt", import.meta.url);`,
      "src/more.ts": `import { Tool } from "@tenon/runtime";
import { file } from "./data.js";
export class More { /** Where. */ @Tool() where(): string { return file.pathname; } }`,
    },
    INSTALLED,
  );
  const terminal = recordingTerminal(project.root);
  expect(await run(["package", "--single"], terminal)).toBe(0);
  expect(shownBy(terminal.stdout())).toMatchInlineSnapshot(`
    "✓ sample 1.2.3: 2 tools in 0.0 s

    --single
      package/single/sample.mjs  0.0 kB
      src/data.ts finds files by its own place (import.meta). Those are not in the file, which finds
        them from this folder alone.

      Not in there: 1 package. It is looked for in node_modules.
        native-thing 2.0.0  has native code

      node package/single/sample.mjs                      serves over stdio
      node package/single/sample.mjs --http --port 3000   serves at http://127.0.0.1:3000/mcp
    "
  `);
  const client = await startClient({
    command: process.execPath,
    args: ["package/single/sample.mjs"],
    cwd: project.root,
  });
  expect(await callText(client, "ask")).toBe("native");
  expect(await callText(client, "where")).toBe(join(project.root, "data.txt"));
  await client.close();
});

it("replaces its own files, and nobody else's", async () => {
  project = projectFolder(WEATHER);
  const file = join(project.root, "package/single/sample.mjs");
  mkdirSync(join(project.root, "package/single"), { recursive: true });
  writeFileSync(file, "mine");
  const terminal = recordingTerminal(project.root);
  expect(await run(["package", "--single"], terminal)).toBe(1);
  expect(terminal.stderr()).toBe(
    "error  package/single/sample.mjs would be replaced, and is not of `tenon package`.\n" +
      "hint   Choose another folder by --out, or replace it by --force.\n",
  );
  expect(readFileSync(file, "utf8")).toBe("mine");
  expect(await run(["package", "--single", "--force"], terminal)).toBe(0);
  expect(await run(["package", "--single"], terminal)).toBe(0);
  expect(readFileSync(file, "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/);
});

it("asks what to make", async () => {
  project = projectFolder({});
  const terminal = recordingTerminal(project.root);
  expect(await run(["package"], terminal)).toBe(2);
  expect(terminal.stderr()).toBe(
    `error  Choose what to make: --single, --npx, --worker, --mcpb, --registry, --docker.
hint   \`tenon package --help\` describes each.
`,
  );
});

const program = resolve(import.meta.dirname, "../../../packages/cli/bin/tenon.js");

it("asks a person what to make", async () => {
  project = projectFolder(WEATHER);
  const terminal = pseudoTerminal(process.execPath, [program, "package"], { cwd: project.root });
  await terminal.shows(/What shall be made\?/);
  await terminal.shows(/docker/);
  terminal.type(" \r");
  expect(await terminal.exited).toBe(0);
  expect(terminal.screen()).toContain("package/single/sample.mjs");
  expect(readdirSync(join(project.root, "package")).sort()).toEqual([".gitignore", "single"]);
});

it("makes nothing for a person who gives up", async () => {
  project = projectFolder(WEATHER);
  const terminal = pseudoTerminal(process.execPath, [program, "package"], { cwd: project.root });
  await terminal.shows(/docker/);
  terminal.type(CTRL_C);
  expect(await terminal.exited).toBe(130);
  expect(terminal.screen()).toContain("Cancelled. Nothing was written.");
  expect(readdirSync(project.root)).not.toContain("package");
});

it("makes nothing of a project with errors", async () => {
  project = projectFolder({
    "src/weather.ts": WEATHER["src/weather.ts"].replace("return {", "return { a: 1,"),
  });
  const terminal = recordingTerminal(project.root);
  expect(await run(["package", "--single"], terminal)).toBe(1);
  expect(terminal.stderr()).toContain("src/weather.ts:");
  expect(readdirSync(project.root)).not.toContain("package");
});
