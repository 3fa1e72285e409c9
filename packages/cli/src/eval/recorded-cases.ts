import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { writeFileTree } from "@tenon/compiler";
import { parsePointer } from "../compare/json/json-pointer.js";
import { findProjectRoot } from "../project/project-root.js";
import { findRecording, formatPath } from "../recording/find-recording.js";
import { parseRecording } from "../recording/format.js";
import { readSession, type Exchange, type Session } from "../recording/session.js";
import { toSource } from "../replay/test-file/source-text.js";
import { Failure } from "../terminal/failure.js";
import type { Terminal } from "../terminal/terminal.js";
import { formatCount } from "../terminal/text-format.js";

/** A file with cases. */
export interface RecordedCases {
  readonly source: string;
  /** The number of cases. */
  readonly cases: number;
  /** The number of failed calls. They are not written. */
  readonly failed: number;
}

/** Matches a masked value anywhere in a string. */
const MASK = /\(secret \d+\)/;

/**
 * Runs `tenon eval --from [recording]`: writes a file with a case for each tool call in a recording.
 *
 * @param recorded the recording, or a folder, of which the newest recording is used (default: the recordings of the project)
 * @param named the file to write (default: one in `test/` with the name of the recording)
 * @throws Failure if the recording has no calls, or the file exists
 */
export function writeRecordedCases(
  { cwd, err }: Terminal,
  recorded: string | undefined,
  named: readonly string[],
): number {
  if (named.length > 1)
    throw new Failure("--from writes one file.", { hint: "Name at most one file.", exitCode: 2 });
  const root = findProjectRoot(".", cwd);
  const path = findRecording(root, recorded, cwd);
  const { messages } = parseRecording(readFileSync(path, "utf8"), formatPath(path, cwd));
  const [file] = named;
  const target =
    file === undefined ? join(root, "test", `${basename(path, ".jsonl")}.evals.ts`) : resolve(cwd, file);
  const shown = formatPath(target, cwd);
  if (existsSync(target))
    throw new Failure(`${shown} already exists.`, { hint: "Remove it, or name another file." });
  const { source, cases, failed } = createRecordedCases(readSession(messages), basename(path));
  if (cases === 0) throw new Failure(`${formatPath(path, cwd)} contains no successful tool call.`);
  writeFileTree(new Map([[basename(target), source]]), dirname(target));
  const omitted =
    failed > 0 ? `; ${formatCount(failed, "failed call")} ${failed === 1 ? "was" : "were"} omitted` : "";
  err.write(`${err.paint.green("✓")} Wrote ${shown}: ${formatCount(cases, "case")}${omitted}\n`);
  err.write(
    "  Write the prompt of each case: a recording contains calls, but not the messages of the user.\n",
  );
  if (!relative(root, target).endsWith(".evals.ts"))
    err.write("  `tenon eval` finds only files whose names end in .evals.ts, unless you name others.\n");
  return 0;
}

/**
 * Returns a file with a case for each different call that succeeded. Arguments that contain a masked value are omitted.
 *
 * @param name the file name of the recording
 */
export function createRecordedCases({ exchanges }: Session, name: string): RecordedCases {
  const calls = exchanges.filter(
    ({ method, params }) => method === "tools/call" && params["requestState"] === undefined,
  );
  const succeeded = calls.filter(hasSucceeded);
  const cases = [...new Set(succeeded.map(formatCase))];
  const source = `import { defineEvals } from "@tenon/cli/testing";

// From ${name}. Write each prompt as a user would, and remove the arguments that do not follow from it.
export default defineEvals({
  cases: [
${cases.join("")}  ],
});
`;
  return { source, cases: cases.length, failed: calls.length - succeeded.length };
}

function hasSucceeded({ answer, isCancelled }: Exchange): boolean {
  return !isCancelled && answer?.result !== undefined && answer.result["isError"] !== true;
}

function formatCase({ params, masked }: Exchange): string {
  const { name, arguments: given } = params;
  const args = Object.entries(Object(given) as object);
  // Pointers are relative to the line of the recording: /message/params/arguments/NAME/…
  const secret = new Set(masked.map((pointer) => parsePointer(pointer)[3]));
  const isSecret = ([argument, value]: [string, unknown]): boolean =>
    secret.has(argument) || MASK.test(JSON.stringify([argument, value]));
  const hidden = args.filter(isSecret).map(([argument]) => argument);
  const asserted = args.filter((each) => !isSecret(each));
  const text = toSource(
    {
      prompt: "",
      tool: String(name),
      ...(asserted.length > 0 && { arguments: Object.fromEntries(asserted) }),
    },
    "    ",
    1,
  );
  const note =
    hidden.length > 0 ? `    // Masked in the recording, and not asserted: ${hidden.join(", ")}\n` : "";
  return `${note}    ${text},\n`;
}
