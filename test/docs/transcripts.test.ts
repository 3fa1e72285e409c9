/**
 * Runs the commands of each page in a project with the files that the page has shown so far, and compares their output.
 * Serves the project while the commands of a block that is marked `serving` run.
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, test } from "vitest";
import { projectFolder } from "../support/project-folder.js";
import { type ScriptedResponse, startScriptedModel } from "../support/scripted-model.js";
import { findBlocks, withCode, type Block } from "./blocks.js";
import { toFile, isCompiled, findPath } from "./page-code.js";
import { pages, workspace } from "./pages.js";

const tenon = join(workspace, "packages/cli/bin/tenon.js");

/** Returns the name and version of a page's project. Getting started has those that `npm create` writes. */
function getProject(path: string): { name: string; version: string } {
  return path.endsWith("/getting-started.md")
    ? { name: "my-server", version: "0.1.0" }
    : { name: "weather", version: "1.0.0" };
}

/** Blocks marked `create` need a registry: `test/e2e/scaffold.test.ts` runs them. */
const isTranscript = ({ language, marks }: Block): boolean =>
  language === "console" && !marks.has("fragment") && !marks.has("create");

describe("the transcripts", () => {
  const shown = pages().filter(
    ({ path, text }) => path !== "README.md" && findBlocks(text).some(isTranscript),
  );

  test.each(shown)("in $path show what the commands print", async ({ path, text }) => {
    const { name, version } = getProject(path);
    const project = projectFolder({
      "package.json": JSON.stringify({ name, version, type: "module" }),
      "package-lock.json": JSON.stringify({
        name,
        version,
        lockfileVersion: 3,
        packages: { "": { name, version } },
      }),
    });
    const printed: Printed = (code, env) => transcript(code, project.root, `/home/ada/${name}`, env);
    try {
      const replaced = new Map<Block, string>();
      for (const block of findBlocks(text)) {
        project.write(Object.fromEntries(getFiles(block)));
        if (!isTranscript(block)) continue;
        replaced.set(block, await printBlock(block, project.root, printed));
      }
      await expect(withCode(text, replaced)).toMatchFileSnapshot(join(workspace, path));
    } finally {
      project.remove();
    }
  });
});

/** Returns the files that a block adds to the project. */
function getFiles(block: Block): [path: string, text: string][] {
  if (block.marks.has("error") || block.marks.has("fragment")) return [];
  const path = findPath(block.code);
  if (isCompiled(block)) return [toFile(block)];
  return path === undefined ? [] : [[path, block.code]];
}

/** Runs the commands of a block and returns them with their output. @param env variables to set */
type Printed = (code: string, env?: Record<string, string>) => Promise<string>;

function printBlock(block: Block, root: string, printed: Printed): Promise<string> {
  if (block.marks.has("serving")) return whileServing(block.code, root, printed);
  return block.marks.has("model") ? withModel(block, printed) : printed(block.code);
}

/**
 * Runs the commands of a block with a key for a scripted model. The comment before the block has its responses, by
 * prompt: for each, the tool calls. The last one is repeated, and a prompt without any receives text.
 */
async function withModel({ code, given }: Block, printed: Printed): Promise<string> {
  const responses = JSON.parse(given) as Record<string, NonNullable<ScriptedResponse["calls"]>[]>;
  const model = await startScriptedModel(({ prompt, earlier }) => {
    const calls = responses[prompt]?.[earlier] ?? responses[prompt]?.at(-1);
    return calls === undefined ? { text: "I cannot help with that." } : { calls };
  });
  try {
    return await printed(code, model.env.openai);
  } finally {
    await model.close();
  }
}

const PORT = "3000";

/** Runs the commands of a block while the project is served at a free port. */
async function whileServing(code: string, root: string, printed: Printed): Promise<string> {
  await runCommand("tenon build", root);
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

async function transcript(
  code: string,
  root: string,
  shownRoot: string,
  env?: Record<string, string>,
): Promise<string> {
  const commands = [...code.matchAll(/^\$ (.+(?:\\\n.+)*)$/gm)].map(([, command = ""]) => command);
  const parts: string[] = [];
  for (const command of commands) {
    const printed = await runCommand(command, root, env);
    const shown = printed
      .replaceAll(root, shownRoot)
      .replaceAll(/(?<=reference |^\[)[0-9a-f]{8}\b/gm, "1f0c9a3e")
      .replaceAll(/\bin \d+\.\d s\b/g, "in 1.0 s")
      .replaceAll(/(?<="nextCursor": "v1\.)[\w-]+/g, "oCPbRyDcrNZ3rFqL0gFMbXQ6RTl6wNTpkL_hJwA");
    parts.push(`$ ${command}\n${shown.trimEnd()}\n`);
  }
  return copySizes(code, parts.join(""));
}

const SIZE = /\d+\.\d(?= kB)/g;
/** Relative difference up to which a file size on a page stays as it is. */
const ROUGHLY = 0.3;

function copySizes(before: string, now: string): string {
  const sizes = [...before.matchAll(SIZE)].map(([size]) => size);
  let index = 0;
  return now.replaceAll(SIZE, (size) => {
    const old = sizes[index++];
    const isSame = old !== undefined && old.length === size.length;
    return isSame && Math.abs(Number(size) / Number(old) - 1) < ROUGHLY ? old : size;
  });
}

/** Hides keys of models that this machine may have. */
const NO_KEYS = { OPENAI_API_KEY: "", OPENAI_BASE_URL: "", ANTHROPIC_API_KEY: "", ANTHROPIC_BASE_URL: "" };

/** Returns what a command prints to stdout and stderr, in order. */
function runCommand(command: string, root: string, given: Record<string, string> = {}): Promise<string> {
  // A busy machine needs more time than the default timeout.
  const shell = `tenon() { "${process.execPath}" "${tenon}" "$@"; }
vitest() { node_modules/.bin/vitest "$@" --testTimeout=180000; }
npx() { "$@"; }
exec 2>&1
${command}`;
  const plain = { NO_COLOR: "1", NODE_NO_WARNINGS: "1", CI: "1", TENON_CI: "" };
  const env = { ...process.env, ...plain, ...NO_KEYS, ...given };
  return new Promise((resolve) => {
    execFile("bash", ["-c", shell], { cwd: root, env }, (_, printed) => resolve(printed));
  });
}
