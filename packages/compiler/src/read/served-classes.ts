import type { SourceFile } from "ts-morph";
import { Node, type ts } from "../typescript/typescript.js";
import type { ClassNode, OwnerClass } from "../model.js";
import { getModulePath, type Project } from "../project/project.js";
import { findOrigin } from "./literals.js";

/**
 * Finds the concrete classes that modules of the project declare and export, under their first export name.
 *
 * @returns classes by TypeScript's own nodes, because ts-morph wraps a class that two files reach twice
 */
export function findServedClasses({ sourceFiles, root }: Project): Map<ts.Node, OwnerClass> {
  const owners = new Map<ts.Node, OwnerClass>();
  for (const file of sourceFiles) {
    // Reading the exports of a file is slow.
    if (!file.getFullText().includes("class")) continue;
    for (const [exportName, node] of findExportedClasses(file)) {
      if (node.isAbstract() || owners.has(node.compilerNode)) continue;
      const name = node.getName() ?? exportName;
      owners.set(node.compilerNode, {
        node,
        name,
        module: getModulePath(file, root),
        exportName,
        prefixes: [],
      });
    }
  }
  return owners;
}

/** Finds the classes that a file declares and exports, in source order. */
function findExportedClasses(file: SourceFile): [exportName: string, ClassNode][] {
  const found: [string, ClassNode][] = [];
  for (const [exportName, declarations] of file.getExportedDeclarations()) {
    for (const declaration of declarations) {
      const node = findClass(declaration);
      if (node?.compilerNode.getSourceFile() === file.compilerNode) found.push([exportName, node]);
    }
  }
  return found.sort(([, a], [, b]) => a.getStart() - b.getStart());
}

/** Finds the class in `export class A {}`, `export const A = class {}`, `const A = B; export { A }`, and `export default class {}`. */
function findClass(exported: Node): ClassNode | undefined {
  const value = Node.isVariableDeclaration(exported) ? exported.getInitializer() : exported;
  const origin = Node.isExpression(value) ? findOrigin(value) : value;
  const declared = Node.isIdentifier(origin) ? findDeclaration(origin) : origin;
  return Node.isClassDeclaration(declared) || Node.isClassExpression(declared) ? declared : undefined;
}

function findDeclaration(name: Node): Node | undefined {
  return name.getSymbol()?.getValueDeclaration();
}
