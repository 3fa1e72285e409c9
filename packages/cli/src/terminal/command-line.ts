import type { Command } from "commander";
import type { Terminal } from "./terminal.js";

/** Makes commander print to the terminal, and throw where it would exit. Commands added later inherit it. */
export function attachTerminal(command: Command, { out, err }: Terminal): Command {
  return command
    .exitOverride()
    .showSuggestionAfterError(true)
    .configureHelp({ showGlobalOptions: false })
    .configureOutput({
      writeOut: (text) => out.write(text),
      writeErr: (text) => err.write(text),
      getOutHasColors: () => out.color,
      getErrHasColors: () => err.color,
      getOutHelpWidth: () => out.columns,
      getErrHelpWidth: () => err.columns,
    });
}
