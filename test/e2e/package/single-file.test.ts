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

/** Creates a folder that contains only copies of these files. */
function copyAlone(...paths: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "tenon-alone-"));
  folders.push(folder);
  for (const path of paths) cpSync(join(project.root, path), join(folder, path.split("/").at(-1) ?? ""));
  return folder;
}

const hideNumbers = (text: string): string =>
  text.replaceAll(/in \d+\.\d s/g, "in 0.0 s").replaceAll(/ *\d+\.\d kB/g, "  0.0 kB");

it("tenon package --single-file creates one file that needs only Node", async () => {
  project = projectFolder({ ...WEATHER, ...PURE }, INSTALLED);
  const terminal = recordingTerminal(project.root);
  expect(await run(["package", "--single-file"], terminal)).toBe(0);
  expect(terminal.stderr()).toBe("");
  expect(hideNumbers(terminal.stdout())).toMatchInlineSnapshot(`
    "✓ sample 1.2.3: 2 tools, 1 prompt, and 1 resource template in 0.0 s

    --single-file
      package/single-file/sample.mjs  0.0 kB

      node package/single-file/sample.mjs                      serves over stdio
      node package/single-file/sample.mjs --http --port 3000   serves at http://127.0.0.1:3000/mcp
    "
  `);
  expect(readdirSync(join(project.root, "package/single-file"))).toEqual([".tenon-files.json", "sample.mjs"]);
  const cwd = copyAlone("package/single-file/sample.mjs");
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

it("tenon package --single-file names packages that it cannot contain, and loads them where they are installed", async () => {
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
  expect(await run(["package", "--single-file"], terminal)).toBe(0);
  expect(hideNumbers(terminal.stdout())).toMatchInlineSnapshot(`
    "✓ sample 1.2.3: 2 tools in 0.0 s

    --single-file
      package/single-file/sample.mjs  0.0 kB
      src/data.ts finds files relative to itself (import.meta). Files that it reads are not included.
        The server finds them only if it runs in this folder.

      Not included: 1 package, which is loaded from node_modules.
        native-thing 2.0.0  has native code

      node package/single-file/sample.mjs                      serves over stdio
      node package/single-file/sample.mjs --http --port 3000   serves at http://127.0.0.1:3000/mcp
    "
  `);
  const client = await startClient({
    command: process.execPath,
    args: ["package/single-file/sample.mjs"],
    cwd: project.root,
  });
  expect(await callText(client, "ask")).toBe("native");
  expect(await callText(client, "where")).toBe(join(project.root, "data.txt"));
  await client.close();
});

it("tenon package --single-file replaces only its own files", async () => {
  project = projectFolder(WEATHER);
  const file = join(project.root, "package/single-file/sample.mjs");
  mkdirSync(join(project.root, "package/single-file"), { recursive: true });
  writeFileSync(file, "mine");
  const terminal = recordingTerminal(project.root);
  expect(await run(["package", "--single-file"], terminal)).toBe(1);
  expect(terminal.stderr()).toBe(
    "error  `tenon package` would replace files that it did not write: package/single-file/sample.mjs.\n" +
      "hint   Choose another path with --out, or replace them with --force.\n",
  );
  expect(readFileSync(file, "utf8")).toBe("mine");
  expect(await run(["package", "--single-file", "--force"], terminal)).toBe(0);
  expect(await run(["package", "--single-file"], terminal)).toBe(0);
  expect(readFileSync(file, "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/);
});

it("tenon package without a target is a usage error", async () => {
  project = projectFolder({});
  const terminal = recordingTerminal(project.root);
  expect(await run(["package"], terminal)).toBe(2);
  expect(terminal.stderr()).toBe(
    `error  No target was chosen.
hint   Choose one or more: --single-file, --npx, --worker, --mcpb, --registry, --docker. \`tenon package --help\` describes them.
`,
  );
});

it("tenon package rejects a URL that no target contains", async () => {
  project = projectFolder({});
  const terminal = recordingTerminal(project.root);
  expect(await run(["package", "--docker", "--url", "https://mcp.example.com/mcp"], terminal)).toBe(2);
  expect(terminal.stderr()).toBe(
    "error  --url has no effect without --registry: only server.json contains the address.\nhint   Add --registry, or omit --url.\n",
  );
});

it("tenon package suggests the option for a target that was written without hyphens", async () => {
  project = projectFolder({});
  const terminal = recordingTerminal(project.root);
  expect(await run(["package", "mcpb"], terminal)).toBe(2);
  expect(terminal.stderr()).toContain(
    "Did you mean --mcpb? An argument without leading hyphens is the project folder.",
  );
});

const program = resolve(import.meta.dirname, "../../../packages/cli/bin/tenon.js");

it("tenon package prompts a user for targets", async () => {
  project = projectFolder(WEATHER);
  const terminal = pseudoTerminal(process.execPath, [program, "package"], { cwd: project.root });
  await terminal.waitForScreen(/Which targets\?/);
  await terminal.waitForScreen(/docker/);
  terminal.type(" \r");
  expect(await terminal.exited).toBe(0);
  expect(terminal.screen()).toContain("package/single-file/sample.mjs");
  expect(readdirSync(join(project.root, "package")).sort()).toEqual([".gitignore", "single-file"]);
});

it("tenon package writes nothing if the user cancels", async () => {
  project = projectFolder(WEATHER);
  const terminal = pseudoTerminal(process.execPath, [program, "package"], { cwd: project.root });
  await terminal.waitForScreen(/docker/);
  terminal.type(CTRL_C);
  expect(await terminal.exited).toBe(130);
  expect(terminal.screen()).toContain("Cancelled. Nothing was written.");
  expect(readdirSync(project.root)).not.toContain("package");
});

it("tenon package writes nothing for a project with errors", async () => {
  project = projectFolder({
    "src/weather.ts": WEATHER["src/weather.ts"].replace("return {", "return { a: 1,"),
  });
  const terminal = recordingTerminal(project.root);
  expect(await run(["package", "--single-file"], terminal)).toBe(1);
  expect(terminal.stderr()).toContain("src/weather.ts:");
  expect(readdirSync(project.root)).not.toContain("package");
});
