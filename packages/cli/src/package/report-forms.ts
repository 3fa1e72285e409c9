import { statSync } from "node:fs";
import { join } from "node:path";
import type { Manifest } from "@tenon/runtime/manifest";
import { neededLines } from "../project/needed-lines.js";
import { commandList } from "../terminal/command-list.js";
import type { Terminal } from "../terminal/terminal.js";
import { count, padEnd, summarize, widestOf, wrap } from "../terminal/text-format.js";
import type { FormName, MadeForm } from "./forms/package-form.js";
import type { WrittenForm } from "./write-forms.js";

export interface PackagingResult {
  readonly written: ReadonlyMap<FormName, WrittenForm>;
  readonly manifest: Manifest;
  readonly seconds: number;
}

/** More than these are told by their number. */
const MOST_FILES = 4;

/** Shows what was made, what does not go along, and what to do next. */
export function reportForms(
  { out, cwd }: Terminal,
  made: ReadonlyMap<FormName, MadeForm>,
  { written, manifest, seconds }: PackagingResult,
): void {
  const { paint } = out;
  const { name, version } = manifest.server;
  const lines = [
    `${paint.green("✓")} ${paint.bold(name)} ${version}: ${summarize(manifest)} ${paint.dim(`in ${seconds.toFixed(1)} s`)}`,
  ];
  for (const [form, { notes, needed = [], next }] of made) {
    const { files, left } = written.get(form) ?? { files: [], left: [] };
    lines.push("", paint.cyan(`--${form}`), ...fileLines(files, cwd));
    for (const path of left)
      lines.push(...indented(`${path} is as it was; --force replaces it.`, out.columns, paint.yellow));
    for (const note of notes) lines.push(...indented(note, out.columns));
    if (needed.length > 0) {
      const where = needed.length === 1 ? "It is" : "They are";
      lines.push(
        "",
        ...neededLines(
          `Not in there: ${count(needed.length, "package")}. ${where} looked for in node_modules.`,
          needed,
          out.columns - 2,
        ).map((line) => `  ${line}`.trimEnd()),
      );
    }
    if (next.length > 0) lines.push("", ...commandList(next, out));
  }
  out.write(`${lines.join("\n")}\n`);
}

function fileLines(files: readonly string[], cwd: string): string[] {
  const sizes = files.map((path) => ({ path, size: statSync(join(cwd, path)).size }));
  const shown = sizes.length > MOST_FILES ? sizes.slice(0, MOST_FILES - 1) : sizes;
  const rest = sizes.slice(shown.length);
  const rows = [
    ...shown.map(({ path, size }) => ({ label: path, size })),
    ...(rest.length === 0
      ? []
      : [
          {
            label: `… ${count(rest.length, "more file")}`,
            size: rest.reduce((sum, { size }) => sum + size, 0),
          },
        ]),
  ];
  const width = widestOf(rows.map(({ label }) => label));
  return rows.map(
    ({ label, size }) => `  ${padEnd(label, width)}  ${(size / 1024).toFixed(1).padStart(6)} kB`,
  );
}

/** A paragraph of its own, whose further lines stand a little to the right. */
function indented(text: string, columns: number, paint = (line: string): string => line): string[] {
  return wrap(text, columns - 4).map((line, number) => `${number === 0 ? "  " : "    "}${paint(line)}`);
}
