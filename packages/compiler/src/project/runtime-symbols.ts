import { ts } from "./typescript.js";

/** Finds out which package a declaration comes from, so that our names are recognised by symbol and never by text. */
export interface RuntimeSymbols {
  /** The name under which `@tenon/runtime` declares what a node or symbol refers to; undefined for anyone else's. */
  nameOf(symbol: ts.Symbol | undefined): string | undefined;
}

/** The package whose names these are. */
export const RUNTIME = "@tenon/runtime";

export function createRuntimeSymbols(checker: ts.TypeChecker): RuntimeSymbols {
  const packageOfFolder = new Map<string, string | undefined>();
  return {
    nameOf(symbol) {
      if (!symbol) return undefined;
      const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      const file = target.declarations?.[0]?.getSourceFile().fileName;
      return file && packageNameOf(file, packageOfFolder) === RUNTIME ? target.name : undefined;
    },
  };
}

/** The `name` of the nearest package.json above a file. Works through workspace links, where paths tell nothing. */
export function packageNameOf(file: string, known: Map<string, string | undefined>): string | undefined {
  const folder = file.slice(0, Math.max(0, file.lastIndexOf("/")));
  if (known.has(folder)) return known.get(folder);
  const name = nameIn(`${folder}/package.json`) ?? (folder ? packageNameOf(folder, known) : undefined);
  known.set(folder, name);
  return name;
}

function nameIn(path: string): string | undefined {
  const text = ts.sys.readFile(path);
  if (text === undefined) return undefined;
  const { config } = ts.parseConfigFileTextToJson(path, text) as { config?: { name?: unknown } };
  return typeof config?.name === "string" ? config.name : undefined;
}
