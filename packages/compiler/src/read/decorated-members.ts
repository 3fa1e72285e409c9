import { Node, type ClassMemberTypes, type Type } from "ts-morph";
import type { ClassNode, OwnerClass } from "../model.js";
import type { RuntimeSymbols } from "../project/runtime-symbols.js";
import type { ts } from "../project/typescript.js";
import { findDecorators, type FoundDecorator } from "./decorators.js";

/** A member of a served class, with the decorators that serve it. */
export interface DecoratedMember {
  /** The member that is called: the nearest to the class. */
  member: ClassMemberTypes;
  /** Its own or, when it has none, those of the member that it overrides. */
  decorators: FoundDecorator[];
}

/** What a class and its bases say about one member. */
interface Found extends DecoratedMember {
  /** Decorators of members that an override with its own replaces. */
  replaced: FoundDecorator[];
}

/**
 * The decorated members of a class and of its bases that are not served themselves. The nearest override wins, and
 * keeps the decorators of what it overrides unless it has its own.
 *
 * @param owners all served classes
 * @param replaced takes note of decorators that an override with its own replaces
 */
export function decoratedMembers(
  owner: ClassNode,
  owners: ReadonlyMap<ts.Node, OwnerClass>,
  runtime: RuntimeSymbols,
  replaced: (decorator: FoundDecorator) => void,
): DecoratedMember[] {
  const found = new Map<string | ClassMemberTypes, Found>();
  for (const from of withBases(owner, owners)) {
    for (const member of from.getMembers()) {
      if (Node.isAbstractable(member) && member.isAbstract()) continue;
      const decorators = findDecorators(member, runtime);
      const key = keyOf(member);
      const nearer = found.get(key);
      if (!nearer) found.set(key, { member, decorators, replaced: [] });
      else if (nearer.decorators.length === 0) nearer.decorators = decorators;
      else nearer.replaced.push(...decorators);
    }
  }
  for (const each of found.values()) each.replaced.forEach(replaced);
  return [...found.values()].filter(({ decorators }) => decorators.length > 0);
}

/** Members of one name override each other, unless one of them is static; private names never do. */
function keyOf(member: ClassMemberTypes): string | ClassMemberTypes {
  const name = Node.hasName(member) ? member.getName() : "";
  if (name === "" || name.startsWith("#")) return member;
  const isStatic = Node.isStaticable(member) && member.isStatic();
  return isStatic ? `static ${name}` : name;
}

/** A class and its bases, nearest first, as far as the first that is served itself. */
export function withBases(owner: ClassNode, owners: ReadonlyMap<ts.Node, OwnerClass>): ClassNode[] {
  const found = new Map<ts.Node, ClassNode>();
  const visit = (node: ClassNode): void => {
    if (found.has(node.compilerNode)) return;
    found.set(node.compilerNode, node);
    for (const base of instanceType(node)?.getBaseTypes().flatMap(classesOf) ?? [])
      if (!owners.has(base.compilerNode)) visit(base);
  };
  visit(owner);
  return [...found.values()];
}

/** The type of a class's instances, as its own members see them. */
export function instanceType(node: ClassNode): Type | undefined {
  return node.getSymbol()?.getDeclaredType();
}

/** The classes that an instance is of: several where a function made the class, as in `extends Timed(Store)`. */
function classesOf(type: Type): ClassNode[] {
  if (type.isIntersection()) return type.getIntersectionTypes().flatMap(classesOf);
  const declaration = type.getSymbol()?.getValueDeclaration();
  return Node.isClassDeclaration(declaration) || Node.isClassExpression(declaration) ? [declaration] : [];
}
