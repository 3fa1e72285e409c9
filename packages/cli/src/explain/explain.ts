import { readFileSync } from "node:fs";
import { listDiagnosticCodes, getDiagnosticPage, type DiagnosticCode } from "@tenon/compiler";
import { Failure } from "../terminal/failure.js";
import type { Sink, Terminal } from "../terminal/terminal.js";
import { formatTable } from "../terminal/table.js";
import { wrapDiagnostic } from "../terminal/text-format.js";
import { createUnknownNameFailure } from "../terminal/unknown-name.js";

/**
 * Runs `tenon explain [code]`: prints the page of a diagnostic, or a list of all codes.
 *
 * @throws Failure (exit code 2) with the nearest code if the code is unknown
 */
export function explain({ out }: Terminal, code?: string): number {
  const codes = listDiagnosticCodes();
  if (code === undefined) {
    const rows = codes.map((each) => [each.code, each.severity]);
    out.write(
      `${formatTable(["code", ""], rows, { width: out.columns, header: out.paint.dim }).join("\n")}\n`,
    );
    return 0;
  }
  if (!isCode(code)) {
    const { message } = createUnknownNameFailure(
      "diagnostic",
      code,
      codes.map((each) => each.code),
    );
    throw new Failure(message, { hint: "`tenon explain` lists all codes.", exitCode: 2 });
  }
  const { address, file } = getDiagnosticPage(code);
  out.write(`${formatPage(readFileSync(file, "utf8"), out)}\n${out.paint.dim(`page  ${address}`)}\n`);
  return 0;

  function isCode(text: string): text is DiagnosticCode {
    return codes.some((each) => each.code === text);
  }
}

/** Formats a page for a terminal, without code fences and the link to the list. */
function formatPage(markdown: string, { paint, columns }: Sink): string {
  const page = markdown
    .replace(/\n\[All diagnostics\].*\n/, "")
    .replace(/^# (.+)$/m, (_, title: string) => paint.bold(title.replaceAll("`", "")))
    .replace(/^## (.+)$/m, (_, heading: string) => paint.bold(heading));
  // Every other piece is a block. Output of Tenon is wrapped like text; source code is not.
  return page
    .split(/^```(.*)\n/m)
    .map((piece, index, all) => {
      if (index % 2 === 1) return "";
      const block = index % 4 === 2 ? all[index - 1] : "text";
      return block === "text" ? wrapDiagnostic(piece, columns) : piece;
    })
    .join("");
}
