import { ts } from "../project/typescript.js";
import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import type { Declaration, OwnerClass, ServerModel } from "../model.js";
import type { Project } from "../project/project.js";
import { readConfig } from "./config.js";
import { readClassForm, readMethod } from "./declaration.js";
import { findDecorators } from "./decorators.js";
import type { RuntimeSymbols } from "../project/runtime-symbols.js";

/**
 * Finds everything the project serves: each exported, concrete class under `src/` that is decorated or has a
 * decorated method, its own or inherited from a base that is not served itself.
 */
export function readServer(
  project: Project,
  runtime: RuntimeSymbols,
  collector: DiagnosticCollector,
): ServerModel {
  const classes = project.sourceFiles.flatMap((file) =>
    topLevelClasses(file).map((node) => ({ node, file })),
  );
  const exported = exportedClasses(project);
  const declarations: Declaration[] = [];
  const inheritedFrom = new Set<ts.Node>();
  const unserved: ts.ClassDeclaration[] = [];

  for (const { node } of classes) {
    const owner = exported.get(node);
    if (!owner || isAbstract(node)) {
      unserved.push(node);
      continue;
    }
    const reader = { checker: project.checker, runtime, collector };
    declarations.push(...readClassForm(owner, reader));
    for (const { method, from } of decoratedMethods(
      node,
      project.checker,
      runtime,
      (base) => !exported.has(base) || isAbstract(base),
    )) {
      if (from !== node) inheritedFrom.add(from);
      declarations.push(...readMethod(owner, method, reader));
    }
  }

  for (const node of unserved) {
    if (isAbstract(node) || inheritedFrom.has(node)) continue;
    const decorated = firstDecorated(node, project.checker, runtime);
    if (decorated)
      collector.reporter()("class-not-exported", node.name ?? node, { name: node.name?.text ?? "class" });
  }

  const config = readConfig(project, runtime, collector);
  return { declarations, ...(config && { config }) };
}

function topLevelClasses(file: ts.SourceFile): ts.ClassDeclaration[] {
  return file.statements.filter(ts.isClassDeclaration);
}

/** Classes by declaration, each under the first name its own module exports it by. */
function exportedClasses(project: Project): Map<ts.Node, OwnerClass> {
  const { checker, root } = project;
  const owners = new Map<ts.Node, OwnerClass>();
  for (const file of project.sourceFiles) {
    const moduleSymbol = checker.getSymbolAtLocation(file);
    if (!moduleSymbol) continue;
    for (const entry of checker.getExportsOfModule(moduleSymbol)) {
      const symbol = entry.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(entry) : entry;
      const node = symbol.valueDeclaration;
      if (!node || !ts.isClassDeclaration(node) || node.getSourceFile() !== file || owners.has(node))
        continue;
      owners.set(node, {
        node,
        symbol,
        module: file.fileName.slice(root.length + 1),
        exportName: entry.name,
      });
    }
  }
  return owners;
}

/** Decorated methods of a class, and of its bases as long as `inherits` says so; the nearest override wins. */
function decoratedMethods(
  node: ts.ClassDeclaration,
  checker: ts.TypeChecker,
  runtime: RuntimeSymbols,
  inherits: (base: ts.ClassLikeDeclaration) => boolean,
): { method: ts.ClassElement; from: ts.ClassLikeDeclaration }[] {
  const found: { method: ts.ClassElement; from: ts.ClassLikeDeclaration }[] = [];
  const names = new Set<string>();
  let current: ts.ClassLikeDeclaration | undefined = node;
  while (current && (current === node || inherits(current))) {
    for (const member of current.members) {
      // Overload signatures carry no decorators; the implementation below them does.
      if (ts.isMethodDeclaration(member) && !member.body) continue;
      const name = member.name && !ts.isPrivateIdentifier(member.name) ? member.name.getText() : "";
      if (findDecorators(member, checker, runtime).length > 0 && !names.has(name))
        found.push({ method: member, from: current });
      if (name) names.add(name);
    }
    current = baseClass(current, checker);
  }
  return found;
}

function baseClass(
  node: ts.ClassLikeDeclaration,
  checker: ts.TypeChecker,
): ts.ClassLikeDeclaration | undefined {
  const clause = node.heritageClauses?.find((each) => each.token === ts.SyntaxKind.ExtendsKeyword);
  const expression = clause?.types[0]?.expression;
  let symbol = expression && checker.getSymbolAtLocation(expression);
  if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
  const declaration = symbol?.valueDeclaration;
  return declaration && ts.isClassLike(declaration) ? declaration : undefined;
}

function firstDecorated(
  node: ts.ClassDeclaration,
  checker: ts.TypeChecker,
  runtime: RuntimeSymbols,
): ts.Node | undefined {
  return [node, ...node.members].find((each) => findDecorators(each, checker, runtime).length > 0);
}

function isAbstract(node: ts.ClassLikeDeclaration): boolean {
  return (ts.getCombinedModifierFlags(node as ts.ClassDeclaration) & ts.ModifierFlags.Abstract) !== 0;
}
