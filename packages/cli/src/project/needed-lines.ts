import type { NeededPackage } from "../bundle/needed-packages.js";
import { padEnd, widestOf, wrap } from "../terminal/text-format.js";

/**
 * The packages that a server needs in `node_modules`, each with the reason why it is not in the build.
 *
 * @param title what comes before the list
 * @param columns how wide a line may be
 */
export function neededLines(title: string, needed: readonly NeededPackage[], columns: number): string[] {
  const width = widestOf(needed.map(nameAndVersion));
  const rows = needed.map((each) =>
    `  ${padEnd(nameAndVersion(each), width)}  ${each.reason ?? ""}`.trimEnd(),
  );
  return [...wrap(title, columns), ...rows];
}

function nameAndVersion({ name, version = "" }: NeededPackage): string {
  return `${name} ${version}`.trimEnd();
}
