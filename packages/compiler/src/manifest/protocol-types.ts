import { isAbsent } from "../typescript/type-identity.js";
import type { RuntimeSymbols } from "../typescript/runtime-symbols.js";
import { getAliasedSymbol } from "../typescript/aliased-symbol.js";
import { ts } from "../typescript/typescript.js";
import { belongsToClass } from "../schema/families/members.js";

/** Names of the specification's types that handlers may return. */
export type ProtocolTypeName =
  "Content" | "ToolResult" | "PromptMessage" | "PromptResult" | "ResourceContents" | "ResourceResult";

/** Recognizes the specification's types by structure, not by name. */
export interface ProtocolTypes {
  readonly checker: ts.TypeChecker;
  /**
   * Returns whether the JSON of every value of a type matches the specification's type. Unlike assignability, this
   * ignores `readonly` lists and `undefined` in optional members.
   */
  isLike(type: ts.Type, name: ProtocolTypeName): boolean;
  /** Returns whether a type matches a kind of content block, except that its `type` may be any string. */
  isBlockOfAnyType(type: ts.Type): boolean;
  /** Returns the members of a type that the specification's type lacks. */
  findExtraMembers(type: ts.Type, name: ProtocolTypeName): string[];
}

/** Flags of types that accept anything. The author chooses the type argument of `ToolResult<T>`. */
const ANYTHING = ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.TypeParameter;

/** Creates {@link ProtocolTypes} for a program. */
export function createProtocolTypes(
  { program, checker }: { program: ts.Program; checker: ts.TypeChecker },
  runtime: RuntimeSymbols,
): ProtocolTypes {
  const known = new Map<ProtocolTypeName, ts.Type | undefined>();
  const getType = (name: ProtocolTypeName): ts.Type | undefined => {
    if (!known.has(name)) known.set(name, findType(name, program, checker, runtime));
    return known.get(name);
  };
  return {
    checker,
    isLike: (type, name) => {
      const target = getType(name);
      return target !== undefined && isLike(type, target, checker);
    },
    isBlockOfAnyType: (type) => {
      const target = getType("Content");
      const kinds = target?.isUnion() === true ? target.types : [];
      return isObject(type) && kinds.some((kind) => isLikeExceptType(type, kind, checker));
    },
    findExtraMembers: (type, name) => {
      const target = getType(name);
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
    if (!symbol || runtime.getName(symbol) !== name) continue;
    return checker.getDeclaredTypeOfSymbol(getAliasedSymbol(symbol, checker));
  }
  return undefined;
}

function isLike(source: ts.Type, target: ts.Type, checker: ts.TypeChecker): boolean {
  if (getAlternatives(target).some(({ flags }) => flags & ANYTHING)) return true;
  if (source.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.Never)) return false;
  if (source.isUnion()) {
    return source.types.every((member) => isAbsent(member) || isLike(member, target, checker));
  }
  if (target.isUnion()) return target.types.some((member) => isLike(source, member, checker));
  if (checker.isArrayType(target)) {
    const [element] = checker.getTypeArguments(target as ts.TypeReference);
    return element !== undefined && isList(source, (each) => isLike(each, element, checker), checker);
  }
  // JSON represents an enum member by its value.
  if (source.isStringLiteral() && target.isStringLiteral()) return source.value === target.value;
  const members = isObject(target) ? checker.getPropertiesOfType(target) : [];
  if (members.length === 0) return checker.isTypeAssignableTo(source, target);
  if (!isObject(source) || source.getProperty("toJSON")) return false;
  return members.every((member) => hasMember(source, member, checker));
}

function hasMember(source: ts.Type, member: ts.Symbol, checker: ts.TypeChecker): boolean {
  const isOptional = (member.flags & ts.SymbolFlags.Optional) !== 0;
  const own = checker.getPropertyOfType(source, member.name);
  if (!own || isOmitted(own)) return isOptional;
  const type = checker.getTypeOfSymbol(own);
  const mayBeMissing =
    (own.flags & ts.SymbolFlags.Optional) !== 0 ||
    isAbsent(type) ||
    (type.isUnion() && type.types.some(isAbsent));
  if (mayBeMissing && !isOptional) return false;
  if (isAbsent(type)) return true;
  const wanted = checker.getTypeOfSymbol(member);
  // `any` may be a string, but does not determine the kind of a block.
  if (type.flags & ts.TypeFlags.Any) return isOptional || (wanted.flags & ts.TypeFlags.String) !== 0;
  return isLike(type, wanted, checker);
}

/** Returns whether JSON omits a class member: one on the prototype, or one that is not public. */
function isOmitted({ flags, declarations }: ts.Symbol): boolean {
  const [declaration] = declarations ?? [];
  if (!declaration || !belongsToClass(declaration)) return false;
  if (flags & (ts.SymbolFlags.Accessor | ts.SymbolFlags.Method)) return true;
  return (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.NonPublicAccessibilityModifier) !== 0;
}

function isLikeExceptType(source: ts.Type, kind: ts.Type, checker: ts.TypeChecker): boolean {
  const type = checker.getPropertyOfType(source, "type");
  if (!type || !(checker.getTypeOfSymbol(type).flags & ts.TypeFlags.String)) return false;
  return checker
    .getPropertiesOfType(kind)
    .every((member) => member.name === "type" || hasMember(source, member, checker));
}

/** Returns whether all elements of an array or tuple meet a condition. */
export function isList(
  type: ts.Type,
  isElement: (element: ts.Type) => boolean,
  checker: ts.TypeChecker,
): boolean {
  const elements = getElements(type, checker);
  return elements?.every((each) => (each.flags & ts.TypeFlags.Never) !== 0 || isElement(each)) ?? false;
}

/** Returns the element types of an array or tuple; undefined for other types. */
export function getElements(type: ts.Type, checker: ts.TypeChecker): readonly ts.Type[] | undefined {
  return checker.isArrayType(type) || checker.isTupleType(type)
    ? checker.getTypeArguments(type as ts.TypeReference)
    : undefined;
}

/** Returns the members of a union, or the type itself. */
export function getAlternatives(type: ts.Type): readonly ts.Type[] {
  return type.isUnion() ? type.types : [type];
}

function isObject(type: ts.Type): boolean {
  return (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0;
}
