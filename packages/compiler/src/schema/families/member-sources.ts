import { isLibraryNode } from "../../project/nodes.js";
import { ts } from "../../project/typescript.js";
import {
  behindAliases,
  bindingsInside,
  NO_BINDINGS,
  type TypeBindings,
  type WrittenType,
} from "../../project/written-type.js";
import type { Derivation, TypeSite } from "../derivation.js";
import { writtenAt } from "../type-sites.js";

/** Where a member comes from that no declaration of its own type has. */
export interface MemberSource {
  /** What is written for its values: of `Record<string, Link>`, `Link`. */
  written: WrittenType | undefined;
  /** What is written for the names of an index signature: of `Record<Code, Link>`, `Code`. */
  key?: WrittenType | undefined;
  /** The member it is taken from: of `{ [K in Exclude<keyof Book, "id">]: Book[K] }`, that of `Book`. */
  symbol?: ts.Symbol;
  /** What has a comment about it besides: an index signature, or the parameter of a mapped type. */
  declared?: ts.IndexSignatureDeclaration | ts.TypeParameterDeclaration;
}

/** A member that has a name, or the members of an index signature. */
type Member = ts.Symbol | ts.IndexInfo;

/** Far more than anybody writes; a wrong program may go round in circles. */
const MOST_STEPS = 20;

/** Whether members may have other values than what they are declared with: `Partial` and its like change no value. */
export function mayChangeValues(type: ts.Type): boolean {
  if (!((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Mapped)) return false;
  return type.symbol?.declarations?.some((each) => !isLibraryNode(each)) === true;
}

/** The source of a member of a mapped type, or of its index signature: the checker makes them without declarations. */
export function memberSource(
  member: Member,
  owner: ts.Type,
  site: TypeSite,
  { checker }: Derivation,
): MemberSource | undefined {
  const written = writtenAt(site.typeNode, site);
  const mapped = owner.symbol?.declarations?.find((each) => ts.isMappedTypeNode(each));
  const { bindings = NO_BINDINGS } = site;
  return (
    (written && sourceIn(written, member, checker, 0)) ??
    (mapped && sourceIn({ node: mapped, bindings }, member, checker, 0))
  );
}

function sourceIn(
  written: WrittenType,
  member: Member,
  checker: ts.TypeChecker,
  steps: number,
): MemberSource | undefined {
  if (steps > MOST_STEPS) return undefined;
  const { node, bindings } = behindAliases(written, checker);
  const among = (parts: readonly ts.TypeNode[], inside: TypeBindings): MemberSource | undefined => {
    for (const part of parts) {
      const found =
        has(part, member, checker) && sourceIn({ node: part, bindings: inside }, member, checker, steps + 1);
      if (found) return found;
    }
    return undefined;
  };
  if (ts.isMappedTypeNode(node)) return ofTemplate(node, bindings, member, checker, steps);
  if (ts.isIntersectionTypeNode(node)) return among(node.types, bindings);
  if (ts.isTypeLiteralNode(node)) return ofIndexSignature(node.members, member, bindings);
  if (!ts.isTypeReferenceNode(node) && !ts.isExpressionWithTypeArguments(node)) return undefined;
  const [first, second] = node.typeArguments ?? [];
  for (const declaration of declarationsOf(node, checker)) {
    if (isLibraryNode(declaration) && ts.isTypeAliasDeclaration(declaration)) {
      if (declaration.name.text === "Record") {
        return {
          written: second && { node: second, bindings },
          key: first && { node: first, bindings },
        };
      }
      return first && sourceIn({ node: first, bindings }, member, checker, steps + 1);
    }
    if (!ts.isInterfaceDeclaration(declaration) && !ts.isClassLike(declaration)) continue;
    const inside = bindingsInside(node, bindings, checker.getTypeAtLocation(node), checker);
    const bases = (declaration.heritageClauses ?? []).flatMap(({ types }) => [...types]);
    const found = ofIndexSignature(declaration.members, member, inside) ?? among(bases, inside);
    if (found) return found;
  }
  return undefined;
}

function declarationsOf(
  node: ts.TypeReferenceNode | ts.ExpressionWithTypeArguments,
  checker: ts.TypeChecker,
): readonly ts.Declaration[] {
  const name = ts.isTypeReferenceNode(node) ? node.typeName : node.expression;
  const symbol = checker.getSymbolAtLocation(name);
  const target = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  return target?.declarations ?? [];
}

function has(part: ts.TypeNode, member: Member, checker: ts.TypeChecker): boolean {
  const type = checker.getTypeAtLocation(part);
  if (!isIndex(member)) return type.getProperty(member.name) !== undefined;
  return checker.getIndexInfosOfType(type).some(({ keyType }) => keyType === member.keyType);
}

function isIndex(member: Member): member is ts.IndexInfo {
  return "keyType" in member;
}

/** A member that is declared by its name has a declaration. */
function ofIndexSignature(
  members: ts.NodeArray<ts.TypeElement | ts.ClassElement>,
  member: Member,
  bindings: TypeBindings,
): MemberSource | undefined {
  const signature = isIndex(member) && members.find((each) => ts.isIndexSignatureDeclaration(each));
  if (!signature) return undefined;
  const [parameter] = signature.parameters;
  return {
    declared: signature,
    written: { node: signature.type, bindings },
    key: parameter?.type && { node: parameter.type, bindings },
  };
}

/** `{ [K in keyof T]: T[K] }` has the members of `T`; every other template is what is written for each. */
function ofTemplate(
  mapped: ts.MappedTypeNode,
  bindings: TypeBindings,
  member: Member,
  checker: ts.TypeChecker,
  steps: number,
): MemberSource | undefined {
  const { type: template, typeParameter: declared } = mapped;
  if (!template) return undefined;
  if (!ts.isIndexedAccessTypeNode(template) || !isNameOf(template.indexType, mapped.typeParameter, checker)) {
    const name = checker.getSymbolAtLocation(mapped.typeParameter.name);
    const made = !isIndex(member) && name && { node: template, bindings, memberName: nameBefore(member) };
    return {
      declared,
      written: { node: template, bindings: made ? new Map([...bindings, [name, made]]) : bindings },
    };
  }
  const whole = { node: template.objectType, bindings };
  const further = (): MemberSource => {
    const isRenamed = !isIndex(member) && nameBefore(member) !== member.name;
    const from = isRenamed ? undefined : sourceIn(whole, member, checker, steps + 1);
    return { declared, written: undefined, ...from };
  };
  if (isIndex(member)) return further();
  const object = behindAliases(whole, checker);
  const type = checker.getTypeFromTypeNode(object.node);
  const symbol = type.getProperty(nameBefore(member));
  const [declaration] = symbol?.declarations ?? [];
  if (!symbol || !declaration) return further();
  const node = (declaration as { type?: ts.Node }).type;
  const inside = bindingsInside(object.node, object.bindings, type, checker);
  return { symbol, declared, written: node && ts.isTypeNode(node) ? { node, bindings: inside } : undefined };
}

function isNameOf(
  node: ts.TypeNode,
  parameter: ts.TypeParameterDeclaration,
  checker: ts.TypeChecker,
): boolean {
  return (
    ts.isTypeReferenceNode(node) &&
    checker.getSymbolAtLocation(node.typeName) === checker.getSymbolAtLocation(parameter.name)
  );
}

/** The name of a member before `as` gave it another. */
function nameBefore(member: ts.Symbol): string {
  const { links } = member as { links?: { keyType?: ts.Type } };
  return links?.keyType?.isStringLiteral() ? links.keyType.value : member.name;
}
