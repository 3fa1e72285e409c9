import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { type Metafile, transform } from "esbuild";
import { loaderOf } from "./author-sources.js";
import { isBeside, packageOf, TYPESCRIPT } from "./package-of.js";

/** A file or folder of the project that one of its modules reads when the server runs. */
export interface OwnFile {
  /** Relative to the project, with forward slashes, as is the module. */
  path: string;
  readBy: string;
}

/** What bundled modules of a package beside the project read from its folder when the server runs. */
export interface LeftBehind {
  /** The file or folder, absolute; the module itself where only the running server knows what it reads. */
  path: string;
  /** The package that it belongs to. */
  name?: string;
}

/**
 * The files that the packages beside a project find by their own place. What the project itself reads so lies in its
 * folder, and comes along with it; these do not.
 */
export async function filesLeftBehind({ inputs }: Metafile, root: string): Promise<LeftBehind[]> {
  const paths = new Set<string>();
  for (const input of Object.keys(inputs)) {
    const module = resolve(root, input);
    if (!TYPESCRIPT.test(module) || !isBeside(module, root) || !existsSync(module)) continue;
    for (const path of await placesIn(module)) if (!paths.has(path)) paths.add(path);
  }
  return [...paths].sort().map((path) => {
    const name = packageOf(path)?.name;
    return { path, ...(name !== undefined && { name }) };
  });
}

/** The files and folders of the project that its own modules find by their own place, as far as the source names them. */
export async function ownFilesRead({ inputs }: Metafile, root: string): Promise<OwnFile[]> {
  const found = new Map<string, OwnFile>();
  const inProject = (path: string): string => relative(root, path).replaceAll("\\", "/");
  const isOwn = (path: string): boolean =>
    !/^(?:\.\.\/|dist(?:\/|$)|node_modules\/|package\.json$|$)/.test(path);
  for (const input of Object.keys(inputs)) {
    const module = resolve(root, input);
    const readBy = inProject(module);
    if (!TYPESCRIPT.test(module) || !isOwn(readBy) || !existsSync(module)) continue;
    const paths = (await placesIn(module)).filter((path) => path !== module).map(inProject);
    for (const path of paths) if (isOwn(path)) found.set(path, { path, readBy });
  }
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

const LOCATED = /\bimport\.meta\.(?:url|dirname|filename)\b|\b__(?:dirname|filename)\b/;
/** What it finds by its place that is no file. */
const REQUIRES = /\bcreateRequire\(import\.meta\.(?:url|filename)\)/g;
const NAMED = [
  /\bnew URL\(\s*["'`]([^"'`$]+)["'`],\s*import\.meta\.url\)/g,
  /\b(?:join|resolve)\((?:import\.meta\.dirname|__dirname),\s*["'`]([^"'`$]+)["'`]\)/g,
];

async function placesIn(module: string): Promise<string[]> {
  const source = readFileSync(module, "utf8");
  if (!LOCATED.test(source)) return [];
  // Without comments and types.
  const { code } = await transform(source, { loader: loaderOf(module), legalComments: "none" });
  let rest = code.replaceAll(REQUIRES, "");
  const named = NAMED.flatMap((pattern) => {
    const found = [...rest.matchAll(pattern)].map(([, path = ""]) => resolve(dirname(module), path));
    rest = rest.replaceAll(pattern, "");
    return found;
  }).filter((path) => statSync(path, { throwIfNoEntry: false }) !== undefined);
  return LOCATED.test(rest) ? [...named, module] : named;
}
