/**
 * Writes the CLI reference from the help texts of the commands.
 * @module
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "@tenon/cli";
import { commandNames } from "../../support/command-names.js";
import { recordingTerminal } from "../../support/recording-terminal.js";
import { workspace } from "../pages.js";
import { page } from "./pages.js";

const CONVENTIONS = `Exit codes are 0 for success, 1 for a failure, 2 for an invalid command line, and 130 after Ctrl-C;
\`tenon dev\`, which runs until Ctrl-C, then exits with 0. \`NO_COLOR\` and \`FORCE_COLOR\` control colors. To log in with a browser on another machine, copy the address that
the browser shows at the end, and paste it into the terminal.

You can install Tenon with npm, pnpm, Yarn, or Bun. It reads types from \`node_modules\`, which Yarn 2 and later create with
\`nodeLinker: node-modules\` in \`.yarnrc.yml\`.`;

/** Returns the page with the help of each command. */
export async function commandsPage(): Promise<string> {
  const program = readFileSync(join(workspace, "packages/cli/src/program.ts"), "utf8").toLowerCase();
  const position = (name: string): number => program.indexOf(`  define${name}command,`);
  const commands = commandNames().sort((a, b) => position(a) - position(b));
  const help = async (...args: string[]): Promise<string> => {
    const terminal = recordingTerminal("/");
    await run([...args, "--help"], terminal);
    return `\`\`\`text\n${terminal.stdout().trimEnd()}\n\`\`\``;
  };
  const sections: string[] = [];
  for (const command of commands) sections.push(`## tenon ${command}`, await help(command));
  return page(
    "CLI reference",
    "This page contains the help text of every command, as `tenon COMMAND --help` prints it.",
    CONVENTIONS,
    await help(),
    ...sections,
  );
}
