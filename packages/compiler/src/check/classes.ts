import { ts } from "../project/typescript.js";
import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import type { Declaration, OwnerClass, ServerModel } from "../model.js";
import type { Project } from "../project/project.js";

/**
 * Every class must be constructible: without arguments by the runtime, otherwise by the author in `provide`.
 *
 * @returns the declarations whose handler has something to be called on
 */
export function checkClasses(
  model: ServerModel,
  project: Project,
  collector: DiagnosticCollector,
): Declaration[] {
  const byOwner = new Map<ts.Symbol, Declaration[]>();
  for (const declaration of model.declarations) {
    if (declaration.isStatic) continue;
    const { symbol } = declaration.owner;
    byOwner.set(symbol, [...(byOwner.get(symbol) ?? []), declaration]);
  }
  const refused = new Set<Declaration>();
  for (const [symbol, declarations] of byOwner) {
    const owner = declarations[0]?.owner;
    if (!owner || isConstructible(symbol, model, project.checker)) continue;
    collector.reporter()("class-needs-provide", owner.node.name ?? owner.node, {
      name: classNameOf(owner),
      hasConfig: model.config !== undefined,
      serves: declarations.map((each) => each.name.name),
    });
    for (const declaration of declarations) refused.add(declaration);
  }
  return model.declarations.filter((declaration) => !refused.has(declaration));
}

function isConstructible(symbol: ts.Symbol, model: ServerModel, checker: ts.TypeChecker): boolean {
  const signatures = checker.getTypeOfSymbol(symbol).getConstructSignatures();
  if (signatures.some((signature) => requiredParameters(signature, checker) === 0)) return true;
  return model.config !== undefined && (model.config.provided?.has(symbol) ?? true);
}

function requiredParameters(signature: ts.Signature, checker: ts.TypeChecker): number {
  return signature.parameters.filter((parameter) => {
    const node = parameter.valueDeclaration;
    return node && ts.isParameter(node) && !node.dotDotDotToken && !checker.isOptionalParameter(node);
  }).length;
}

/** The class's own name; an anonymous default export goes by `default`. */
export function classNameOf(owner: OwnerClass): string {
  return owner.node.name?.text ?? owner.exportName;
}
