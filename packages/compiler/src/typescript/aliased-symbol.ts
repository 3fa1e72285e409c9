import { ts } from "./typescript.js";

/** Returns what an imported or exported name refers to. */
export function getAliasedSymbol<Found extends ts.Symbol | undefined>(
  symbol: Found,
  checker: ts.TypeChecker,
): ts.Symbol | Found {
  return symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}
