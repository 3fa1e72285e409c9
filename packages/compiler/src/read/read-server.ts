import { Node, type ClassDeclaration, type ClassMemberTypes } from "ts-morph";
import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import type { Declaration, OwnerClass, ServerModel } from "../model.js";
import { modulePath, type Project } from "../project/project.js";
import type { RuntimeSymbols } from "../project/runtime-symbols.js";
import type { ts } from "../project/typescript.js";
import { readConfig } from "./config.js";
import { readClassForm, readMember } from "./declaration.js";
import { findDecorators } from "./decorators.js";

/**
 * Finds everything the project serves: each exported, concrete class under `src/` that is decorated or has a
 * decorated method, its own or inherited from a base that is not served itself.
 */
export function readServer(
  project: Project,
  runtime: RuntimeSymbols,
  collector: DiagnosticCollector,
): ServerModel {
  const owners = servedClasses(project);
  const declarations: Declaration[] = [];
  const inherited = new Set<ts.Node>();
  for (const owner of owners.values()) {
    const reader = { checker: project.checker, runtime, collector };
    declarations.push(...readClassForm(owner, reader));
    for (const { member, from } of decoratedMembers(owner.node, owners, runtime)) {
      if (from !== owner.node) inherited.add(from.compilerNode);
      declarations.push(...readMember(owner, member, reader));
    }
  }
  for (const node of project.sourceFiles.flatMap((file) => file.getClasses())) {
    if (owners.has(node.compilerNode) || node.isAbstract() || inherited.has(node.compilerNode)) continue;
    if (![node, ...node.getMembers()].some((each) => findDecorators(each, runtime).length > 0)) continue;
    const name = node.getName() ?? "class";
    collector.reporter()("class-not-exported", node.getNameNode() ?? node, { name });
  }
  const config = readConfig(project, runtime, collector);
  return { declarations, ...(config && { config }) };
}

/**
 * The concrete classes that a module of the project declares and exports, under the first name it exports them by.
 * By the compiler's nodes: a class that is reached from two files is wrapped twice.
 */
function servedClasses({ sourceFiles, root }: Project): Map<ts.Node, OwnerClass> {
  const owners = new Map<ts.Node, OwnerClass>();
  for (const file of sourceFiles) {
    const names = new Map<Node, string>();
    const concrete = file.getClasses().filter((node) => !node.isAbstract());
    if (concrete.length === 0) continue;
    for (const [exportName, declarations] of file.getExportedDeclarations()) {
      for (const node of declarations) if (!names.has(node)) names.set(node, exportName);
    }
    for (const node of concrete) {
      const exportName = names.get(node);
      if (exportName === undefined) continue;
      const name = node.getName() ?? exportName;
      owners.set(node.compilerNode, { node, name, module: modulePath(file, root), exportName });
    }
  }
  return owners;
}

interface DecoratedMember {
  member: ClassMemberTypes;
  from: ClassDeclaration;
}

/** Decorated members of a class, and of its bases that are not served themselves; the nearest override wins. */
function decoratedMembers(
  owner: ClassDeclaration,
  owners: ReadonlyMap<ts.Node, OwnerClass>,
  runtime: RuntimeSymbols,
): DecoratedMember[] {
  const found: DecoratedMember[] = [];
  const names = new Set<string>();
  let from: ClassDeclaration | undefined = owner;
  while (from && (from === owner || !owners.has(from.compilerNode))) {
    for (const member of from.getMembers()) {
      if (Node.isAbstractable(member) && member.isAbstract()) continue;
      const name = Node.hasName(member) ? member.getName() : "";
      if (!names.has(name) && findDecorators(member, runtime).length > 0) found.push({ member, from });
      if (name && !name.startsWith("#")) names.add(name);
    }
    from = from.getBaseClass();
  }
  return found;
}
