import { ts } from "ts-morph";

/** The JSDoc text of the nearest documented node. */
export function documentation(nodes: readonly ts.Node[], checker: ts.TypeChecker): string | undefined {
  for (const node of nodes) {
    const symbol =
      ts.isClassLike(node) || ts.isMethodDeclaration(node)
        ? node.name && checker.getSymbolAtLocation(node.name)
        : undefined;
    const text = symbol && ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim();
    if (text) return text;
  }
  return undefined;
}
/** The text of a JSDoc tag on the nearest node that has it. */
export function tagText(nodes: readonly ts.Node[], name: string): string | undefined {
  for (const node of nodes) {
    const tag = ts.getJSDocTags(node).find((each) => each.tagName.text === name);
    if (tag) return ts.getTextOfJSDocComment(tag.comment)?.trim() || undefined;
  }
  return undefined;
}
