import type { ClassMemberTypes, ParameterDeclaration, Type } from "ts-morph";
import { evaluatePropertyName } from "../typescript/constant.js";
import { Node, ts } from "../typescript/typescript.js";
import type { ClassNode, OwnerClass } from "../model.js";
import type { RuntimeSymbols } from "../typescript/runtime-symbols.js";
import { findDecorators, type FoundDecorator } from "./decorators.js";

/** A member of a served class, with the decorators that serve it. */
export interface DecoratedMember {
  /** The member to call: the one nearest to the class. */
  member: ClassMemberTypes;
  /** Its own decorators or, if it has none, those of the member that it overrides. */
  decorators: FoundDecorator[];
}

/** A member as a class and its bases declare it. */
interface FoundMember extends DecoratedMember {
  /** Decorators that those of an override replace. */
  replaced: FoundDecorator[];
}

/**
 * Finds the decorated members of a class and of its bases that are not served themselves. The nearest override wins. It
 * keeps the decorators of the member that it overrides unless it has its own.
 *
 * @param owners all served classes
 * @param onReplaced receives decorators that those of an override replace
 */
export function findDecoratedMembers(
  owner: ClassNode,
  owners: ReadonlyMap<ts.Node, OwnerClass>,
  { checker, runtime }: { checker: ts.TypeChecker; runtime: RuntimeSymbols },
  onReplaced: (decorator: FoundDecorator) => void,
): DecoratedMember[] {
  const found = new Map<unknown, FoundMember>();
  for (const from of listBases(owner, owners)) {
    for (const member of from.getMembers()) {
      if (Node.isAbstractable(member) && member.isAbstract()) continue;
      const decorators = findDecorators(member, runtime);
      const key = getMemberKey(member, checker);
      const nearer = found.get(key);
      if (!nearer) found.set(key, { member, decorators, replaced: [] });
      else if (nearer.decorators.length === 0) nearer.decorators = decorators;
      else nearer.replaced.push(...decorators);
    }
  }
  for (const each of found.values()) each.replaced.forEach(onReplaced);
  return [...found.values()].filter(({ decorators }) => decorators.length > 0);
}

/**
 * Returns the key under which members override each other. Static members are separate; private names never override, nor do
 * names that are known only at run time.
 */
export function getMemberKey(
  member: ClassMemberTypes | ParameterDeclaration,
  checker: ts.TypeChecker,
): string | ClassMemberTypes | ParameterDeclaration {
  // A static block has no name node, but ts-morph calls it "static".
  const hasName = Node.hasName(member) && !Node.isClassStaticBlockDeclaration(member);
  const nameNode = hasName ? member.getNameNode().compilerNode : undefined;
  if (!nameNode || !ts.isPropertyName(nameNode) || ts.isPrivateIdentifier(nameNode)) return member;
  const name = evaluatePropertyName(nameNode, checker);
  if (name === undefined) return member;
  return Node.isStaticable(member) && member.isStatic() ? `static ${name}` : name;
}

/** Returns a class and its bases, nearest first, up to the first base that is served itself. */
export function listBases(owner: ClassNode, owners: ReadonlyMap<ts.Node, OwnerClass>): ClassNode[] {
  const found = new Map<ts.Node, ClassNode>();
  const visit = (node: ClassNode): void => {
    if (found.has(node.compilerNode)) return;
    found.set(node.compilerNode, node);
    for (const base of getInstanceType(node)?.getBaseTypes().flatMap(findClasses) ?? [])
      if (!owners.has(base.compilerNode)) visit(base);
  };
  visit(owner);
  return [...found.values()];
}

/** Returns the type of a class's instances, as its members see them. */
export function getInstanceType(node: ClassNode): Type | undefined {
  return node.getSymbol()?.getDeclaredType();
}

/** Finds the classes of an instance type. There are several for a mixin, as in `extends Timed(Store)`. */
function findClasses(type: Type): ClassNode[] {
  if (type.isIntersection()) return type.getIntersectionTypes().flatMap(findClasses);
  const declaration = type.getSymbol()?.getValueDeclaration();
  return Node.isClassDeclaration(declaration) || Node.isClassExpression(declaration) ? [declaration] : [];
}
