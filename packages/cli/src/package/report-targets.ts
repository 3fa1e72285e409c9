import { statSync } from "node:fs";
import { join } from "node:path";
import type { Manifest } from "@tenon/runtime/manifest";
import { formatNeededPackages } from "../project/needed-lines.js";
import { formatSizes, formatSuccess } from "../project/result-lines.js";
import { formatCommands } from "../terminal/command-list.js";
import type { Terminal } from "../terminal/terminal.js";
import { formatCount, wrap } from "../terminal/text-format.js";
import type { TargetName, PackagedTarget } from "./targets/package-target.js";
import type { WrittenTarget } from "./write-targets.js";

/** The result of packaging. */
export interface PackagingResult {
  readonly written: ReadonlyMap<TargetName, WrittenTarget>;
  readonly manifest: Manifest;
  readonly seconds: number;
}

/** Maximum number of files shown per target. One line summarizes the others. */
const MAX_SHOWN_FILES = 4;

/** Reports the targets, the packages that they do not contain, and the next steps. */
export function reportTargets(
  { out, cwd }: Terminal,
  packaged: ReadonlyMap<TargetName, PackagedTarget>,
  { written, manifest, seconds }: PackagingResult,
): void {
  const { paint } = out;
  const lines = [formatSuccess(manifest, seconds, paint)];
  for (const [target, { notes, needed = [], next }] of packaged) {
    const { files, unchanged } = written.get(target) ?? { files: [], unchanged: [] };
    lines.push("", paint.cyan(`--${target}`), ...formatFiles(files, cwd));
    for (const path of unchanged)
      lines.push(
        ...indentParagraph(`${path} was not changed. Replace it with --force.`, out.columns, paint.yellow),
      );
    for (const note of notes) lines.push(...indentParagraph(note, out.columns));
    if (needed.length > 0) {
      const verb = needed.length === 1 ? "is" : "are";
      lines.push(
        "",
        ...formatNeededPackages(
          `Not included: ${formatCount(needed.length, "package")}, which ${verb} loaded from node_modules.`,
          needed,
          out.columns - 2,
        ).map((line) => `  ${line}`.trimEnd()),
      );
    }
    if (next.length > 0) lines.push("", ...formatCommands(next, out));
  }
  out.write(`${lines.join("\n")}\n`);
}

function formatFiles(files: readonly string[], cwd: string): string[] {
  const sizes = files.map((label) => ({ label, size: statSync(join(cwd, label)).size }));
  const shown = sizes.length > MAX_SHOWN_FILES ? sizes.slice(0, MAX_SHOWN_FILES - 1) : sizes;
  const rest = sizes.slice(shown.length);
  const restSize = rest.reduce((sum, { size }) => sum + size, 0);
  const restRows =
    rest.length === 0 ? [] : [{ label: `… ${formatCount(rest.length, "more file")}`, size: restSize }];
  return formatSizes([...shown, ...restRows]).map((line) => `  ${line}`);
}

/** Wraps and indents a paragraph. The lines after the first are indented further. */
function indentParagraph(text: string, columns: number, paint = (line: string): string => line): string[] {
  return wrap(text, columns - 4).map((line, number) => `${number === 0 ? "  " : "    "}${paint(line)}`);
}
