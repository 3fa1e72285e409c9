import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Metafile } from "esbuild";
import { listFiles } from "../files/list-files.js";
import { getLoader, toPathInDist, SOURCE } from "./author-sources.js";
import { compileModule } from "./compile-module.js";
import { isWorkspaceSource, isProjectFile, findPackage, TYPESCRIPT } from "./installed-packages.js";

/** A file or folder of the project that one of its modules reads at run time. */
export interface OwnFile {
  /** The path relative to the project, with forward slashes. */
  path: string;
  /** The module that reads it, relative to the project. */
  readBy: string;
}

/** A file that a bundled module of a package next to the project reads from its folder at run time. */
export interface ExternalFile {
  /** The file or folder, absolute; the module itself if its source does not name what it reads. */
  path: string;
  /** The package that it belongs to. */
  name?: string;
}

/** Files outside a bundle that its modules find relative to their own location. */
export interface ExternalFiles {
  /** The files and folders of the project that the sources name. */
  ownFiles: OwnFile[];
  /** Files of packages next to the project. They are outside its folder, so they are not deployed with it. */
  externalFiles: ExternalFile[];
  /** The project's modules that use their location, relative to the project. */
  locatedModules: string[];
  /** Files next to the sources that a build copies. Maps the path in the output folder to the file, absolute. */
  copiedFiles: ReadonlyMap<string, string>;
  /** Files of the project that its modules may expect next to them, but that are not part of the build. */
  unbuiltFiles: UnbuiltFile[];
}

/** Files that a module may expect next to it. All paths are relative to the project. */
export interface UnbuiltFile {
  readBy: string;
  /**
   * By `reason`: a source file that the module names (`source`), a file that it names but that does not exist
   * (`missing`), or all files that it could read, if its source does not name them (`unnamed`).
   */
  paths: string[];
  reason: "source" | "missing" | "unnamed";
}

/**
 * Finds the files that the modules of a bundle read at run time, if their sources name them.
 *
 * `@vercel/nft` would find these patterns, but installs 40 packages (13 MB) into each project and does not report a
 * module that reads files that its source does not name, such as `join(import.meta.dirname, name)`.
 *
 * @param root the project folder, absolute
 */
export async function findExternalFiles({ inputs }: Metafile, root: string): Promise<ExternalFiles> {
  const ownFiles = new Map<string, OwnFile>();
  const siblingFiles = new Set<string>();
  const locatedModules: string[] = [];
  const unnamedIn: string[] = [];
  const copiedFiles = new Map<string, string>();
  const unbuiltFiles: UnbuiltFile[] = [];
  const toProjectPath = (path: string): string => relative(root, path).replaceAll("\\", "/");
  for (const input of Object.keys(inputs)) {
    const module = resolve(root, input);
    const isOwnModule = isProjectFile(module, root);
    const isSource = isOwnModule
      ? SOURCE.test(module)
      : TYPESCRIPT.test(module) && isWorkspaceSource(module, root);
    if (!isSource || !existsSync(module)) continue;
    const read = await findFilesRead(module);
    if (read === undefined) continue;
    if (!isOwnModule) {
      for (const path of read.named) siblingFiles.add(path);
      if (read.hasOthers) siblingFiles.add(module);
      continue;
    }
    const readBy = toProjectPath(module);
    locatedModules.push(readBy);
    if (read.hasOthers) unnamedIn.push(readBy);
    for (const file of read.missing) {
      const compiled = file.replace(/\.([cm]?)js$/, ".$1ts");
      const isSource = compiled !== file && existsSync(compiled);
      unbuiltFiles.push({
        readBy,
        paths: [toProjectPath(isSource ? compiled : file)],
        reason: isSource ? "source" : "missing",
      });
    }
    for (const file of read.named) {
      const path = toProjectPath(file);
      const target = getPathInOutput(module, file, root);
      if (target === undefined) {
        if (isDataPath(path)) ownFiles.set(path, { path, readBy });
      } else if (TYPESCRIPT.test(file)) unbuiltFiles.push({ readBy, paths: [path], reason: "source" });
      else for (const [to, from] of listFilesAt(target, file)) copiedFiles.set(to, from);
    }
  }
  const known = new Set([
    ...Object.keys(inputs).map((input) => resolve(root, input)),
    ...copiedFiles.values(),
  ]);
  for (const readBy of unnamedIn) {
    const paths = listDataFilesNextTo(join(root, readBy), root).filter((file) => !known.has(file));
    if (paths.length > 0) unbuiltFiles.push({ readBy, paths: paths.map(toProjectPath), reason: "unnamed" });
  }
  return {
    ownFiles: [...ownFiles.values()].sort((a, b) => (a.path < b.path ? -1 : 1)),
    externalFiles: [...siblingFiles].sort().map((path) => {
      const name = findPackage(path)?.name;
      return { path, ...(name !== undefined && { name }) };
    }),
    locatedModules,
    copiedFiles,
    unbuiltFiles,
  };
}

/** Returns the path at which a built module looks for a file, relative to the output folder; undefined if it is outside. */
function getPathInOutput(module: string, file: string, root: string): string | undefined {
  const target = join(dirname(toPathInDist(module, root)), relative(dirname(module), file)).replaceAll(
    "\\",
    "/",
  );
  return /^(?:\.\.?(?:\/|$)|package\.json$)/.test(target) ? undefined : target;
}

/** Lists a file, or all files in a folder except TypeScript, with their paths in the output folder. */
function listFilesAt(target: string, path: string): [target: string, file: string][] {
  if (statSync(path).isFile()) return [[target, path]];
  return listFiles(path, ["node_modules"])
    .filter((name) => !TYPESCRIPT.test(name))
    .map((name) => [`${target.replace(/\/$/, "")}/${name}`, join(path, name)]);
}

/** Lists the files in the folder of a source, except for other sources. */
function listDataFilesNextTo(module: string, root: string): string[] {
  const folder = dirname(module);
  if (!folder.startsWith(join(root, "src"))) return [];
  return listFiles(folder, ["node_modules"])
    .filter((name) => !SOURCE.test(name))
    .map((name) => join(folder, name));
}

/** Returns whether a path is in the project, and is neither package.json nor an installed or built file. */
function isDataPath(path: string): boolean {
  return !/^(?:\.\.\/|dist(?:\/|$)|node_modules\/|package\.json$|$)/.test(path);
}

/** Matches uses of a module's location, also in `const { dirname } = import.meta`, but not in `import.meta.env`. */
const LOCATED = /\bimport\.meta\b(?!\.(?!(?:url|dirname|filename|resolve)\b))|\b__(?:dirname|filename)\b/;
/** The variable for the module's folder in compiled code. */
const FOLDER = "tenonFolder";
const DEFINE = { "import.meta.dirname": FOLDER, __dirname: FOLDER };
const FOLDER_OF_URL = /(?:\b\w+\.)?\bdirname\((?:\w+\.)?fileURLToPath\(import\.meta\.url\)\)/g;
const FOLDER_VARIABLE = new RegExp(`^\\s*(?:const|let|var) (\\w+) = ${FOLDER};$`, "gm");
/** Matches a call that creates a `require` function, which loads packages, and files relative to the module. */
const REQUIRE = "\\bcreateRequire\\)?\\((?:import\\.meta\\.(?:url|filename)|__filename)\\)";
const REQUIRE_VARIABLE = new RegExp(
  `^\\s*(?:const|let|var) (\\w+) = (?:\\(0, \\w+\\.|\\w+\\.)?${REQUIRE};$`,
  "gm",
);
const RELATIVE_STRING = "\\s*[\"'`]\\.\\.?\\/[^\"'`$]*[\"'`]";
/** Matches a use of the location that does not read a file. */
const RESOLVED_PACKAGE = /\bimport\.meta\.resolve\(\s*["'`](?!\.\.?\/)[^"'`$]+["'`]\)/g;
const STRING = "\\s*[\"'`][^\"'`$]+[\"'`]";

/** The number of patterns whose string is a URL, where some characters of paths are escaped. */
const URL_PATTERNS = 2;

/** The files that a module reads by its location. */
interface FilesRead {
  /** The files and folders that the source names and that exist, absolute. */
  named: string[];
  /** The files and folders that the source names and that do not exist, absolute. */
  missing: string[];
  /** Whether the module also uses its location in another way. */
  hasOthers: boolean;
}

/** Finds the files that a module reads. Returns undefined if it does not use its location. */
async function findFilesRead(module: string): Promise<FilesRead | undefined> {
  const source = readFileSync(module, "utf8");
  if (!LOCATED.test(source)) return undefined;
  // Compiling removes comments and types, and makes the style uniform for the patterns.
  const { outputFiles } = await compileModule(
    module,
    { contents: source, loader: getLoader(module) },
    { charset: "utf8", define: DEFINE, legalComments: "none", sourcemap: false },
  );
  const code = outputFiles[0]?.text ?? "";
  let rest = code.replaceAll(FOLDER_OF_URL, FOLDER);
  const requires = Array.from(rest.matchAll(REQUIRE_VARIABLE), ([, name = ""]) => `\\b${name}`);
  const variables = Array.from(rest.matchAll(FOLDER_VARIABLE), ([, name = ""]) => name);
  const folder = `\\b(?:${[FOLDER, ...variables].join("|")})\\b`;
  rest = rest.replaceAll(FOLDER_VARIABLE, "");
  const patterns = [
    new RegExp(`\\bnew URL\\((${STRING}),\\s*import\\.meta\\.url\\)`, "g"),
    new RegExp(`\\bimport\\.meta\\.resolve\\((${RELATIVE_STRING})\\)`, "g"),
    new RegExp(`\\b(?:join|resolve)\\)?\\(${folder}((?:,${STRING})+)\\)`, "g"),
    new RegExp(`${folder} \\+ (${STRING})`, "g"),
    new RegExp(`\`\\$\\{${folder}\\}(\\/[^\`$]+\`)`, "g"),
    new RegExp(`(?:${[REQUIRE, ...requires].join("|")})(?:\\.resolve)?\\((${RELATIVE_STRING})\\)`, "g"),
  ];
  const location = pathToFileURL(module);
  const paths = patterns.flatMap((pattern, index) => {
    const found = [...rest.matchAll(pattern)].map(([, texts = ""]) => parseStrings(texts));
    rest = rest.replaceAll(pattern, "");
    return found.flatMap(([first = "", ...others]) => {
      if (index >= URL_PATTERNS) return join(dirname(module), first, ...others);
      // The location is not used for `new URL("https://…", import.meta.url)`.
      return /^[a-z][a-z+.-]+:|^\//i.test(first) ? [] : toPath(new URL(first, location));
    });
  });
  rest = rest.replaceAll(new RegExp(REQUIRE, "g"), "").replaceAll(RESOLVED_PACKAGE, "");
  const [existing, missing] = [true, false].map((exists) =>
    paths.filter((path) => existsSync(path) === exists),
  ) as [string[], string[]];
  const hasOthers = LOCATED.test(rest) || new RegExp(folder).test(rest);
  return { named: existing, missing, hasOthers };
}

/** Returns the path of a URL as a list, which is empty if no path can contain its characters, such as `%2F`. */
function toPath(url: URL): string[] {
  try {
    return [fileURLToPath(url)];
  } catch {
    return [];
  }
}

/** Returns the strings in a list of literals, or in the rest of a template. */
function parseStrings(texts: string): string[] {
  const literals = texts.startsWith("/") ? `"${texts}` : texts;
  return Array.from(literals.matchAll(/["'`]([^"'`]+)["'`]/g), ([, text = ""]) => text);
}
