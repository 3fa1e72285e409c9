import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { ts } from "ts-morph";

/** The modules of a package: for each file under `src/`, the files under `src/` that it imports, types included. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/** The TypeScript files under a folder, relative to it, with forward slashes. */
export function sourceFilesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".ts"))
    .sort();
}

/** What a module's text imports or exports from elsewhere, statically or not, as values or as types. */
export function importsOf(text: string): string[] {
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
}

/** A module's text as it is loaded: imports of types are gone. */
export function withoutTypes(text: string): string {
  const compilerOptions = { target: ts.ScriptTarget.ESNext, verbatimModuleSyntax: true };
  return ts.transpileModule(text, { compilerOptions }).outputText;
}

export function importGraph(folder: string): ImportGraph {
  const files = sourceFilesOf(folder);
  return new Map(
    files.map((file) => {
      const own = importsOf(readFileSync(join(folder, file), "utf8"))
        .filter((specifier) => specifier.startsWith("."))
        .map((specifier) => normalize(join(dirname(file), specifier)).replace(/\.js$/, ".ts"))
        .filter((each) => files.includes(each));
      return [file, [...new Set(own)]];
    }),
  );
}

/**
 * The shortest way from each file that imports itself by way of others back to itself.
 *
 * @example
 * circlesIn(new Map([["a.ts", ["b.ts"]], ["b.ts", ["a.ts"]]]))
 * // Map { "a.ts" => "a.ts → b.ts → a.ts", "b.ts" => "b.ts → a.ts → b.ts" }
 */
export function circlesIn(graph: ImportGraph): Map<string, string> {
  return new Map(
    [...graph.keys()].flatMap((file) => {
      const way = wayBack(file, graph);
      return way ? [[file, way.join(" → ")]] : [];
    }),
  );
}

/** Breadth first, so that the first way found is a shortest one. */
function wayBack(start: string, graph: ImportGraph): string[] | undefined {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    for (const next of graph.get(file) ?? []) {
      if (next === start) return [...wayTo(file, cameFrom), start];
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, file);
      queue.push(next);
    }
  }
  return undefined;
}

function wayTo(file: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const way = [file];
  for (let from = cameFrom.get(file); from !== undefined; from = cameFrom.get(from)) way.unshift(from);
  return way;
}

/**
 * Folders that import each other, with a file of each that does so. Files beside the folders put them together, and count for none.
 *
 * @example
 * mutualRooms(new Map([["a/x.ts", ["b/y.ts"]], ["b/z.ts", ["a/x.ts"]]]))
 * // Map { "a ↔ b" => "a/x.ts → b/y.ts, b/z.ts → a/x.ts" }
 */
export function mutualRooms(graph: ImportGraph): Map<string, string> {
  const arrows = new Map<string, string>();
  for (const [file, imported] of graph) {
    for (const each of imported) {
      const [from, to] = [dirname(file), dirname(each)];
      if (from !== to && from !== "." && to !== ".") arrows.set(`${from} ↔ ${to}`, `${file} → ${each}`);
    }
  }
  return new Map(
    [...arrows].flatMap(([pair, arrow]) => {
      const [from = "", to = ""] = pair.split(" ↔ ");
      const back = arrows.get(`${to} ↔ ${from}`);
      return back !== undefined && from < to ? [[pair, `${arrow}, ${back}`]] : [];
    }),
  );
}
