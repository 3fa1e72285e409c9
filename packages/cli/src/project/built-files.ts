import { existsSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, utimesSync } from "node:fs";
import { dirname, isAbsolute, join, normalize, relative, sep } from "node:path";
import { findConfigFiles, writeFileTree, type FileTree } from "@tenon/compiler";
import { CLOCK_TICK_MS } from "../files/clock-tick.js";
import { isCyclicLink } from "../files/is-cyclic-link.js";
import { isInside } from "../files/is-inside.js";
import { Failure } from "../terminal/failure.js";

/** The list of files that a build wrote, so that the next one can remove obsolete files. */
const LIST_FILE = ".tenon-files.json";

/**
 * Writes a build and removes files of the previous build that are not part of it. Files that no build has listed are
 * never touched.
 *
 * @param outDir the output folder, absolute
 * @returns the paths of new and changed files, relative to `outDir`
 */
export function writeBuild(files: FileTree, outDir: string): string[] {
  const previous = readList(outDir);
  const list = `${JSON.stringify({ files: [...files.keys()] }, null, 2)}\n`;
  const written = writeFileTree(new Map([...files, [LIST_FILE, list]]), outDir);
  for (const path of previous) if (!files.has(path)) removeInside(path, outDir);
  // The time of the list is the time of the build, even if nothing changed, and is earlier than any later edit.
  const built = new Date(Date.now() - CLOCK_TICK_MS);
  utimesSync(join(outDir, LIST_FILE), built, built);
  return written.filter((path) => path !== LIST_FILE);
}

/**
 * Returns whether a build is newer than all of its sources.
 *
 * @param outDir the output folder, absolute
 * @returns undefined if there is no build
 */
export function isBuildFresh(root: string, outDir: string): boolean | undefined {
  const built = getModifiedTime(join(outDir, LIST_FILE));
  if (built === undefined) return undefined;
  const inputs = [join(root, "package.json"), ...findConfigFiles(root), ...listTree(join(root, "src"))];
  return inputs.every((path) => (getModifiedTime(path) ?? 0) <= built);
}

/** Lists a file or folder and everything in it. Renaming or removing a file changes the time of its folder. */
function listTree(path: string): string[] {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true && !isCyclicLink(path);
  return isFolder ? [path, ...readdirSync(path).flatMap((name) => listTree(join(path, name)))] : [path];
}

/** Returns the time of a file's last change, or undefined if it does not exist. */
function getModifiedTime(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}

/**
 * Finds existing files that a build would replace and that no earlier build has written.
 *
 * @returns their paths, relative to `outDir`
 */
export function findForeignFiles(files: FileTree, outDir: string): string[] {
  const listed = new Set(readList(outDir));
  return [...files].flatMap(([path, content]) => {
    const target = join(outDir, path);
    if (listed.has(path) || !existsSync(target)) return [];
    const isSame = statSync(target).isFile() && readFileSync(target).equals(Buffer.from(content));
    return isSame ? [] : [path];
  });
}

/**
 * Checks that output does not mix with the sources of a project.
 *
 * @param outDir the output folder, absolute
 * @throws Failure if it contains the sources, or is inside them
 */
export function checkOutsideSources(root: string, outDir: string): void {
  const sources = join(root, "src");
  if (!isInside(sources, outDir) && !isInside(outDir, sources)) return;
  throw new Failure(`\`${outDir}\` cannot be the output folder, because the sources are in \`${sources}\`.`, {
    hint: "Choose a separate folder with --out.",
    exitCode: 2,
  });
}

/**
 * Checks that a build neither replaces files of another build in the same folder, such as an application that a server
 * was added to, nor turns them into ES modules with its `package.json`.
 *
 * @param outDir the output folder, absolute
 * @throws Failure that names the affected files
 */
export function checkOutputFolder(files: FileTree, outDir: string): void {
  const replaced = findForeignFiles(files, outDir);
  const problem =
    replaced.length > 0
      ? `the server would replace ${formatPaths(replaced)}, which Tenon did not write.`
      : findModuleProblem(files, outDir);
  if (problem === undefined) return;
  throw new Failure(`\`${outDir}\` contains files of another build: ${problem}`, {
    hint: "Choose another folder, for example `tenon build --out dist-mcp`, or remove these files.",
  });
}

/** Finds scripts of a CommonJS project that the build's `package.json` would turn into ES modules. */
function findModuleProblem(files: FileTree, outDir: string): string | undefined {
  if (!files.has("package.json") || !existsSync(outDir)) return undefined;
  const listed = new Set(readList(outDir));
  // Links are not followed, since Node determines the format of a module from its real path.
  const scripts = readdirSync(outDir, { recursive: true, withFileTypes: true })
    .map(({ name, parentPath }) => relative(outDir, join(parentPath, name)).replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".js") && !listed.has(path) && !path.includes("node_modules/"));
  if (scripts.length === 0) return undefined;
  return `with the \`package.json\` of the server, Node would load ${formatPaths(scripts.sort())} as ES modules.`;
}

function formatPaths(paths: readonly string[]): string {
  const named = paths.slice(0, 3).map((path) => `\`${path}\``);
  return paths.length > 3 ? `${named.join(", ")}, and ${paths.length - 3} more` : named.join(", ");
}

function readList(outDir: string): string[] {
  try {
    const { files } = JSON.parse(readFileSync(join(outDir, LIST_FILE), "utf8")) as { files?: unknown };
    return Array.isArray(files) ? files.filter((path) => typeof path === "string") : [];
  } catch {
    return [];
  }
}

/** Removes a listed file, but only inside the output folder: the list may be edited, and folders replaced by links. */
function removeInside(path: string, outDir: string): void {
  const inside = normalize(path);
  if (isAbsolute(inside) || inside === "." || inside === ".." || inside.startsWith(`..${sep}`)) return;
  const target = join(outDir, inside);
  try {
    const home = realpathSync(outDir);
    const parent = realpathSync(dirname(target));
    if (!isInside(parent, home)) return;
    rmSync(target);
  } catch {
    // The file was already removed, or is a folder now.
  }
}
