import type { Diagnostic, SourceSpan } from "./diagnostic.js";

/** Options for the text of a diagnostic. */
export interface RenderOptions {
  /** Whether to use ANSI colors. Default: false. */
  color?: boolean;
  /** Whether to omit the code frame and the hint. Default: false. */
  isBrief?: boolean;
}

/** Width of a tab in a code frame. A fixed width keeps the underline below its source. */
const TAB_WIDTH = 4;

/**
 * Renders one diagnostic for people: location, severity, code, message, code frame, and hint.
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
  const location = span ? `${span.file}:${span.start.line}:${span.start.column}  ` : "";
  const level = diagnostic.severity === "error" ? paint.red("error") : paint.yellow("warning");
  const parts = [
    `${paint.bold(location)}${level}  ${paint.dim(diagnostic.code)}`,
    indent(diagnostic.message, "  "),
  ];
  if (options.isBrief === true) return `${parts.join("\n")}\n`;
  if (span) parts.push("", ...renderFrame(span, paint));
  if (diagnostic.hint)
    parts.push("", indent(`${paint.cyan("hint")}  ${indentRest(diagnostic.hint, "        ")}`, "  "));
  return `${parts.join("\n")}\n`;
}

function renderFrame(span: SourceSpan, paint: Paint): string[] {
  const { firstLine, lines } = span.excerpt;
  const gutter = String(firstLine + lines.length - 1).length;
  return lines.flatMap((text, index) => {
    const number = firstLine + index;
    const isMarked = number >= span.start.line && number <= span.end.line;
    const label = String(number).padStart(gutter);
    const source = text.trimEnd() === "" ? "" : ` ${expandTabs(text)}`;
    const line = isMarked
      ? ` ${paint.red(">")} ${label} ${paint.dim("│")}${source}`
      : `   ${paint.dim(`${label} │`)}${source}`;
    if (!isMarked) return [line];
    const from = number === span.start.line ? span.start.column - 1 : text.length - text.trimStart().length;
    const to = number === span.end.line ? span.end.column - 1 : text.length;
    const marks = "^".repeat(Math.max(1, measureWidth(text.slice(from, to))));
    const pad = " ".repeat(measureWidth(text.slice(0, from)));
    return [line, `   ${" ".repeat(gutter)} ${paint.dim("│")} ${pad}${paint.red(marks)}`];
  });
}

/** Returns the number of terminal columns: East Asian wide characters and emoji use two, combining marks none. */
function measureWidth(text: string): number {
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

function indent(text: string, indentation: string): string {
  return text
    .split("\n")
    .map((line) => (line ? indentation + line : line))
    .join("\n");
}

/** Indents all lines but the first, so that they align with it. */
function indentRest(text: string, indentation: string): string {
  return text.replaceAll("\n", `\n${indentation.slice(2)}`);
}

interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

const plain: Paint = { bold: identity, dim: identity, red: identity, yellow: identity, cyan: identity };

const colored: Paint = {
  bold: (text) => (text ? `\u001b[1m${text}\u001b[22m` : ""),
  dim: (text) => `\u001b[2m${text}\u001b[22m`,
  red: (text) => `\u001b[31m${text}\u001b[39m`,
  yellow: (text) => `\u001b[33m${text}\u001b[39m`,
  cyan: (text) => `\u001b[36m${text}\u001b[39m`,
};

function identity(text: string): string {
  return text;
}
