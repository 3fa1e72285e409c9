import { getAliasedSymbol } from "./aliased-symbol.js";
import { ts } from "./typescript.js";

/** Recognizes the names of `@tenon/runtime` by the package that declares them, never by text. */
export interface RuntimeSymbols {
  /** Returns the name that `@tenon/runtime` declares for a symbol; undefined for other packages. */
  getName(symbol: ts.Symbol | undefined): string | undefined;
}

/** Name of the runtime package. */
export const RUNTIME = "@tenon/runtime";

/** Creates {@link RuntimeSymbols} for a program. */
export function createRuntimeSymbols(checker: ts.TypeChecker): RuntimeSymbols {
  const packagesByFolder = new Map<string, string | undefined>();
  return {
    getName(symbol) {
      const target = getAliasedSymbol(symbol, checker);
      const file = target?.declarations?.[0]?.getSourceFile().fileName;
      return target && file && findPackageName(file, packagesByFolder) === RUNTIME ? target.name : undefined;
    },
  };
}

/**
 * Finds the `name` in the nearest package.json above a file. In a workspace, a package is a link, so its path does not contain the name.
 *
 * @param known names found so far, by folder
 */
export function findPackageName(file: string, known: Map<string, string | undefined>): string | undefined {
  const folder = file.slice(0, Math.max(0, file.lastIndexOf("/")));
  if (known.has(folder)) return known.get(folder);
  const name = readName(`${folder}/package.json`) ?? (folder ? findPackageName(folder, known) : undefined);
  known.set(folder, name);
  return name;
}

function readName(path: string): string | undefined {
  const text = ts.sys.readFile(path);
  if (text === undefined) return undefined;
  const { config } = ts.parseConfigFileTextToJson(path, text) as { config?: { name?: unknown } };
  return typeof config?.name === "string" ? config.name : undefined;
}
