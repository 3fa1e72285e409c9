import type { Project } from "../project/project.js";
import type { SourceEdit } from "../source-edits.js";
import { getAliasedSymbol } from "../typescript/aliased-symbol.js";
import { isAmbientConstEnum } from "../typescript/erased-symbols.js";
import { ts } from "../typescript/typescript.js";
import type { FileEditor } from "./collect-edits.js";

/**
 * Replaces members of a `const enum` in a declaration file with their values, as TypeScript does. Such an enum need not
 * exist at run time, and a bundler does not read declaration files. Line numbers do not change.
 *
 * @see https://www.typescriptlang.org/docs/handbook/enums.html#const-enums
 */
export function inlineAmbientEnums({ checker }: Project): FileEditor {
  const leadsToEnum = createFinder(checker);
  let globals: readonly ts.Symbol[] | undefined;
  return (file) => {
    globals ??= checker.getSymbolsInScope(file, ts.SymbolFlags.ConstEnum | ts.SymbolFlags.Module);
    const symbols = [...globals, ...listLocalSymbols(file, checker)].filter(leadsToEnum);
    const names = new Set(symbols.map(({ name }) => name));
    return names.size === 0 ? [] : replaceMembers(file, names, checker);
  };
}

/** Creates a function that returns whether a name may lead to such an enum: the enum, or a namespace that contains one. */
function createFinder(checker: ts.TypeChecker): (symbol: ts.Symbol) => boolean {
  const found = new Map<ts.Symbol, boolean>();
  const leadsToEnum = (symbol: ts.Symbol): boolean => {
    const resolved = getAliasedSymbol(symbol, checker);
    const known = found.get(resolved);
    if (known !== undefined) return known;
    // Namespaces may contain each other.
    found.set(resolved, false);
    const isNamespace = (resolved.flags & ts.SymbolFlags.Module) !== 0;
    const isFound =
      isAmbientConstEnum(resolved) ||
      (isNamespace && checker.getExportsOfModule(resolved).some((each) => leadsToEnum(each)));
    found.set(resolved, isFound);
    return isFound;
  };
  return leadsToEnum;
}

/** Returns the symbols that the statements of a file import or declare as ambient. */
function listLocalSymbols(file: ts.SourceFile, checker: ts.TypeChecker): ts.Symbol[] {
  return file.statements.flatMap(getNames).flatMap((name) => checker.getSymbolAtLocation(name) ?? []);
}

function getNames(statement: ts.Statement): readonly ts.Node[] {
  if (ts.isImportEqualsDeclaration(statement) || ts.isEnumDeclaration(statement)) return [statement.name];
  if (ts.isModuleDeclaration(statement)) return [statement.name];
  if (!ts.isImportDeclaration(statement)) return [];
  const { name, namedBindings } = statement.importClause ?? {};
  const bindings = !namedBindings
    ? []
    : ts.isNamespaceImport(namedBindings)
      ? [namedBindings.name]
      : namedBindings.elements.map((each) => each.name);
  return name ? [name, ...bindings] : bindings;
}

function replaceMembers(
  file: ts.SourceFile,
  names: ReadonlySet<string>,
  checker: ts.TypeChecker,
): SourceEdit[] {
  const edits: SourceEdit[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) return;
    const value =
      isMemberAccess(node) && names.has(getRootName(node)) ? readMember(node, checker) : undefined;
    if (value === undefined) return ts.forEachChild(node, visit);
    // Parentheses keep negative numbers and calls such as `Level.High.toFixed()` correct.
    const text = typeof value === "string" ? JSON.stringify(value) : `(${value})`;
    const lineBreaks = "\n".repeat(countLines(node.getText()));
    edits.push({ start: node.getStart(), end: node.end, text: lineBreaks + text });
  };
  visit(file);
  return edits;
}

function getRootName(node: ts.Expression): string {
  if (isMemberAccess(node)) return getRootName(node.expression);
  return ts.isIdentifier(node) ? node.text : "";
}

type MemberAccess = ts.PropertyAccessExpression | ts.ElementAccessExpression;

function isMemberAccess(node: ts.Node): node is MemberAccess {
  return ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node);
}

function readMember(node: MemberAccess, checker: ts.TypeChecker): string | number | undefined {
  const used = getAliasedSymbol(checker.getSymbolAtLocation(node.expression), checker);
  const key = ts.isPropertyAccessExpression(node) ? node.name : node.argumentExpression;
  if (!used || !isAmbientConstEnum(used) || !(ts.isIdentifier(key) || ts.isStringLiteralLike(key)))
    return undefined;
  const member = used.exports?.get(key.text as ts.__String)?.valueDeclaration;
  return member && ts.isEnumMember(member) ? checker.getConstantValue(member) : undefined;
}

function countLines(text: string): number {
  return text.split("\n").length - 1;
}
