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

/** Pages that are one project have its name, as those of the tests of their code do. */
const PACKAGE = JSON.stringify({ name: "weather", version: "1.0.0", type: "module" });

const isTranscript = ({ language, marks }: Block): boolean =>
  language === "console" && !marks.has("fragment");

describe("transcripts of pages", () => {
  const shown = pages().filter(({ path, text }) => path !== "README.md" && blocksOf(text).some(isTranscript));

  test.each(shown)("$path", async ({ path, text }) => {
    const project = projectFolder({ "package.json": PACKAGE });
    try {
      const replaced = new Map<Block, string>();
      for (const block of blocksOf(text)) {
        project.write(Object.fromEntries(filesOf(block)));
        if (!isTranscript(block)) continue;
        const run = block.marks.has("serving") ? transcriptWhileServing : transcript;
        replaced.set(block, await run(block.code, project.root));
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

const PORT = "3000";

/** The same while the project is served, at a port that is free. */
async function transcriptWhileServing(code: string, root: string): Promise<string> {
  await outputOf("tenon build", root);
  const server = spawn(process.execPath, ["dist/server.js", "--http", "--port", "0"], { cwd: root });
  try {
    let port: string | undefined;
    for await (const line of createInterface(server.stderr)) {
      port = /listens on http:\/\/127\.0\.0\.1:(\d+)/.exec(line)?.[1];
      if (port !== undefined) break;
    }
    if (port === undefined) throw new Error("The server does not start.");
    const printed = await transcript(code.replaceAll(PORT, port), root);
    return printed.replaceAll(port, PORT);
  } finally {
    server.kill();
    await once(server, "exit");
  }
}

/** The commands of a block, each with what it prints now. */
async function transcript(code: string, root: string): Promise<string> {
  const commands = [...code.matchAll(/^\$ (.+(?:\\\n.+)*)$/gm)].map(([, command = ""]) => command);
  const parts: string[] = [];
  for (const command of commands) {
    const printed = await outputOf(command, root);
    const shown = printed
      .replaceAll(root, "/home/ada/weather")
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
  const shell = `tenon() { "${process.execPath}" "${tenon}" "$@"; }\nexec 2>&1\n${command}`;
  const env = { ...process.env, NO_COLOR: "1", NODE_NO_WARNINGS: "1", CI: "1", TENON_CI: "" };
  return new Promise((resolve) => {
    execFile("bash", ["-c", shell], { cwd: root, env }, (_, printed) => resolve(printed));
  });
}
