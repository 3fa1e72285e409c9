import type { ServerChange } from "../compare/compare-servers.js";
import type { Sink } from "../terminal/terminal.js";
import { padEnd, getMaxWidth, wrap } from "../terminal/text-format.js";

/** Maximum width of the column with the names. */
const MAX_NAME_COLUMNS = 40;
const MIN_MESSAGE_COLUMNS = 20;

/** The heading of the changes of one effect. */
export interface Heading {
  readonly text: (changes: number) => string;
  /** How much the changes matter to the reader. */
  readonly tone: "danger" | "caution" | "plain";
}

/** Formats the kind and name of a changed entry. */
export function formatLabel({ kind, name }: Pick<ServerChange, "kind" | "name">): string {
  return name === "" ? kind : `${kind} ${name}`;
}

/**
 * Formats a report of changes, grouped by effect.
 *
 * @param headings in the order of the report
 * @param getLocation returns the source location of a change, to print below it
 */
export function formatChangeGroups<
  Change extends Pick<ServerChange, "kind" | "name" | "message"> & { effect: string },
>(
  changes: readonly Change[],
  headings: Readonly<Record<Change["effect"], Heading>>,
  { paint, columns }: Sink,
  getLocation: (change: Change) => string | undefined = () => undefined,
): string[] {
  const tones = {
    danger: (text: string) => paint.bold(paint.red(text)),
    caution: paint.yellow,
    plain: paint.bold,
  };
  const width = Math.min(MAX_NAME_COLUMNS, getMaxWidth(changes.map(formatLabel)));
  const indent = " ".repeat(width + 6);
  return Object.entries<Heading>(headings).flatMap(([effect, { text, tone }]) => {
    const found = changes.filter((each) => each.effect === effect);
    const lines = found.flatMap((each) => {
      const [first = "", ...rest] = wrap(
        each.message,
        Math.max(MIN_MESSAGE_COLUMNS, columns - indent.length),
      );
      const location = getLocation(each);
      const below = [...rest, ...(location === undefined ? [] : [paint.dim(location)])];
      return [`    ${padEnd(formatLabel(each), width)}  ${first}`, ...below.map((line) => indent + line)];
    });
    return found.length === 0 ? [] : [`  ${tones[tone](text(found.length))}`, ...lines, ""];
  });
}
