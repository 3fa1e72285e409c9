/**
 * Plays the path of "Getting started" in a terminal, with a registry that has these packages. `npm run record` also writes
 * the recording that the page shows.
 */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findBlocks } from "../docs/blocks.js";
import { newerNode } from "../support/newer-node.mjs";
import { removeFolder } from "../support/remove-folder.js";
import { RecordedTerminal } from "../support/terminal.js";
import { sharedRegistry } from "./shared-registry.js";

const TIMEOUT_MS = 600_000;
const COMMAND_TIMEOUT_MS = 180_000;
/** As wide as the code on the page. */
const SIZE = { width: 84, height: 30 };

const docs = resolve(import.meta.dirname, "../../packages/docs");
const guide = readFileSync(join(docs, "getting-started.md"), "utf8");
const recording = join(docs, "public/getting-started.cast");

let folder: string;
let registry: ReturnType<typeof sharedRegistry>;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tenon-session-"));
  registry = sharedRegistry(folder);
});

afterAll(() => removeFolder(folder));

/** Returns the code of the block in the guide that contains a string. */
function findBlock(text: string): string {
  const block = findBlocks(guide).find(({ code }) => code.includes(text));
  if (block === undefined) throw new Error(`getting-started.md does not show ${text}.`);
  return block.code;
}

/** Returns a command of the guide by its beginning. A backslash continues it on the next line. */
function command(start: string): string {
  const text = findBlock(start).replaceAll(/^\$ /gm, "");
  const [found] = /^(?:.*\\\n)*.*$/m.exec(text.slice(text.indexOf(start))) ?? [];
  if (!found?.startsWith(start)) throw new Error(`getting-started.md has no command ${start}.`);
  return found;
}

/** Returns the source file of the guide that has this path, without the comment that names it. */
function sourceFile(path: string): string {
  return findBlock(`// ${path}`).replace(`// ${path}\n`, "");
}

describe("the path from `npm create` to a client that calls the reader's tool", () => {
  it("works as the page shows it", { timeout: TIMEOUT_MS }, async () => {
    // The inspector needs a newer Node than the packages do.
    const path = [dirname(newerNode()), process.env["PATH"]].join(delimiter);
    const terminal = await RecordedTerminal.open(folder, { ...registry.env, PATH: path }, SIZE);
    try {
      const run = (text: string): Promise<string> =>
        terminal.run(text, COMMAND_TIMEOUT_MS, { "Ok to proceed?": "y" });
      expect(await run(command("npm create"))).toContain("Bonjour, Ada!");
      await run(command("cd my-server"));
      await terminal.writeFile("src/clock.ts", sourceFile("src/clock.ts"));
      expect(await run(command("npx tenon call until"))).toContain('"hours": 36');
      expect(await run(command("npm run build"))).not.toContain("error");
      expect(await run(command("npx -y @modelcontextprotocol/inspector"))).toContain('"hours": 36');
      if (process.env["TENON_RECORD"] !== undefined) writeFileSync(recording, asciicast(terminal));
    } finally {
      await terminal.close();
    }
  });
});

/** Writes a recording in the format asciicast 2. The reader's folder replaces that of the test. */
function asciicast({ events }: RecordedTerminal): string {
  const header = { version: 2, ...SIZE, title: "Getting started with Tenon", idle_time_limit: 2 };
  const lines = events.map(([seconds, kind, text]) => [seconds, kind, text.replaceAll(folder, "/home/ada")]);
  return [header, ...lines].map((each) => `${JSON.stringify(each)}\n`).join("");
}
