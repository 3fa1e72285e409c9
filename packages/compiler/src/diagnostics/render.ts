import type { Diagnostic, SourceSpan } from "./diagnostic.js";

export interface RenderOptions {
  /** ANSI colours. Default false. */
  color?: boolean;
}

/** Tabs are drawn this wide, so that the underline sits below what it means. */
const TAB_WIDTH = 4;

/**
 * One diagnostic as a person reads it: place, severity and code, message, code frame, hint.
 *
 * @example
 * src/weather.ts:14:25  error  type-not-serializable
 *   Parameter `since` of tool `forecast` is a WeakMap, which JSON cannot carry.
 *
 *    13 │   @Tool()
 *  > 14 │   async forecast(since: WeakMap<object, Date>) {
 *       │                         ^^^^^^^^^^^^^^^^^^^^^
 *    15 │     return this.api.since(since);
 *
 *   hint  Use Record<string, Date>.
 */
export function renderDiagnostic(diagnostic: Diagnostic, options: RenderOptions = {}): string {
  const paint = options.color ? colored : plain;
  const { span } = diagnostic;
  const place = span ? `${span.file}:${span.start.line}:${span.start.column}  ` : "";
  const level = diagnostic.severity === "error" ? paint.red("error") : paint.yellow("warning");
  const parts = [
    `${paint.bold(place)}${level}  ${paint.dim(diagnostic.code)}`,
    indent(diagnostic.message, "  "),
  ];
  if (span) parts.push("", ...frame(span, paint));
  if (diagnostic.hint)
    parts.push("", indent(`${paint.cyan("hint")}  ${hang(diagnostic.hint, "        ")}`, "  "));
  return `${parts.join("\n")}\n`;
}

function frame(span: SourceSpan, paint: Paint): string[] {
  const { firstLine, lines } = span.excerpt;
  const gutter = String(firstLine + lines.length - 1).length;
  return lines.flatMap((text, index) => {
    const number = firstLine + index;
    const marked = number >= span.start.line && number <= span.end.line;
    const label = String(number).padStart(gutter);
    const shown = text.trimEnd() === "" ? "" : ` ${expandTabs(text)}`;
    const line = marked
      ? ` ${paint.red(">")} ${label} ${paint.dim("│")}${shown}`
      : `   ${paint.dim(`${label} │`)}${shown}`;
    if (!marked) return [line];
    const from = number === span.start.line ? span.start.column - 1 : text.length - text.trimStart().length;
    const to = number === span.end.line ? span.end.column - 1 : text.length;
    const marks = "^".repeat(Math.max(1, width(text.slice(from, to))));
    const pad = " ".repeat(width(text.slice(0, from)));
    return [line, `   ${" ".repeat(gutter)} ${paint.dim("│")} ${pad}${paint.red(marks)}`];
  });
}

/** Columns a terminal uses: tabs expanded, East Asian wide characters and emoji counted twice, marks not at all. */
function width(text: string): number {
  let columns = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (segment === "\t") columns += TAB_WIDTH;
    else columns += WIDE.test(segment) ? 2 : 1;
  }
  return columns;
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

function expandTabs(text: string): string {
  return text.replaceAll("\t", " ".repeat(TAB_WIDTH));
}

function indent(text: string, by: string): string {
  return text
    .split("\n")
    .map((line) => (line ? by + line : line))
    .join("\n");
}

/** Lines after the first start under the first. */
function hang(text: string, by: string): string {
  return text.replaceAll("\n", `\n${by.slice(2)}`);
}

interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

const plain: Paint = { bold: same, dim: same, red: same, yellow: same, cyan: same };

const colored: Paint = {
  bold: (text) => (text ? `\u001b[1m${text}\u001b[22m` : ""),
  dim: (text) => `\u001b[2m${text}\u001b[22m`,
  red: (text) => `\u001b[31m${text}\u001b[39m`,
  yellow: (text) => `\u001b[33m${text}\u001b[39m`,
  cyan: (text) => `\u001b[36m${text}\u001b[39m`,
};

function same(text: string): string {
  return text;
}
