import { existsSync, readFileSync, statSync } from "node:fs";
import { join, normalize, relative } from "node:path";
import type { ExternalFiles } from "../../bundle/external-files.js";
import { TYPESCRIPT } from "../../bundle/installed-packages.js";
import { listFiles } from "../../files/list-files.js";
import { describeUnbuilt, formatPaths } from "../../project/unbuilt-lines.js";
import { Failure } from "../../terminal/failure.js";
import { formatList } from "../../terminal/text-format.js";

/** The files of a project that are distributed with its server, such as data that it reads. */
export interface AccompanyingFiles {
  /** By path, relative to the project folder. */
  readonly files: ReadonlyMap<string, Buffer>;
  /** The files and folders that package.json names. */
  readonly entries: readonly string[];
  /** Messages about missing files that package.json names or the server reads. */
  readonly notes: readonly string[];
}

const SKIPPED = ["node_modules", ".git"];

/**
 * Reads the files that `files` in package.json names, except the build. Ignores and reports patterns, which npm
 * accepts there.
 */
export function readAccompanyingFiles(
  root: string,
  named: readonly string[],
  read: ExternalFiles,
): AccompanyingFiles {
  const files = new Map<string, Buffer>();
  const entries: string[] = [];
  const notes: string[] = [];
  for (const entry of named) {
    const path = normalize(entry)
      .replaceAll("\\", "/")
      .replace(/^\.?\//, "")
      .replace(/\/$/, "");
    if (/^(?:\.?$|!?dist\/|dist$)/.test(path)) continue;
    if (/[*?[\]{}!]/.test(path) || path.startsWith("..") || !existsSync(join(root, path))) {
      notes.push(
        `\`files\` in package.json contains ${entry}, which is ignored. Name a file or folder of the project.`,
      );
      continue;
    }
    entries.push(path);
    for (const file of listFilesAt(root, path)) files.set(file, readFileSync(join(root, file)));
  }
  return { files, entries, notes: [...notes, ...describeMissing(read, [...files.keys()], root)] };
}

function listFilesAt(root: string, path: string): string[] {
  if (statSync(join(root, path)).isFile()) return [path];
  return listFiles(join(root, path), SKIPPED).map((inside) => `${path}/${inside}`);
}

/** Reports files that the server reads and that `files` does not name, or that are in packages next to the project. */
function describeMissing(
  { ownFiles, externalFiles, unbuiltFiles }: ExternalFiles,
  files: string[],
  root: string,
): string[] {
  const isIncluded = (path: string): boolean =>
    files.some((each) => each === path || each.startsWith(`${path}/`));
  return [
    ...ownFiles.flatMap(({ path, readBy }) =>
      isIncluded(path)
        ? []
        : `Not included: ${path}, which ${readBy} reads. Add it to \`files\` in package.json.`,
    ),
    ...externalFiles.map(({ path, name }) => {
      const shown = `${relative(root, path).replaceAll("\\", "/")}${name === undefined ? "" : ` (${name})`}`;
      return TYPESCRIPT.test(path)
        ? `Not included: the files that ${shown} reads relative to itself. Import their content instead.`
        : `Not included: ${shown}, which the server reads. Import its content instead.`;
    }),
    ...describeUnbuilt(unbuiltFiles),
  ];
}

/**
 * Rejects files that the server reads and that the target cannot contain. Otherwise, the server would start, and fail when it reads them.
 *
 * @param target the target, at the start of a sentence
 * @param hint the fix
 * @throws Failure that names the files
 */
export function rejectDataFiles(read: ExternalFiles, root: string, target: string, hint: string): void {
  const toProjectPath = (path: string): string => relative(root, path).replaceAll("\\", "/");
  const paths = [
    ...read.ownFiles.map(({ path }) => path),
    ...[...read.copiedFiles.values()].map(toProjectPath),
    ...read.externalFiles.map(({ path }) => toProjectPath(path)).filter((path) => !TYPESCRIPT.test(path)),
    ...read.unbuiltFiles.flatMap(({ paths, reason }) => (reason === "source" ? paths : [])),
  ];
  // Environment files belong to a machine, and packages never contain them.
  const files = [...new Set(paths)].filter((path) => !/(?:^|\/)\.env(?:\.|$)/.test(path)).sort();
  if (files.length === 0) return;
  const readers = read.locatedModules.length === 0 ? ["a package of the workspace"] : read.locatedModules;
  const [verb, pronoun] = readers.length === 1 ? ["reads", "itself"] : ["read", "themselves"];
  throw new Failure(
    `${target} cannot contain ${formatPaths(files)}, which ${formatList(readers, "and")} ${verb} relative to ${pronoun}.`,
    { hint },
  );
}

/**
 * Reports modules that find files by their location, which a bundle of one file does not contain.
 *
 * @param advice the fix
 */
export function describeLocated({ locatedModules }: ExternalFiles, advice: string): string[] {
  if (locatedModules.length === 0) return [];
  const [verb, pronoun] = locatedModules.length === 1 ? ["finds", "itself"] : ["find", "themselves"];
  return [`${locatedModules.join(", ")} ${verb} files relative to ${pronoun} (import.meta). ${advice}`];
}
