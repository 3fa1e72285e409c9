import type { CallExpression, Decorator } from "ts-morph";
import { Node, type ts } from "../typescript/typescript.js";
import { DECORATOR_OPTIONS, isReadByServer } from "../declared-options.js";
import type { Declaration } from "../model.js";
import { getModulePath } from "../project/project.js";
import type { SourceEdit, SourceEdits } from "../source-edits.js";

/**
 * Returns the edits that replace erasable decorators with spaces, so that the lines and columns of everything else do
 * not change. If no other decorators remain, the server does not need the code that runs decorators.
 *
 * @param root the project folder
 */
export function eraseDecorators(declarations: readonly Declaration[], root: string): SourceEdits {
  const edits = new Map<string, SourceEdit[]>();
  const seen = new Set<ts.Node>();
  for (const decorated of listDecorators(declarations)) {
    const { decorator } = decorated;
    // Several classes may inherit a decorated method.
    if (seen.has(decorator.compilerNode) || !isErasable(decorated)) continue;
    seen.add(decorator.compilerNode);
    const module = getModulePath(decorator.getSourceFile(), root);
    const text = decorator.getText().replace(/[^\r\n]/g, " ");
    const inFile = edits.get(module) ?? [];
    edits.set(module, [...inFile, { start: decorator.getStart(), end: decorator.getEnd(), text }]);
  }
  return edits;
}

/** Returns whether a decorator remains that may record options missing from the manifest. */
export function needsDecorators(declarations: readonly Declaration[]): boolean {
  return !listDecorators(declarations).every(isErasable);
}

interface Decorated {
  decorator: Decorator;
  call: CallExpression;
}

function listDecorators(declarations: readonly Declaration[]): Decorated[] {
  return [...declarations, ...declarations.flatMap((each) => each.owner.prefixes)];
}

/**
 * Returns whether the manifest contains everything that a decorator specifies, so that the running server does not need
 * it. A decorator that a helper returns, such as `@Lookup()`, may have other effects.
 */
function isErasable({ decorator, call }: Decorated): boolean {
  const isDirectCall = decorator.getExpression().compilerNode === call.compilerNode;
  return isDirectCall && call.getArguments().every(isPlain) && !overridesBase(decorator);
}

/** Returns whether a decorator replaces options that the decorator of a base class records. */
function overridesBase(decorator: Decorator): boolean {
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
