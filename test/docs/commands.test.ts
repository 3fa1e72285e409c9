/** The commands and options of Tenon that pages name exist. */
import { run } from "@tenon/cli";
import { beforeAll, expect, test } from "vitest";
import { commandNames } from "../support/command-names.js";
import { recordingTerminal } from "../support/recording-terminal.js";
import { findBlocks } from "./blocks.js";
import { pages } from "./pages.js";

const commands = commandNames();

/** The words of each command's help. */
const helps = new Map<string, string>();
beforeAll(async () => {
  for (const name of commands) {
    const terminal = recordingTerminal("/");
    await run([name, "--help"], terminal);
    helps.set(name, terminal.stdout());
  }
});

/** `tenon …` at the beginning of a line or after `npx`, up to the end of the command. */
const COMMAND = /(?:^\s*(?:\$ )?|npx |[`;&] ?)tenon ([a-z]+)((?: [^\n`|;&#]*)?)/gm;

interface NamedCommand {
  readonly name: string;
  readonly flags: readonly string[];
}

function commandsIn(text: string): NamedCommand[] {
  const shells = findBlocks(text).filter(({ language }) => ["sh", "console", "bash"].includes(language));
  const inline = [...text.matchAll(/`((?:npx )?tenon [a-z][^`\n]*)`/g)].map(([, code = ""]) => code);
  return [...shells.map(({ code }) => code), ...inline].flatMap((code) =>
    [...code.matchAll(COMMAND)].map(([, name = "", rest = ""]) => ({
      name,
      // The text after ` -- ` is the command line of another program.
      flags: [...(rest.split(" -- ")[0] ?? "").matchAll(/(?<= )--?[a-z][\w-]*/g)].map(([flag]) => flag),
    })),
  );
}

test.each(pages().filter(({ path }) => !path.endsWith("reference/commands.md")))(
  "the commands in $path exist, with their options",
  ({ text }) => {
    const wrong = commandsIn(text).flatMap(({ name, flags }) => {
      const help = helps.get(name);
      if (name === "help") return [];
      if (help === undefined) return [`tenon ${name}`];
      const words = new Set(help.match(/--?[a-z][\w-]*/g));
      return flags.filter((flag) => !words.has(flag)).map((flag) => `tenon ${name} ${flag}`);
    });
    expect(wrong).toEqual([]);
  },
);
