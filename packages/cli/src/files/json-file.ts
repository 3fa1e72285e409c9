import { readFileSync } from "node:fs";
import { parse, printParseErrorCode, type ParseError } from "jsonc-parser";

/**
 * Reads a JSON file. Removes the byte order mark that some Windows editors write.
 *
 * @throws SyntaxError with the line, the column, and the problem if it is not JSON, and the error of the system if it
 *   cannot be read
 * @example
 * readJsonFile("broken.json") // SyntaxError: line 3, column 5: comma expected
 */
export function readJsonFile(path: string): unknown {
  const text = readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new SyntaxError(describeJsonProblem(text) ?? (cause as Error).message, { cause });
  }
}

/** Describes the first problem of a string that is not JSON. Engines omit the position of some problems. */
function describeJsonProblem(text: string): string | undefined {
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true, allowEmptyContent: false });
  const [first] = errors;
  if (first === undefined) return undefined;
  const before = text.slice(0, first.offset).split("\n");
  const problem = printParseErrorCode(first.error)
    .replaceAll(/(?<=[a-z])([A-Z])/g, " $1")
    .toLowerCase();
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: ${problem}`;
}
