import { ts } from "../../project/typescript.js";
import type { Derivation, TypeSite } from "../derivation.js";
import { isAbsent } from "../type-identity.js";
import { orderedProperties } from "../order/property-order.js";

/** The members of an object type by what becomes of them. */
export interface Members {
  /** What JSON carries, in order. */
  data: ts.Symbol[];
  /** Functions that a class keeps to itself. */
  methods: ts.Symbol[];
  /** Private and protected members, and of what clients send accessors, which no plain data has. */
  hidden: ts.Symbol[];
}

/**
 * Of a class, an instance's public data: methods and private members are left out, as JSON leaves them out. What a
 * handler returns is read by its getters as well. Members under symbols exist for no one else either.
 */
export function membersOf(type: ts.Type, site: TypeSite, derivation: Derivation): Members {
  const members: Members = { data: [], methods: [], hidden: [] };
  for (const symbol of orderedProperties(type, site.typeNode, derivation.checker)) {
    if (isPrivateName(symbol.escapedName)) members.hidden.push(symbol);
    if (isSymbolName(symbol.escapedName) || symbol.flags & ts.SymbolFlags.Prototype) continue;
    const declaration = symbol.declarations?.[0];
    if (declaration && belongsToClass(declaration)) {
      const flags = ts.getCombinedModifierFlags(declaration as ts.Declaration);
      const isPublic = !(flags & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected));
      if (!isPublic || !isData(symbol, flags, derivation.direction)) {
        members.hidden.push(symbol);
        continue;
      }
      if (symbol.flags & ts.SymbolFlags.Method || isFunction(derivation.checker.getTypeOfSymbol(symbol))) {
        members.methods.push(symbol);
        continue;
      }
    }
    members.data.push(symbol);
  }
  return members;
}

/** False for accessors that nobody asks: what clients send has none, and one without a getter has nothing to say. */
function isData(symbol: ts.Symbol, flags: ts.ModifierFlags, direction: Derivation["direction"]): boolean {
  const isAccessor =
    (flags & ts.ModifierFlags.Accessor) !== 0 || (symbol.flags & ts.SymbolFlags.Accessor) !== 0;
  if (!isAccessor) return true;
  const { GetAccessor, SetAccessor } = ts.SymbolFlags;
  const isReadable = (symbol.flags & GetAccessor) !== 0 || (symbol.flags & SetAccessor) === 0;
  return direction === "output" && isReadable;
}

/** What the checker calls members under a symbol, and private ones. */
export function isSymbolName(escapedName: ts.__String): boolean {
  return /^__[@#]/.test(escapedName as string);
}

/** `#name`, as the checker calls it. */
function isPrivateName(escapedName: ts.__String): boolean {
  return (escapedName as string).startsWith("__#");
}

function belongsToClass(declaration: ts.Node): boolean {
  const { parent } = declaration;
  return parent !== undefined && (ts.isClassLike(parent) || ts.isConstructorDeclaration(parent));
}

/** Whether every value of the type, `undefined` aside, can be called. */
export function isFunction(type: ts.Type): boolean {
  if (!type.isUnion()) return isCallable(type);
  const members = type.types.filter((member) => !isAbsent(member));
  return members.length > 0 && members.every((member) => isCallable(member));
}

function isCallable(type: ts.Type): boolean {
  if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) return false;
  // Arrays, maps and other instances of generics are many, and asking them makes the checker unfold them.
  if ((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Reference) return false;
  return type.getCallSignatures().length > 0 || type.getConstructSignatures().length > 0;
}

/** What `JSON.stringify` sends instead of the object. */
export function toJsonType(type: ts.Type, derivation: Derivation): ts.Type | undefined {
  const { checker } = derivation;
  const symbol = checker.getPropertyOfType(type, "toJSON");
  const [signature] = symbol ? checker.getTypeOfSymbol(symbol).getCallSignatures() : [];
  return signature && checker.getReturnTypeOfSignature(signature);
}
