import type { Signature } from "ts-morph";
import { Node } from "../typescript/typescript.js";
import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import type { Declaration, OwnerClass, ServerModel } from "../model.js";

/**
 * Checks that every class can be constructed: by the runtime without arguments, or else by the author in `provide`.
 *
 * @returns the declarations whose method is static or whose class can be constructed
 */
export function checkClasses(model: ServerModel, collector: DiagnosticCollector): Declaration[] {
  const byOwner = new Map<OwnerClass, Declaration[]>();
  for (const declaration of model.declarations) {
    if (declaration.isStatic) continue;
    byOwner.set(declaration.owner, [...(byOwner.get(declaration.owner) ?? []), declaration]);
  }
  reportRepeatedInstances(model, [...byOwner.keys()], collector);
  const rejected = new Set<Declaration>();
  for (const [owner, declarations] of byOwner) {
    if (isConstructible(owner) || isProvided(owner, model)) continue;
    collector.createReport()("class-needs-provide", owner.node.getNameNode() ?? owner.node, {
      name: owner.name,
      hasConfig: model.config !== undefined,
      serves: declarations.map((each) => each.name.name),
    });
    for (const declaration of declarations) rejected.add(declaration);
  }
  return model.declarations.filter((declaration) => !rejected.has(declaration));
}

/** Reports instances that serve no call, because another instance of their class precedes them in `provide`. */
function reportRepeatedInstances(
  { config }: ServerModel,
  owners: readonly OwnerClass[],
  collector: DiagnosticCollector,
): void {
  for (const { instance, provides } of config?.repeated ?? []) {
    const owner = owners.find(({ node }) => node.compilerNode === provides);
    if (owner) collector.createReport()("instance-repeated", instance, { className: owner.name });
  }
}

/**
 * Returns whether a class has a constructor, its own or inherited, that needs no arguments. The runtime knows only the `length` of its own, which
 * counts parameters with `?`.
 */
function isConstructible({ node }: OwnerClass): boolean {
  const [first] = node.getConstructors()[0]?.getParameters() ?? [];
  if (first && !first.hasInitializer() && !first.isRestParameter()) return false;
  const constructors = node.getSymbol()?.getTypeAtLocation(node).getConstructSignatures() ?? [];
  return constructors.some(needsNoArguments);
}

function needsNoArguments(constructor: Signature): boolean {
  return constructor.getParameters().every((parameter) => {
    const declaration = parameter.getValueDeclaration();
    return !Node.isParameterDeclaration(declaration) || declaration.isOptional();
  });
}

function isProvided({ node }: OwnerClass, { config }: ServerModel): boolean {
  return config !== undefined && (config.provided?.has(node.compilerNode) ?? true);
}
