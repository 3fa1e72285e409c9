import { relative } from "node:path";
import type { BuiltServer } from "./package-form.js";
import type { AccompanyingFiles } from "./accompanying-files.js";

/**
 * Says what a server reads that does not go along: what `files` of package.json does not name, and what lies in packages
 * beside the project, which goes along in no form.
 */
export function leftBehindNotes(
  { leftBehind, ownFiles }: Pick<BuiltServer, "leftBehind" | "ownFiles">,
  { files }: AccompanyingFiles,
  root: string,
): string[] {
  const along = [...files.keys()];
  const unnamed = ownFiles.filter(
    ({ path }) => !along.some((each) => each === path || each.startsWith(`${path}/`)),
  );
  return [
    ...unnamed.map(
      ({ path, readBy }) =>
        `Not in there: ${path}, which ${readBy} reads where it lies. Name it in \`files\` of package.json.`,
    ),
    ...besideNotes(leftBehind, root),
  ];
}

function besideNotes(left: BuiltServer["leftBehind"], root: string): string[] {
  return left.map(({ path, name }) => {
    const what = `${relative(root, path).replaceAll("\\", "/")}${name === undefined ? "" : ` (${name})`}`;
    return /\.[cm]?tsx?$/.test(path)
      ? `Not in there: the files that ${what} reads by its own place. Import what they hold.`
      : `Not in there: ${what}, which the server reads where it lies. Import what it holds.`;
  });
}
