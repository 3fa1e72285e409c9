import { isLibraryNode } from "../typescript/nodes.js";
import { ts } from "../typescript/typescript.js";

/** Visits a node and everything in it. */
export function visit(node: ts.Node, act: (node: ts.Node) => void): void {
  act(node);
  ts.forEachChild(node, (child) => visit(child, act));
}

/** Returns the name of what `fetch`, `window.fetch`, or `navigator.sendBeacon` refers to. */
export function getGlobalName(node: ts.Expression): string | undefined {
  const isMember = ts.isPropertyAccessExpression(node) && GLOBALS.has(node.expression.getText());
  if (isMember) return node.name.text;
  return ts.isIdentifier(node) ? node.text : undefined;
}

const GLOBALS: ReadonlySet<string> = new Set(["window", "globalThis", "self", "navigator"]);

/** Returns whether TypeScript's libraries declare a name, not the author. */
export function isLibraryName(node: ts.Node, checker: ts.TypeChecker): boolean {
  return checker.getSymbolAtLocation(node)?.declarations?.some((each) => isLibraryNode(each)) === true;
}
