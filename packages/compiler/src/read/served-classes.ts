import { Node, type SourceFile } from "ts-morph";
import type { ClassNode, OwnerClass } from "../model.js";
import { modulePath, type Project } from "../project/project.js";
import type { ts } from "../project/typescript.js";
import { originOf } from "./literals.js";

/**
 * The concrete classes that a module of the project declares and exports, under the first name it exports them by.
 * By the compiler's nodes: a class that is reached from two files is wrapped twice.
 */
export function servedClasses({ sourceFiles, root }: Project): Map<ts.Node, OwnerClass> {
  const owners = new Map<ts.Node, OwnerClass>();
  for (const file of sourceFiles) {
    // Asking a file for its exports is slow.
    if (!file.getFullText().includes("class")) continue;
    for (const [exportName, node] of exportedClasses(file)) {
      if (node.isAbstract() || owners.has(node.compilerNode)) continue;
      const name = node.getName() ?? exportName;
      owners.set(node.compilerNode, { node, name, module: modulePath(file, root), exportName, prefixes: [] });
    }
  }
  return owners;
}

/** In the order in which they are declared. */
function exportedClasses(file: SourceFile): [exportName: string, ClassNode][] {
  const found: [string, ClassNode][] = [];
  for (const [exportName, declarations] of file.getExportedDeclarations()) {
    for (const declaration of declarations) {
      const node = classOf(declaration);
      if (node?.compilerNode.getSourceFile() === file.compilerNode) found.push([exportName, node]);
    }
  }
  return found.sort(([, a], [, b]) => a.getStart() - b.getStart());
}

/** Of `export class A {}`, `export const A = class {}`, `const A = B; export { A }` and `export default class {}`. */
function classOf(exported: Node): ClassNode | undefined {
  const value = Node.isVariableDeclaration(exported) ? exported.getInitializer() : exported;
  const origin = Node.isExpression(value) ? originOf(value) : value;
  const declared = Node.isIdentifier(origin) ? declarationOf(origin) : origin;
  return Node.isClassDeclaration(declared) || Node.isClassExpression(declared) ? declared : undefined;
}

function declarationOf(name: Node): Node | undefined {
  return name.getSymbol()?.getValueDeclaration();
}
