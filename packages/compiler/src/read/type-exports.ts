import type { Project } from "../project/project.js";
import type { SourceEdit } from "../source-edits.js";
import { getAliasedSymbol } from "../typescript/aliased-symbol.js";
import { isAmbientConstEnum } from "../typescript/erased-symbols.js";
import { ts } from "../typescript/typescript.js";
import type { FileEditor } from "./collect-edits.js";

/**
 * Marks exported names that exist only as types with `type`, as in `export { type Options } from "library"`. Without it, a
 * bundler, which does not know types, would import them from a package that does not have them at run time.
 *
 * @see https://www.typescriptlang.org/tsconfig/#isolatedModules
 */
export function markTypeExports({ checker }: Project): FileEditor {
  return ({ fileName, statements }) =>
    JAVASCRIPT.test(fileName) ? [] : statements.flatMap((statement) => createEdits(statement, checker));
}

const JAVASCRIPT = /\.[cm]?jsx?$/;

function createEdits(statement: ts.Statement, checker: ts.TypeChecker): SourceEdit[] {
  if (ts.isExportAssignment(statement)) {
    const { expression, isExportEquals } = statement;
    if (isExportEquals || !ts.isIdentifier(expression)) return [];
    if (!isErased(checker.getSymbolAtLocation(expression), checker)) return [];
    const text = `export { type ${expression.text} as default };`;
    return [{ start: statement.getStart(), end: statement.end, text }];
  }
  if (!ts.isExportDeclaration(statement) || statement.isTypeOnly) return [];
  const { exportClause } = statement;
  if (!exportClause || !ts.isNamedExports(exportClause)) return [];
  return exportClause.elements.flatMap((each) => {
    if (each.isTypeOnly || !isErased(checker.getExportSpecifierLocalTargetSymbol(each), checker)) return [];
    return [{ start: each.getStart(), end: each.getStart(), text: "type " }];
  });
}

/** Returns whether a name is known to have no value at run time. */
function isErased(symbol: ts.Symbol | undefined, checker: ts.TypeChecker): boolean {
  const resolved = getAliasedSymbol(symbol, checker);
  if (resolved?.declarations === undefined) return false;
  return (resolved.flags & ts.SymbolFlags.Value) === 0 || isAmbientConstEnum(resolved);
}
