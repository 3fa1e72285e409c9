import { readFileSync } from "node:fs";
import { posix } from "node:path";
import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import type { ConfigDeclaration } from "../model.js";
import type { Project } from "../project/project.js";
import { findConfigOption } from "./literals.js";

/**
 * Returns the instructions of a server: the text in the source, or the content of the file that it names.
 *
 * @returns undefined if there are none, or the file cannot be read, which is reported
 */
export function readInstructions(
  config: ConfigDeclaration | undefined,
  { root, checker }: Project,
  collector: DiagnosticCollector,
): string | undefined {
  const { instructions } = config?.plain ?? {};
  // Options of the wrong type are already reported.
  if (typeof instructions !== "object" || typeof instructions.file !== "string") return toText(instructions);
  const { file } = instructions;
  const path = posix.join(posix.dirname(config?.module ?? ""), file);
  const bytes = path.startsWith("src/") ? readBytes(posix.join(root, path)) : undefined;
  const text = bytes && decodeText(bytes);
  if (text) return text;
  const problem = !path.startsWith("src/")
    ? "outside"
    : !bytes
      ? "missing"
      : text === ""
        ? "empty"
        : "not-text";
  const at = config?.argument && findConfigOption(config.argument, "instructions", checker);
  collector.createReport()("config-instructions-unreadable", at, { file, path, problem });
  return undefined;
}

function toText(instructions: unknown): string | undefined {
  return typeof instructions === "string" ? instructions : undefined;
}

function readBytes(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/** Returns bytes as text, without a byte order mark and blank lines at its ends. Undefined if they are not UTF-8. */
function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes).replaceAll("\r\n", "\n").trim();
  } catch {
    return undefined;
  }
}
