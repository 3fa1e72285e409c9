import type { Declaration } from "../model.js";
import { ts } from "../project/typescript.js";
import type { SourceEdit, SourceEdits } from "../source-edits.js";

/** Options that the running server reads from what the decorator records, functions apart. */
const READ_LATER = new Set(["cache"]);

/**
 * True when the manifest holds all that a decorator says, so that there is nothing left for it to do in the running
 * server. Whatever is not written out in the decorator itself may do something else besides.
 */
export function isErasable(decorator: ts.Decorator): boolean {
  return ts.isCallExpression(decorator.expression) && decorator.expression.arguments.every(isPlain);
}

function isPlain(node: ts.Expression): boolean {
  if (ts.isObjectLiteralExpression(node)) {
    return node.properties.every(
      (property) =>
        ts.isPropertyAssignment(property) &&
        (ts.isIdentifier(property.name) || ts.isStringLiteral(property.name)) &&
        !READ_LATER.has(property.name.text) &&
        isPlain(property.initializer),
    );
  }
  if (ts.isArrayLiteralExpression(node)) return node.elements.every(isPlain);
  return (
    ts.isStringLiteralLike(node) ||
    ts.isNumericLiteral(node) ||
    node.kind === ts.SyntaxKind.TrueKeyword ||
    node.kind === ts.SyntaxKind.FalseKeyword ||
    node.kind === ts.SyntaxKind.NullKeyword
  );
}

/**
 * Takes erasable decorators out of the author's sources: a server that has no others needs nothing to carry them out.
 * Line and column of everything else stay.
 *
 * @param root the project folder
 */
export function eraseDecorators(declarations: readonly Declaration[], root: string): SourceEdits {
  const edits = new Map<string, SourceEdit[]>();
  for (const decorator of new Set(declarations.map((each) => each.decorator))) {
    if (!isErasable(decorator)) continue;
    const file = decorator.getSourceFile();
    const text = decorator.getText(file).replace(/[^\r\n]/g, " ");
    const module = file.fileName.slice(root.length + 1);
    const inFile = edits.get(module) ?? [];
    edits.set(module, [...inFile, { start: decorator.getStart(file), end: decorator.getEnd(), text }]);
  }
  return edits;
}
