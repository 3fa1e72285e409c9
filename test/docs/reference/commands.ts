/**
 * The page of the command line, which is what `--help` prints. The tests of the help hold it to that.
 * @module
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "@tenon/cli";
import { commandNames } from "../../support/command-names.js";
import { recordingTerminal } from "../../support/recording-terminal.js";
import { workspace } from "../pages.js";
import { page } from "./pages.js";

/** What `--help` prints of each command. */
export async function commandsPage(): Promise<string> {
  const program = readFileSync(join(workspace, "packages/cli/src/program.ts"), "utf8");
  const commands = commandNames().sort(
    (a, b) => program.indexOf(`  ${a}Command,`) - program.indexOf(`  ${b}Command,`),
  );
  const help = async (...args: string[]): Promise<string> => {
    const terminal = recordingTerminal("/");
    await run([...args, "--help"], terminal);
    return `\`\`\`text\n${terminal.stdout().trimEnd()}\n\`\`\``;
  };
  const sections: string[] = [];
  for (const command of commands) sections.push(`## tenon ${command}`, await help(command));
  return page(
    "Command line",
    "What `tenon --help` and `tenon COMMAND --help` print.",
    await help(),
    ...sections,
  );
}
