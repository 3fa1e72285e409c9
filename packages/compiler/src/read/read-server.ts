import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import type { Declaration, ServerModel, ClassNode, OwnerClass } from "../model.js";
import { type Project, getModulePath } from "../project/project.js";
import type { RuntimeSymbols } from "../typescript/runtime-symbols.js";
import { ts, Node } from "../typescript/typescript.js";
import { reportCompiledBases } from "./compiled-bases.js";
import { readConfig } from "./config.js";
import { readDecoratedClass, readMember, type Reader } from "./declaration.js";
import { checkPrefixes, readPrefixes } from "./prefixes.js";
import { findDecoratedMembers } from "./decorated-members.js";
import type { FoundDecorator } from "./decorators.js";
import type { SourceFile } from "ts-morph";
import { findOrigin } from "./literals.js";

/** The context of reading and checking. */
export interface ReadContext {
  project: Project;
  runtime: RuntimeSymbols;
  collector: DiagnosticCollector;
}

/**
 * Finds everything that a project serves: each exported, concrete class under `src/` that is decorated, or declares or
 * inherits a decorated method. Methods of a base that is served itself belong to that base.
 */
export function readServer({ project, runtime, collector }: ReadContext): ServerModel {
  const read = new Set<ts.Node>();
  const markRead = ({ node, nameNode }: FoundDecorator): void => {
    read.add(node.compilerNode).add(nameNode.compilerNode);
  };
  const reader: Reader = { checker: project.checker, runtime, collector, markRead };
  const owners = findServedClasses(project);
  const declarations: Declaration[] = [];
  for (const served of owners.values()) {
    const owner = { ...served, prefixes: readPrefixes(served, reader) };
    declarations.push(...readDecoratedClass(owner, reader));
    const members = findDecoratedMembers(owner.node, owners, reader, markRead);
    checkPrefixes(owner.prefixes, members, reader);
    for (const member of members) declarations.push(...readMember(owner, member, reader));
    reportCompiledBases(owner, owners, runtime, collector.createReport());
  }
  const config = readConfig(project, runtime, collector);
  if (config?.nameNode) read.add(config.nameNode);
  return { declarations, classes: owners, read, ...(config && { config }) };
}

/**
 * Finds the concrete classes that modules of the project declare and export, under their first export name.
 *
 * @returns classes by TypeScript's own nodes, because ts-morph wraps a class that two files reach twice
 */
function findServedClasses({ sourceFiles, root }: Project): Map<ts.Node, OwnerClass> {
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
  const symbols = file.getSymbol()?.compilerSymbol.exports;
  for (const [exportName, declarations] of file.getExportedDeclarations()) {
    const exported = symbols?.get(ts.escapeLeadingUnderscores(exportName))?.declarations ?? [];
    if (!exported.every(isImportable)) continue;
    for (const declaration of declarations) {
      const node = findClass(declaration);
      if (node?.compilerNode.getSourceFile() === file.compilerNode) found.push([exportName, node]);
    }
  }
  return found.sort(([, a], [, b]) => a.getStart() - b.getStart());
}

/** Returns whether a module can import a value by the name of this export. */
function isImportable(exported: ts.Node): boolean {
  if (ts.isTypeOnlyExportDeclaration(exported)) return false;
  return !ts.isExportSpecifier(exported) || ts.isIdentifier(exported.name);
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
