import { padEnd, widestOf, wrap } from "./text-format.js";
import type { Sink } from "./terminal.js";

/** A command to type, and what it does. */
export type ShownCommand = readonly [command: string, purpose: string];

const GAP = 3;
const INDENT = 2;

/**
 * Commands with what they do beside them, or below where the terminal is too narrow. A command is never broken, so that it can
 * be copied.
 *
 * @returns one string per line
 */
export function commandList(
  commands: readonly ShownCommand[],
  { paint, columns }: Pick<Sink, "paint" | "columns">,
): string[] {
  const width = widestOf(commands.map(([command]) => command));
  const isBeside = INDENT + width + GAP + widestOf(commands.map(([, purpose]) => purpose)) <= columns;
  return commands.flatMap(([command, purpose]) => {
    const shown = " ".repeat(INDENT) + paint.bold(command);
    if (purpose === "") return [shown];
    if (isBeside) return [`${shown}${padEnd("", width - widestOf([command]) + GAP)}${paint.dim(purpose)}`];
    return [
      shown,
      ...wrap(purpose, columns - 2 * INDENT).map((line) => " ".repeat(2 * INDENT) + paint.dim(line)),
    ];
  });
}
