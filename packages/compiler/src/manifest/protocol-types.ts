import { isAbsent } from "../schema/type-identity.js";
import type { RuntimeSymbols } from "../project/runtime-symbols.js";
import { ts } from "../project/typescript.js";

/** The specification's types that handlers may return as they are. */
export type ProtocolTypeName =
  "Content" | "ToolResult" | "PromptMessage" | "PromptResult" | "ResourceContents" | "ResourceResult";

/** Recognises the specification's types by structure: names decide nothing. */
export interface ProtocolTypes {
  readonly checker: ts.TypeChecker;
  /**
   * Whether the JSON of every value of a type is one of the specification's type: what is assignable to it, and what
   * would be if its lists were not `readonly` and its optional members never `undefined`.
   */
  isLike(type: ts.Type, name: ProtocolTypeName): boolean;
  /** Whether a type is that of one kind of content block but for its `type`, which may be any string. */
  isBlockOfAnyType(type: ts.Type): boolean;
  /** Members that a type has beyond those of the specification's type. */
  membersBeyond(type: ts.Type, name: ProtocolTypeName): string[];
}

/** What a type parameter of the specification's (`ToolResult<T>`) stands for is the author's. */
const ANYTHING = ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.TypeParameter;

export function createProtocolTypes(
  { program, checker }: { program: ts.Program; checker: ts.TypeChecker },
  runtime: RuntimeSymbols,
): ProtocolTypes {
  const known = new Map<ProtocolTypeName, ts.Type | undefined>();
  const typeOf = (name: ProtocolTypeName): ts.Type | undefined => {
    if (!known.has(name)) known.set(name, findType(name, program, checker, runtime));
    return known.get(name);
  };
  return {
    checker,
    isLike: (type, name) => {
      const target = typeOf(name);
      return target !== undefined && isLike(type, target, checker);
    },
    isBlockOfAnyType: (type) => {
      const target = typeOf("Content");
      const kinds = target?.isUnion() === true ? target.types : [];
      return isObject(type) && kinds.some((kind) => isLikeButForType(type, kind, checker));
    },
    membersBeyond: (type, name) => {
      const target = typeOf(name);
      return checker.getPropertiesOfType(type).flatMap((symbol) => {
        if (target?.getProperty(symbol.name) || isAbsent(checker.getTypeOfSymbol(symbol))) return [];
        return [symbol.name];
      });
    },
  };
}

function findType(
  name: ProtocolTypeName,
  program: ts.Program,
  checker: ts.TypeChecker,
  runtime: RuntimeSymbols,
): ts.Type | undefined {
  for (const file of program.getSourceFiles()) {
    const symbol = checker.getSymbolAtLocation(file)?.exports?.get(name as ts.__String);
    if (!symbol || runtime.nameOf(symbol) !== name) continue;
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    return checker.getDeclaredTypeOfSymbol(target);
  }
  return undefined;
}

function isLike(source: ts.Type, target: ts.Type, checker: ts.TypeChecker): boolean {
  if (alternativesOf(target).some(({ flags }) => flags & ANYTHING)) return true;
  if (source.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.Never)) return false;
  if (source.isUnion()) {
    return source.types.every((member) => isAbsent(member) || isLike(member, target, checker));
  }
  if (target.isUnion()) return target.types.some((member) => isLike(source, member, checker));
  if (checker.isArrayType(target)) {
    const [element] = checker.getTypeArguments(target as ts.TypeReference);
    return element !== undefined && isListOf(source, (each) => isLike(each, element, checker), checker);
  }
  // An enum's member is written as its value.
  if (source.isStringLiteral() && target.isStringLiteral()) return source.value === target.value;
  const members = isObject(target) ? checker.getPropertiesOfType(target) : [];
  if (members.length === 0) return checker.isTypeAssignableTo(source, target);
  if (!isObject(source) || source.getProperty("toJSON")) return false;
  return members.every((member) => hasMember(source, member, checker));
}

function hasMember(source: ts.Type, member: ts.Symbol, checker: ts.TypeChecker): boolean {
  const isOptional = (member.flags & ts.SymbolFlags.Optional) !== 0;
  const own = checker.getPropertyOfType(source, member.name);
  if (!own || isLeftOut(own)) return isOptional;
  const type = checker.getTypeOfSymbol(own);
  const mayBeMissing =
    (own.flags & ts.SymbolFlags.Optional) !== 0 ||
    isAbsent(type) ||
    (type.isUnion() && type.types.some(isAbsent));
  if (mayBeMissing && !isOptional) return false;
  if (isAbsent(type)) return true;
  const wanted = checker.getTypeOfSymbol(member);
  // Of `any` a text may be expected, but not that it says which kind of block this is.
  if (type.flags & ts.TypeFlags.Any) return isOptional || (wanted.flags & ts.TypeFlags.String) !== 0;
  return isLike(type, wanted, checker);
}

/** JSON leaves out what a class keeps on its prototype, or to itself. */
function isLeftOut({ flags, declarations }: ts.Symbol): boolean {
  const [declaration] = declarations ?? [];
  if (!declaration || !ts.isClassLike(declaration.parent)) return false;
  if (flags & (ts.SymbolFlags.Accessor | ts.SymbolFlags.Method)) return true;
  return (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.NonPublicAccessibilityModifier) !== 0;
}

function isLikeButForType(source: ts.Type, kind: ts.Type, checker: ts.TypeChecker): boolean {
  const type = checker.getPropertyOfType(source, "type");
  if (!type || !(checker.getTypeOfSymbol(type).flags & ts.TypeFlags.String)) return false;
  return checker
    .getPropertiesOfType(kind)
    .every((member) => member.name === "type" || hasMember(source, member, checker));
}

/** Whether a type is an array or a tuple of nothing but such elements. An empty list is one of anything. */
export function isListOf(
  type: ts.Type,
  isElement: (element: ts.Type) => boolean,
  checker: ts.TypeChecker,
): boolean {
  const elements = elementsOf(type, checker);
  return elements?.every((each) => (each.flags & ts.TypeFlags.Never) !== 0 || isElement(each)) ?? false;
}

/** The types of what an array or a tuple holds; undefined for anything else. */
export function elementsOf(type: ts.Type, checker: ts.TypeChecker): readonly ts.Type[] | undefined {
  return checker.isArrayType(type) || checker.isTupleType(type)
    ? checker.getTypeArguments(type as ts.TypeReference)
    : undefined;
}

/** The alternatives of a type; the type itself where it is no union. */
export function alternativesOf(type: ts.Type): readonly ts.Type[] {
  return type.isUnion() ? type.types : [type];
}

function isObject(type: ts.Type): boolean {
  return (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0;
}
