import type { NeededPackage } from "../bundle/needed-packages.js";
import { padEnd, getMaxWidth, wrap } from "../terminal/text-format.js";

const INDENT = 2;
const GAP = 2;

/**
 * Formats the packages that a server needs in `node_modules`, each with the reason why it is not bundled.
 *
 * @param title the heading
 * @param columns the maximum width of a line
 */
export function formatNeededPackages(
  title: string,
  needed: readonly NeededPackage[],
  columns: number,
): string[] {
  const width = getMaxWidth(needed.map(formatNameAndVersion));
  const isOneLine = INDENT + width + GAP + getMaxWidth(needed.map(({ reason = "" }) => reason)) <= columns;
  const rows = needed.flatMap((each) => {
    const { reason = "" } = each;
    const name = " ".repeat(INDENT) + formatNameAndVersion(each);
    if (isOneLine) return [`${padEnd(name, INDENT + width + GAP)}${reason}`.trimEnd()];
    const below = wrap(reason, columns - 2 * INDENT).map((line) => " ".repeat(2 * INDENT) + line);
    return reason === "" ? [name] : [name, ...below];
  });
  return [...wrap(title, columns), ...rows];
}

function formatNameAndVersion({ name, version = "" }: NeededPackage): string {
  return `${name} ${version}`.trimEnd();
}
