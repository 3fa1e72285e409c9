import type { Insertion } from "../forms/read-forms.js";
import type { Declaration } from "../model.js";
import { ts } from "../project/typescript.js";

/** Options that the running server reads from what the decorator records, functions apart. */
const READ_LATER = new Set(["cache"]);

/**
 * True when the manifest holds all that a decorator says, so that there is nothing left for it to do in the running
 * server. Whatever is not written out in the decorator itself may do something else besides.
 */
export function isSpent(decorator: ts.Decorator): boolean {
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
 * Takes spent decorators out of the author's sources, besides other changes to them: a server that has no others
 * needs nothing to carry them out. Line and column of everything else stay.
 *
 * @param root the project folder
 * @param changes by file, relative to the project folder
 */
export function withoutSpentDecorators(
  declarations: readonly Declaration[],
  root: string,
  changes: ReadonlyMap<string, readonly Insertion[]>,
): Map<string, Insertion[]> {
  const all = new Map([...changes].map(([file, inFile]) => [file, [...inFile]]));
  for (const decorator of new Set(declarations.map((each) => each.decorator))) {
    if (!isSpent(decorator)) continue;
    const file = decorator.getSourceFile();
    const text = decorator.getText(file);
    const removal = {
      offset: decorator.getStart(file),
      text: text.replace(/[^\r\n]/g, " "),
      replaces: text.length,
    };
    const module = file.fileName.slice(root.length + 1);
    all.set(module, [...(all.get(module) ?? []), removal]);
  }
  for (const inFile of all.values()) inFile.sort((a, b) => a.offset - b.offset);
  return all;
}
