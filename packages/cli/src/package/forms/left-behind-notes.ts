import { relative } from "node:path";
import type { LeftBehind } from "../../bundle/files-left-behind.js";

/** Says what the server reads from packages beside the project, which goes along in no form. */
export function leftBehindNotes(left: readonly LeftBehind[], root: string): string[] {
  return left.map(({ path, name }) => {
    const what = `${relative(root, path).replaceAll("\\", "/")}${name === undefined ? "" : ` (${name})`}`;
    return /\.[cm]?tsx?$/.test(path)
      ? `Not in there: the files that ${what} reads by its own place. Import what they hold.`
      : `Not in there: ${what}, which the server reads where it lies. Import what it holds.`;
  });
}
