import { Node, type Signature } from "ts-morph";
import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import type { Declaration, OwnerClass, ServerModel } from "../model.js";

/**
 * Every class must be constructible: without arguments by the runtime, otherwise by the author in `provide`.
 *
 * @returns the declarations whose handler has something to be called on
 */
export function checkClasses(model: ServerModel, collector: DiagnosticCollector): Declaration[] {
  const byOwner = new Map<OwnerClass, Declaration[]>();
  for (const declaration of model.declarations) {
    if (declaration.isStatic) continue;
    byOwner.set(declaration.owner, [...(byOwner.get(declaration.owner) ?? []), declaration]);
  }
  const refused = new Set<Declaration>();
  for (const [owner, declarations] of byOwner) {
    if (isConstructible(owner) || isProvided(owner, model)) continue;
    collector.reporter()("class-needs-provide", owner.node.getNameNode() ?? owner.node, {
      name: owner.name,
      hasConfig: model.config !== undefined,
      serves: declarations.map((each) => each.name.name),
    });
    for (const declaration of declarations) refused.add(declaration);
  }
  return model.declarations.filter((declaration) => !refused.has(declaration));
}

/** By the constructor of its own or an inherited one. */
function isConstructible({ node }: OwnerClass): boolean {
  const constructors = node.getSymbol()?.getTypeAtLocation(node).getConstructSignatures() ?? [];
  return constructors.some(takesNothing);
}

function takesNothing(constructor: Signature): boolean {
  return constructor.getParameters().every((parameter) => {
    const declaration = parameter.getValueDeclaration();
    return !Node.isParameterDeclaration(declaration) || declaration.isOptional();
  });
}

function isProvided({ node }: OwnerClass, { config }: ServerModel): boolean {
  return config !== undefined && (config.provided?.has(node.compilerNode) ?? true);
}
