import { readFileSync } from "node:fs";
import { catalogueEntries, diagnosticPage, type DiagnosticCode } from "@tenon/compiler";
import { Failure } from "../terminal/failure.js";
import type { Sink, Terminal } from "../terminal/terminal.js";
import { table } from "../terminal/table.js";
import { wrapDiagnostic } from "../terminal/text-format.js";
import { unknownName } from "../terminal/unknown-name.js";

/**
 * `tenon explain [code]`: the page of a diagnostic, or a list of all codes.
 *
 * @throws Failure (exit code 2) with the nearest code, when there is none of that name
 */
export function explain({ out }: Terminal, code?: string): number {
  const codes = catalogueEntries();
  if (code === undefined) {
    const rows = codes.map((each) => [each.code, each.severity]);
    out.write(`${table(["code", ""], rows, { width: out.columns, header: out.paint.dim }).join("\n")}\n`);
    return 0;
  }
  if (!isCode(code)) {
    const { message } = unknownName(
      "diagnostic",
      code,
      codes.map((each) => each.code),
    );
    throw new Failure(message, { hint: "`tenon explain` lists all codes.", exitCode: 2 });
  }
  const { address, file } = diagnosticPage(code);
  out.write(`${pageText(readFileSync(file, "utf8"), out)}\n${out.paint.dim(`page  ${address}`)}\n`);
  return 0;

  function isCode(text: string): text is DiagnosticCode {
    return codes.some((each) => each.code === text);
  }
}

/** A page as a terminal shows it: without the marks of its blocks, and without the link to the list. */
function pageText(markdown: string, { paint, columns }: Sink): string {
  const page = markdown
    .replace(/\n\[All diagnostics\].*\n/, "")
    .replace(/^# `(.+)`$/m, (_, code: string) => paint.bold(code))
    .replace(/^## (.+)$/m, (_, heading: string) => paint.bold(heading));
  // Every other piece is a block: what Tenon prints is wrapped like the text around it, and source code is not.
  return page
    .split(/^```(.*)\n/m)
    .map((piece, index, all) => {
      if (index % 2 === 1) return "";
      const block = index % 4 === 2 ? all[index - 1] : "text";
      return block === "text" ? wrapDiagnostic(piece, columns) : piece;
    })
    .join("");
}
