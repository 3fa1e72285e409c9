import { padEnd, widestOf, wrap } from "./text-format.js";

export interface TableOptions {
  /** In columns. */
  width: number;
  /** Applied to the header line. */
  header: (text: string) => string;
}

const GAP = 2;
/** No column but the last is wider than this, except for a long word; longer text continues on the next line. */
const WIDEST = 40;
/** What the last column has at least, unless its content needs less: narrower text is hard to read. */
const LAST = 20;

/**
 * Rows of plain text in aligned columns. Long cells are wrapped, columns without any content are left out. Where the
 * columns do not fit beside each other, each row becomes a paragraph of its own.
 *
 * @returns one string per line, without trailing spaces
 */
export function table(head: string[], rows: string[][], options: TableOptions): string[] {
  const kept = head.map((_, column) => column).filter((column) => rows.some((row) => row[column]));
  const pick = (row: string[]): string[] => kept.map((column) => row[column] ?? "");
  const columns = kept.map((column) => measure([head, ...rows].map((row) => row[column] ?? "")));
  const widths = fit(columns, options.width);
  if (!widths) return paragraphs(pick(head), rows.map(pick), options);
  const layout = (row: string[]): string[] => {
    const cells = pick(row).map((cell, index) => wrap(cell, widths[index] ?? 0));
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

/** How many columns of the terminal a column of a table takes. */
interface Measured {
  /** On one line, or wrapped where that is very long. */
  wanted: number;
  /** Wrapped at every space: a word is never broken. */
  least: number;
}

function measure(cells: readonly string[]): Measured {
  const width = widestOf(cells);
  const least = widestOf(cells.flatMap((cell) => cell.split(/\s/)));
  return { wanted: width <= WIDEST ? width : Math.max(WIDEST, least), least };
}

/** The width of each column; nothing when they do not fit. The last takes what the others leave. */
function fit(columns: readonly Measured[], width: number): number[] | undefined {
  const last = columns.at(-1);
  if (!last) return [];
  const widths = columns.slice(0, -1).map(({ wanted }) => wanted);
  const lastLeast = Math.max(last.least, Math.min(LAST, last.wanted));
  const left = (): number => width - widths.reduce((sum, each) => sum + each + GAP, 0);
  while (left() < lastLeast) {
    const spare = widths.map((each, index) => each - (columns[index]?.least ?? 0));
    const most = Math.max(0, ...spare);
    if (most === 0) return undefined;
    const widest = spare.indexOf(most);
    widths[widest] = (widths[widest] ?? 0) - Math.min(most, lastLeast - left());
  }
  return [...widths, left()];
}

function paragraphs(
  head: readonly string[],
  rows: readonly string[][],
  { width, header }: TableOptions,
): string[] {
  return rows.flatMap((row, number) => {
    const [title = "", ...values] = row;
    const lines = values.flatMap((value, index) =>
      value === "" ? [] : wrap(`${head[index + 1] ?? ""}: ${value}`, width - GAP),
    );
    return [...(number === 0 ? [] : [""]), header(title), ...lines.map((line) => " ".repeat(GAP) + line)];
  });
}
