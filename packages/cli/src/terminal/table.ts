import { padEnd, getMaxWidth, wrap } from "./text-format.js";

/** The layout of a table. */
export interface TableOptions {
  /** The width in columns. */
  width: number;
  /** Applied to the header line. */
  header: (text: string) => string;
}

const GAP = 2;
/** Maximum width of all columns but the last, unless a word is longer. Longer text continues on the next line. */
const MAX_CELL_COLUMNS = 40;
/** Minimum width of the last column, unless its content needs less: narrower text is hard to read. */
const MIN_LAST_CELL_COLUMNS = 20;

/**
 * Formats rows of plain text in aligned columns. Long cells are wrapped, and empty columns are omitted. If the columns
 * do not fit next to each other, each row becomes a paragraph.
 *
 * @returns one string per line, without trailing spaces
 */
export function formatTable(head: string[], rows: string[][], options: TableOptions): string[] {
  const used = head.map((_, column) => column).filter((column) => rows.some((row) => row[column]));
  const pick = (row: string[]): string[] => used.map((column) => row[column] ?? "");
  const columns = used.map((column) => measure([head, ...rows].map((row) => row[column] ?? "")));
  const widths = fitColumns(columns, options.width);
  if (!widths) return formatParagraphs(pick(head), rows.map(pick), options);
  const layOut = (row: string[]): string[] => {
    const cells = pick(row).map((cell, index) => wrap(cell, widths[index] ?? 0));
    const height = Math.max(...cells.map((lines) => lines.length));
    return Array.from({ length: height }, (_, line) =>
      cells
        .map((lines, index) => padEnd(lines[line] ?? "", (widths[index] ?? 0) + GAP))
        .join("")
        .trimEnd(),
    );
  };
  return [...layOut(head).map(options.header), ...rows.flatMap(layOut)];
}

/** The widths of a table column. */
interface ColumnWidths {
  /** The width of the longest cell, or a smaller one if that cell must be wrapped. */
  preferred: number;
  /** The width of the longest word, since words are never broken. */
  min: number;
}

function measure(cells: readonly string[]): ColumnWidths {
  const width = getMaxWidth(cells);
  const min = getMaxWidth(cells.flatMap((cell) => cell.split(/\s/)));
  return { preferred: width <= MAX_CELL_COLUMNS ? width : Math.max(MAX_CELL_COLUMNS, min), min };
}

/** Returns the width of each column, or undefined if they do not fit. The last column gets the remaining width. */
function fitColumns(columns: readonly ColumnWidths[], width: number): number[] | undefined {
  const last = columns.at(-1);
  if (!last) return [];
  const widths = columns.slice(0, -1).map(({ preferred }) => preferred);
  const lastMin = Math.max(last.min, Math.min(MIN_LAST_CELL_COLUMNS, last.preferred));
  const getRemainingWidth = (): number => width - widths.reduce((sum, each) => sum + each + GAP, 0);
  while (getRemainingWidth() < lastMin) {
    const spare = widths.map((each, index) => each - (columns[index]?.min ?? 0));
    const max = Math.max(0, ...spare);
    if (max === 0) return undefined;
    const widest = spare.indexOf(max);
    widths[widest] = (widths[widest] ?? 0) - Math.min(max, lastMin - getRemainingWidth());
  }
  return [...widths, getRemainingWidth()];
}

function formatParagraphs(
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
