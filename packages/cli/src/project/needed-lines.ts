import type { NeededPackage } from "../bundle/needed-packages.js";
import { padEnd, widestOf, wrap } from "../terminal/text-format.js";

const INDENT = 2;
const GAP = 2;

/**
 * The packages that a server needs in `node_modules`, each with the reason why it is not in the build.
 *
 * @param title what comes before the list
 * @param columns how wide a line may be
 */
export function neededLines(title: string, needed: readonly NeededPackage[], columns: number): string[] {
  const width = widestOf(needed.map(nameAndVersion));
  const isBeside = INDENT + width + GAP + widestOf(needed.map(({ reason = "" }) => reason)) <= columns;
  const rows = needed.flatMap((each) => {
    const { reason = "" } = each;
    const name = " ".repeat(INDENT) + nameAndVersion(each);
    if (isBeside) return [`${padEnd(name, INDENT + width + GAP)}${reason}`.trimEnd()];
    const below = wrap(reason, columns - 2 * INDENT).map((line) => " ".repeat(2 * INDENT) + line);
    return reason === "" ? [name] : [name, ...below];
  });
  return [...wrap(title, columns), ...rows];
}

function nameAndVersion({ name, version = "" }: NeededPackage): string {
  return `${name} ${version}`.trimEnd();
}
