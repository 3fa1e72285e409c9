import { padEnd, getMaxWidth, wrap } from "./text-format.js";
import type { Sink } from "./terminal.js";

/** A command to type, and its purpose. */
export type CommandWithPurpose = readonly [command: string, purpose: string];

const GAP = 3;
const INDENT = 2;

/**
 * Formats commands with their purposes next to them, or below them if the terminal is too narrow. A command is never
 * wrapped, so that it can be copied.
 *
 * @returns one string per line
 */
export function formatCommands(
  commands: readonly CommandWithPurpose[],
  { paint, columns }: Pick<Sink, "paint" | "columns">,
): string[] {
  const width = getMaxWidth(commands.map(([command]) => command));
  const isOneLine = INDENT + width + GAP + getMaxWidth(commands.map(([, purpose]) => purpose)) <= columns;
  return commands.flatMap(([command, purpose]) => {
    const line = " ".repeat(INDENT) + paint.bold(command);
    if (purpose === "") return [line];
    if (isOneLine) return [`${line}${padEnd("", width - getMaxWidth([command]) + GAP)}${paint.dim(purpose)}`];
    return [
      line,
      ...wrap(purpose, columns - 2 * INDENT).map((line) => " ".repeat(2 * INDENT) + paint.dim(line)),
    ];
  });
}
