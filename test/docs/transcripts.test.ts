/**
 * Commands that pages show, run in the project that the page has made so far, and what they print. While those of a block
 * marked `serving` run, the project is served at the address that they have.
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, test } from "vitest";
import { projectFolder } from "../support/project-folder.js";
import { blocksOf, withCode, type Block } from "./blocks.js";
import { fileOf, isCompiled, pathOf } from "./page-code.js";
import { pages, workspace } from "./pages.js";

const tenon = join(workspace, "packages/cli/bin/tenon.js");

/** The project that a page is; that of the first page is as `npm create` has made it. */
function projectOf(path: string): { name: string; version: string } {
  return path.endsWith("/start.md")
    ? { name: "my-server", version: "0.1.0" }
    : { name: "weather", version: "1.0.0" };
}

/** `create` makes a project, from a registry: see `test/e2e/scaffold.test.ts`. */
const isTranscript = ({ language, marks }: Block): boolean =>
  language === "console" && !marks.has("fragment") && !marks.has("create");

describe("transcripts of pages", () => {
  const shown = pages().filter(({ path, text }) => path !== "README.md" && blocksOf(text).some(isTranscript));

  test.each(shown)("$path", async ({ path, text }) => {
    const { name, version } = projectOf(path);
    const project = projectFolder({ "package.json": JSON.stringify({ name, version, type: "module" }) });
    const printed: Printed = (code) => transcript(code, project.root, `/home/ada/${name}`);
    try {
      const replaced = new Map<Block, string>();
      for (const block of blocksOf(text)) {
        project.write(Object.fromEntries(filesOf(block)));
        if (!isTranscript(block)) continue;
        const isServed = block.marks.has("serving");
        const now = isServed ? whileServing(block.code, project.root, printed) : printed(block.code);
        replaced.set(block, await now);
      }
      await expect(withCode(text, replaced)).toMatchFileSnapshot(join(workspace, path));
    } finally {
      project.remove();
    }
  });
});

/** What a block puts into the project. */
function filesOf(block: Block): [path: string, text: string][] {
  if (block.marks.has("error") || block.marks.has("fragment")) return [];
  const path = pathOf(block.code);
  if (isCompiled(block)) return [fileOf(block)];
  return path === undefined ? [] : [[path, block.code]];
}

/** The commands of a block, each with what it prints now. */
type Printed = (code: string) => Promise<string>;

const PORT = "3000";

/** The same while the project is served, at a port that is free. */
async function whileServing(code: string, root: string, printed: Printed): Promise<string> {
  await outputOf("tenon build", root);
  const server = spawn(process.execPath, ["dist/server.js", "--http", "--port", "0"], { cwd: root });
  try {
    let port: string | undefined;
    for await (const line of createInterface(server.stderr)) {
      port = /listens on http:\/\/127\.0\.0\.1:(\d+)/.exec(line)?.[1];
      if (port !== undefined) break;
    }
    if (port === undefined) throw new Error("The server does not start.");
    return (await printed(code.replaceAll(PORT, port))).replaceAll(port, PORT);
  } finally {
    server.kill();
    await once(server, "exit");
  }
}

async function transcript(code: string, root: string, shownRoot: string): Promise<string> {
  const commands = [...code.matchAll(/^\$ (.+(?:\\\n.+)*)$/gm)].map(([, command = ""]) => command);
  const parts: string[] = [];
  for (const command of commands) {
    const printed = await outputOf(command, root);
    const shown = printed
      .replaceAll(root, shownRoot)
      .replaceAll(/(?<=reference |^\[)[0-9a-f]{8}\b/gm, "1f0c9a3e")
      .replaceAll(/\bin \d+\.\d s\b/g, "in 1.0 s");
    parts.push(`$ ${command}\n${shown.trimEnd()}\n`);
  }
  return withSizesOf(code, parts.join(""));
}

const SIZE = /\d+\.\d(?= kB)/g;
/** A file is about as large as a page says: by how many bytes the runtime grew is not the page's business. */
const ROUGHLY = 0.3;

function withSizesOf(before: string, now: string): string {
  const sizes = [...before.matchAll(SIZE)].map(([size]) => size);
  let index = 0;
  return now.replaceAll(SIZE, (size) => {
    const old = sizes[index++];
    const isSame = old !== undefined && old.length === size.length;
    return isSame && Math.abs(Number(size) / Number(old) - 1) < ROUGHLY ? old : size;
  });
}

/** What a command prints to both of its streams, in order. */
function outputOf(command: string, root: string): Promise<string> {
  // A machine with much to do takes its time.
  const shell = `tenon() { "${process.execPath}" "${tenon}" "$@"; }
vitest() { node_modules/.bin/vitest "$@" --testTimeout=180000; }
npx() { "$@"; }
exec 2>&1
${command}`;
  const env = { ...process.env, NO_COLOR: "1", NODE_NO_WARNINGS: "1", CI: "1", TENON_CI: "" };
  return new Promise((resolve) => {
    execFile("bash", ["-c", shell], { cwd: root, env }, (_, printed) => resolve(printed));
  });
}
