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
  for (const decorated of decoratorsOf(declarations)) {
    const { decorator } = decorated;
    // Several classes may inherit what one decorator serves.
    if (seen.has(decorator.compilerNode) || !isErasable(decorated)) continue;
    seen.add(decorator.compilerNode);
    const module = modulePath(decorator.getSourceFile(), root);
    const text = decorator.getText().replace(/[^\r\n]/g, " ");
    const inFile = edits.get(module) ?? [];
    edits.set(module, [...inFile, { start: decorator.getStart(), end: decorator.getEnd(), text }]);
  }
  return edits;
}

/** True when something is left of these declarations' decorators that may record what the manifest does not hold. */
export function keepsDecorators(declarations: readonly Declaration[]): boolean {
  return !decoratorsOf(declarations).every(isErasable);
}

interface Decorated {
  decorator: Decorator;
  call: CallExpression;
}

function decoratorsOf(declarations: readonly Declaration[]): Decorated[] {
  return [...declarations, ...declarations.flatMap((each) => each.owner.prefixes)];
}

/**
 * True when the manifest holds all that a decorator says, so that there is nothing left for it to do in the running
 * server. Whatever is not written out in the decorator itself may do something else besides.
 */
function isErasable({ decorator, call }: Decorated): boolean {
  const isWrittenOut = decorator.getExpression().compilerNode === call.compilerNode;
  return isWrittenOut && call.getArguments().every(isPlain) && !isOfOverride(decorator);
}

/** What the decorator of a base class records holds for who extends it, unless a decorator of its own says otherwise. */
function isOfOverride(decorator: Decorator): boolean {
  const target = decorator.getParent();
  if (Node.isClassDeclaration(target) || Node.isClassExpression(target))
    return (target.getBaseClass()?.getDecorators().length ?? 0) > 0;
  const owner = target.getParent();
  if (
    !Node.isMethodDeclaration(target) ||
    (!Node.isClassDeclaration(owner) && !Node.isClassExpression(owner))
  )
    return false;
  const base = owner.getExtends();
  const type = target.isStatic() ? base?.getExpression().getType() : base?.getType();
  return type?.getProperty(target.getName()) !== undefined;
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
