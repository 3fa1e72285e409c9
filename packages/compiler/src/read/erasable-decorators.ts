import { Node, type CallExpression, type Decorator } from "ts-morph";
import { DECORATOR_OPTIONS, isReadByServer } from "../declared-options.js";
import type { Declaration } from "../model.js";
import { modulePath } from "../project/project.js";
import type { ts } from "../project/typescript.js";
import type { SourceEdit, SourceEdits } from "../source-edits.js";

/**
 * Takes erasable decorators out of the author's sources: a server that has no others needs nothing to carry them out.
 * Line and column of everything else stay.
 *
 * @param root the project folder
 */
export function eraseDecorators(declarations: readonly Declaration[], root: string): SourceEdits {
  const edits = new Map<string, SourceEdit[]>();
  const seen = new Set<ts.Node>();
  for (const { decorator, call } of [
    ...declarations,
    ...declarations.flatMap((each) => each.owner.prefixes),
  ]) {
    // Several classes may inherit what one decorator serves.
    if (seen.has(decorator.compilerNode) || !isErasable(decorator, call)) continue;
    seen.add(decorator.compilerNode);
    const module = modulePath(decorator.getSourceFile(), root);
    const text = decorator.getText().replace(/[^\r\n]/g, " ");
    const inFile = edits.get(module) ?? [];
    edits.set(module, [...inFile, { start: decorator.getStart(), end: decorator.getEnd(), text }]);
  }
  return edits;
}

/**
 * True when the manifest holds all that a decorator says, so that there is nothing left for it to do in the running
 * server. Whatever is not written out in the decorator itself may do something else besides.
 */
function isErasable(decorator: Decorator, call: CallExpression): boolean {
  return decorator.getExpression().compilerNode === call.compilerNode && call.getArguments().every(isPlain);
}

function isPlain(node: Node | undefined): boolean {
  if (Node.isObjectLiteralExpression(node)) {
    return node.getProperties().every((property) => {
      if (!Node.isPropertyAssignment(property)) return false;
      const name = property.getNameNode();
      const isNamed = Node.isIdentifier(name) || Node.isStringLiteral(name);
      return (
        isNamed &&
        !isReadByServer(name.compilerNode.text, DECORATOR_OPTIONS) &&
        isPlain(property.getInitializer())
      );
    });
  }
  if (Node.isArrayLiteralExpression(node)) return node.getElements().every(isPlain);
  return (
    Node.isStringLiteral(node) ||
    Node.isNoSubstitutionTemplateLiteral(node) ||
    Node.isNumericLiteral(node) ||
    Node.isTrueLiteral(node) ||
    Node.isFalseLiteral(node) ||
    Node.isNullLiteral(node)
  );
}
