import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { ts } from "ts-morph";

/** The imports of a package: for each file under `src/`, the files under `src/` that it imports, types included. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/** Returns the TypeScript files under a folder, relative to it, with forward slashes. */
export function listSourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".ts"))
    .sort();
}

/** Returns the modules that source text imports or exports from, statically or dynamically, as values or as types. */
export function findImports(text: string): string[] {
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
}

/** Returns the text of a module without imports of types, which are not loaded. */
export function withoutTypes(text: string): string {
  const compilerOptions = { target: ts.ScriptTarget.ESNext, verbatimModuleSyntax: true };
  return ts.transpileModule(text, { compilerOptions }).outputText;
}

export function importGraph(folder: string): ImportGraph {
  const files = listSourceFiles(folder);
  return new Map(
    files.map((file) => {
      const own = findImports(readFileSync(join(folder, file), "utf8"))
        .filter((specifier) => specifier.startsWith("."))
        .map((specifier) => normalize(join(dirname(file), specifier)).replace(/\.js$/, ".ts"))
        .filter((each) => files.includes(each));
      return [file, [...new Set(own)]];
    }),
  );
}

/**
 * Finds the files that import themselves through others, each with a shortest path back to itself.
 *
 * @example
 * circlesIn(new Map([["a.ts", ["b.ts"]], ["b.ts", ["a.ts"]]]))
 * // Map { "a.ts" => "a.ts → b.ts → a.ts", "b.ts" => "b.ts → a.ts → b.ts" }
 */
export function circlesIn(graph: ImportGraph): Map<string, string> {
  return new Map(
    [...graph.keys()].flatMap((file) => {
      const way = findPathBack(file, graph);
      return way ? [[file, way.join(" → ")]] : [];
    }),
  );
}

/** Searches breadth-first, so that the first path found is a shortest one. */
function findPathBack(start: string, graph: ImportGraph): string[] | undefined {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    for (const next of graph.get(file) ?? []) {
      if (next === start) return [...toPath(file, cameFrom), start];
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, file);
      queue.push(next);
    }
  }
  return undefined;
}

function toPath(file: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const way = [file];
  for (let from = cameFrom.get(file); from !== undefined; from = cameFrom.get(from)) way.unshift(from);
  return way;
}

/**
 * Finds the folders that import themselves, directly or through other folders: for each, the imports on a shortest circle.
 * Files at the root compose the folders, and do not count.
 *
 * @example
 * folderCircles(new Map([["a/x.ts", ["b/y.ts"]], ["b/z.ts", ["a/x.ts"]]]))
 * // Map { "a" => "a/x.ts → b/y.ts, b/z.ts → a/x.ts", "b" => "b/z.ts → a/x.ts, a/x.ts → b/y.ts" }
 */
export function folderCircles(graph: ImportGraph): Map<string, string> {
  const folders = new Map<string, string[]>();
  const imports = new Map<string, string>();
  for (const [file, imported] of graph) {
    for (const each of imported) {
      const [from, to] = [dirname(file), dirname(each)];
      if (from === to || from === "." || to === ".") continue;
      folders.set(from, [...(folders.get(from) ?? []), to]);
      imports.set(`${from} → ${to}`, `${file} → ${each}`);
    }
  }
  return new Map(
    [...folders.keys()].flatMap((folder): [string, string][] => {
      const circle = findPathBack(folder, folders);
      if (circle === undefined) return [];
      const steps = circle.slice(1).map((to, index) => imports.get(`${circle[index] ?? ""} → ${to}`));
      return [[folder, steps.join(", ")]];
    }),
  );
}
