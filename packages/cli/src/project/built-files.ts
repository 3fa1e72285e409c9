import { existsSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, utimesSync } from "node:fs";
import { dirname, isAbsolute, join, normalize, sep } from "node:path";
import { configFiles, writeFileTree, type FileTree } from "@tenon/compiler";
import { CLOCK_TICK_MS } from "../files/clock-tick.js";
import { isInside } from "../files/is-inside.js";
import { Failure } from "../terminal/failure.js";

/** Lists what a build wrote, so that the next one can take away what it does not write again. */
const LIST = ".tenon-files.json";

/**
 * Writes a build and removes the files of the previous one that are not part of it. Files that no build has
 * listed are never touched.
 *
 * @param outDir absolute
 * @returns the paths that were written because they are new or differ, relative to `outDir`
 */
export function writeBuild(files: FileTree, outDir: string): string[] {
  const previous = readList(outDir);
  const list = `${JSON.stringify({ files: [...files.keys()] }, null, 2)}\n`;
  const written = writeFileTree(new Map([...files, [LIST, list]]), outDir);
  for (const path of previous) if (!files.has(path)) removeInside(path, outDir);
  // Its time is that of the build, also where nothing has changed, and earlier than that of any later edit.
  const built = new Date(Date.now() - CLOCK_TICK_MS);
  utimesSync(join(outDir, LIST), built, built);
  return written.filter((path) => path !== LIST);
}

/**
 * Whether a build is newer than all that it was made of.
 *
 * @param outDir absolute
 * @returns undefined where no build has been written
 */
export function isBuildFresh(root: string, outDir: string): boolean | undefined {
  const built = timeOf(join(outDir, LIST));
  if (built === undefined) return undefined;
  const sources = join(root, "src");
  const files = existsSync(sources) ? readdirSync(sources, { recursive: true, encoding: "utf8" }) : [];
  const settings = [join(root, "package.json"), ...configFiles(root)];
  // The folder itself is newer when a file in it was renamed or removed.
  return [...settings, sources, ...files.map((path) => join(sources, path))].every(
    (file) => (timeOf(file) ?? 0) <= built,
  );
}

/** When a file was written last; undefined where there is none. */
function timeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}

/**
 * The files in the place of which a build would be written, and that no build before has.
 *
 * @returns their paths, relative to `outDir`
 */
export function foreignFiles(files: FileTree, outDir: string): string[] {
  const ours = new Set(readList(outDir));
  return [...files].flatMap(([path, content]) => {
    const target = join(outDir, path);
    if (ours.has(path) || !existsSync(target)) return [];
    const isSame = statSync(target).isFile() && readFileSync(target).equals(Buffer.from(content));
    return isSame ? [] : [path];
  });
}

/**
 * Makes sure that a build harms nothing of another one in the same folder, such as the application that a server was
 * added to: neither by replacing its files, nor by a `package.json` that makes ES modules of them.
 *
 * @param outDir absolute
 * @throws Failure that names what would be harmed
 */
export function checkOutputFolder(files: FileTree, outDir: string): void {
  const replaced = foreignFiles(files, outDir);
  const harm =
    replaced.length > 0
      ? `a server would replace ${someOf(replaced)}, which no build of Tenon has written.`
      : modulesHarm(files, outDir);
  if (harm === undefined) return;
  throw new Failure(`\`${outDir}\` holds what another build made: ${harm}`, {
    hint: "Give the server a folder of its own, for example `tenon build --out dist-mcp`, or remove what is there.",
  });
}

/** In a CommonJS project, a `package.json` in the folder says that its files are ES modules. */
function modulesHarm(files: FileTree, outDir: string): string | undefined {
  if (!files.has("package.json") || !existsSync(outDir)) return undefined;
  const ours = new Set(readList(outDir));
  const scripts = readdirSync(outDir, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".js") && !ours.has(path) && !path.includes("node_modules/"));
  if (scripts.length === 0) return undefined;
  return `with the \`package.json\` of a server beside them, Node would take ${someOf(scripts.sort())} for ES modules.`;
}

function someOf(paths: readonly string[]): string {
  const named = paths.slice(0, 3).map((path) => `\`${path}\``);
  return paths.length > 3 ? `${named.join(", ")} and ${paths.length - 3} more` : named.join(", ");
}

function readList(outDir: string): string[] {
  try {
    const { files } = JSON.parse(readFileSync(join(outDir, LIST), "utf8")) as { files?: unknown };
    return Array.isArray(files) ? files.filter((path) => typeof path === "string") : [];
  } catch {
    return [];
  }
}

/** A list may have been edited and a folder replaced by a link, so nothing is removed on its word alone. */
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
    // Gone already, or a folder by now: either way not a file of ours.
  }
}
