import type { Paint, Sink } from "../terminal/terminal.js";
import { count, padEnd, widestOf, wrap } from "../terminal/text-format.js";
import type { PermissionEffect, PermissionChange } from "../contract/permission-changes.js";

/** What each group of changes is headed by, the most dangerous first. */
const HEADINGS: Record<PermissionEffect, (changes: number) => string> = {
  opened: (changes) => `OPEN TO ANYBODY: ${count(changes, "change")} to look at first`,
  wider: () => "More callers may than before",
  different: () => "Other callers may than before",
  narrower: () => "Fewer callers may than before",
  new: () => "New",
};

/** Names wider than this do not move the text of the others. */
const WIDEST_NAME = 40;

/**
 * Who may do more or less than before, for whoever reviews a change. Ends with a line break.
 *
 * @param earlier what was compared with
 */
export function permissionReport(
  changes: readonly PermissionChange[],
  earlier: string,
  { paint, columns }: Sink,
): string {
  const effects = Object.keys(HEADINGS) as PermissionEffect[];
  const width = Math.min(WIDEST_NAME, widestOf(changes.map(labelOf)));
  const groups = effects.flatMap((effect) => {
    const found = changes.filter((each) => each.effect === effect);
    if (found.length === 0) return [];
    const lines = found.flatMap((each) => {
      const [head = "", ...rest] = wrap(each.message, columns - width - 6);
      return [
        `    ${padEnd(labelOf(each), width)}  ${head}`,
        ...rest.map((line) => `${" ".repeat(width + 6)}${line}`),
      ];
    });
    return [`  ${paintOf(effect, paint)(HEADINGS[effect](found.length))}`, ...lines, ""];
  });
  const head = `${paint.bold("Permissions")}  ${paint.dim(`compared with ${earlier}`)}`;
  const none = groups.length > 0 ? [] : ["  Nobody may do more or less than before.", ""];
  const note =
    "`authorize`, `enabled` and middleware are code: of the first two, only whether they are there is compared.";
  return `${[head, "", ...groups, ...none, ...wrap(note, columns).map((line) => paint.dim(line))].join("\n")}\n`;
}

function labelOf({ kind, name }: PermissionChange): string {
  return name === "" ? kind : `${kind} ${name}`;
}

function paintOf(effect: PermissionEffect, paint: Paint): (text: string) => string {
  if (effect === "opened") return (text) => paint.bold(paint.red(text));
  return effect === "wider" || effect === "different" ? paint.yellow : paint.bold;
}
