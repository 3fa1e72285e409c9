import { padEnd, widestOf, wrap } from "./text-format.js";

export interface TableOptions {
  /** In columns. The last two cells of a row share what the others leave. */
  width: number;
  /** Applied to the header line. */
  header: (text: string) => string;
}

const GAP = 2;
/** No column but the last is wider than this, except for a long word; longer text continues on the next line. */
const WIDEST = 40;

/**
 * Rows of plain text in aligned columns. Long cells are wrapped, columns without any content are left out.
 *
 * @returns one string per line, without trailing spaces
 */
export function table(head: string[], rows: string[][], options: TableOptions): string[] {
  const kept = head.map((_, column) => column).filter((column) => rows.some((row) => row[column]));
  const widths = kept.map((column) => {
    const cells = [head, ...rows].map((row) => row[column] ?? "");
    const width = widestOf(cells);
    // A word is never broken, so it may make a column wider.
    return width <= WIDEST ? width : Math.max(WIDEST, widestOf(cells.flatMap((cell) => cell.split(/\s/))));
  });
  const before = widths.slice(0, -1).reduce((sum, width) => sum + width + GAP, 0);
  widths[widths.length - 1] = Math.max(20, options.width - before);
  const layout = (row: string[]): string[] => {
    const cells = kept.map((column, index) => wrap(row[column] ?? "", widths[index] ?? 0));
    const height = Math.max(...cells.map((lines) => lines.length));
    return Array.from({ length: height }, (_, line) =>
      cells
        .map((lines, index) => padEnd(lines[line] ?? "", (widths[index] ?? 0) + GAP))
        .join("")
        .trimEnd(),
    );
  };
  return [...layout(head).map(options.header), ...rows.flatMap(layout)];
}
