import { readFileSync } from "node:fs";

/**
 * What a JSON file holds. Editors of Windows put a byte order mark before it, which is no part of JSON.
 *
 * @throws SyntaxError when it is not JSON, and what the system says when it cannot be read
 */
export function readJsonFile(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8").replace(/^\uFEFF/, ""));
}
