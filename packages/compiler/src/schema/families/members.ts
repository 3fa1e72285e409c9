import { ts } from "../../typescript/typescript.js";
import type { Derivation, TypeSite } from "../derivation/derivation.js";
import { isAbsent } from "../../typescript/type-identity.js";
import { getTypeNode } from "../derivation/type-sites.js";
import { getOrderedProperties } from "../order/property-order.js";

/** The members of an object type, by their role in JSON. */
export interface Members {
  /** The members that JSON carries, in order. */
  data: ts.Symbol[];
  /** The methods and function properties of a class, which JSON omits. */
  methods: ts.Symbol[];
  /**
   * Private and protected members, and accessors that JSON does not carry: all of them in inputs, and those without a
   * getter in outputs.
   */
  hidden: ts.Symbol[];
}

/**
 * Returns the members of an object type. The data of a class is the public data of an instance: methods and private
 * members are omitted, as in JSON. The data of outputs includes getters. Symbol-keyed members are ignored, because most of them
 * are brands, except methods such as `[Symbol.iterator]()`, which a handler could call on its arguments.
 */
export function classifyMembers(type: ts.Type, site: TypeSite, derivation: Derivation): Members {
  const members: Members = { data: [], methods: [], hidden: [] };
  for (const symbol of getOrderedProperties(type, getTypeNode(site), derivation.checker)) {
    if (isPrivateName(symbol.escapedName)) members.hidden.push(symbol);
    if (symbol.flags & ts.SymbolFlags.Prototype) continue;
    if (isSymbolName(symbol.escapedName)) {
      if (isMissingMethod(symbol, derivation)) members.methods.push(symbol);
      continue;
    }
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

/** Returns whether the values that clients send lack a symbol-keyed method. */
function isMissingMethod(symbol: ts.Symbol, { checker, direction }: Derivation): boolean {
  if (direction === "output" || isPrivateName(symbol.escapedName)) return false;
  if (symbol.flags & ts.SymbolFlags.Optional) return false;
  return isFunction(checker.getTypeOfSymbol(symbol));
}

/** Returns the name of a member as written, such as `[Symbol.iterator]`, for diagnostics. */
export function getWrittenName(symbol: ts.Symbol): string {
  const [declaration] = symbol.declarations ?? [];
  return (declaration && ts.getNameOfDeclaration(declaration)?.getText()) ?? symbol.name;
}

/**
 * Returns false for accessors that are not read: plain data from clients has none, and a setter alone has no value. A member such as
 * `accessor name: string` is a field.
 */
function isData(symbol: ts.Symbol, flags: ts.ModifierFlags, direction: Derivation["direction"]): boolean {
  if (flags & ts.ModifierFlags.Accessor || !(symbol.flags & ts.SymbolFlags.Accessor)) return true;
  return direction === "output" && (symbol.flags & ts.SymbolFlags.GetAccessor) !== 0;
}

/** Returns whether a name is the checker's name for a symbol-keyed or a private member. */
export function isSymbolName(escapedName: ts.__String): boolean {
  return /^__[@#]/.test(escapedName as string);
}

/** Returns whether a name is the checker's name for a private member `#name`. */
function isPrivateName(escapedName: ts.__String): boolean {
  return (escapedName as string).startsWith("__#");
}

/** Returns whether a declaration belongs to a class. In JavaScript, `this.name = …` declares a member. */
export function belongsToClass(declaration: ts.Node): boolean {
  const { parent } = declaration;
  if (parent !== undefined && (ts.isClassLike(parent) || ts.isConstructorDeclaration(parent))) return true;
  const target = ts.isBinaryExpression(declaration) ? declaration.left : declaration;
  const isAccess = ts.isPropertyAccessExpression(target) || ts.isElementAccessExpression(target);
  return isAccess && target.expression.kind === ts.SyntaxKind.ThisKeyword;
}

/** Returns whether every value of the type except `undefined` is callable. */
export function isFunction(type: ts.Type): boolean {
  if (!type.isUnion()) return isCallable(type);
  const members = type.types.filter((member) => !isAbsent(member));
  return members.length > 0 && members.every((member) => isCallable(member));
}

function isCallable(type: ts.Type): boolean {
  if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) return false;
  // Arrays, maps, and other generic instances are frequent, and would be costly for the checker to expand.
  if ((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Reference) return false;
  return type.getCallSignatures().length > 0 || type.getConstructSignatures().length > 0;
}

/** Returns the return type of `toJSON`, whose value `JSON.stringify` writes instead of the object. */
export function getToJsonType(type: ts.Type, { checker }: Derivation): ts.Type | undefined {
  const symbol = checker.getPropertyOfType(type, "toJSON");
  const signatures = symbol ? checker.getTypeOfSymbol(symbol).getCallSignatures() : [];
  const callable = signatures.filter((each) => acceptsKey(each, type, checker));
  // No argument determines the type parameters of the others.
  const signature = callable.find((each) => !each.typeParameters) ?? callable[0] ?? signatures[0];
  return signature && checker.getReturnTypeOfSignature(signature);
}

/**
 * Describes a type for diagnostics. `isText` states whether its `toJSON` returns text, or `null` for an invalid value.
 */
export function describeType(
  type: ts.Type,
  site: TypeSite,
  derivation: Derivation,
): { where: string; type: string; isText: boolean } {
  const json = getToJsonType(type, derivation);
  const text = json && derivation.checker.getNonNullableType(json);
  return {
    where: derivation.describeSite(site),
    type: derivation.formatType(type),
    isText: text !== undefined && (text.flags & ts.TypeFlags.StringLike) !== 0,
  };
}

/** Returns whether a type is an asynchronous iterable other than a promise, such as `Readable` of Node. */
export function yieldsValues(type: ts.Type): boolean {
  const isIterable = type
    .getProperties()
    .some(({ escapedName }) => (escapedName as string).startsWith("__@asyncIterator"));
  return isIterable && type.getProperty("then") === undefined;
}

/** Returns whether a signature allows the call of `JSON.stringify`, whose only argument is the name of the member. */
function acceptsKey(signature: ts.Signature, type: ts.Type, checker: ts.TypeChecker): boolean {
  // The checker sets `thisParameter` if a signature declares `this`.
  const { thisParameter } = signature as { thisParameter?: ts.Symbol };
  if (thisParameter && !checker.isTypeAssignableTo(type, checker.getTypeOfSymbol(thisParameter)))
    return false;
  const required = signature.parameters.filter(({ valueDeclaration: node }) => {
    if (!node || !ts.isParameter(node)) return true;
    return !checker.isOptionalParameter(node) && !node.dotDotDotToken;
  });
  const [key, ...others] = required.map((each) => checker.getTypeOfSymbol(each));
  return others.length === 0 && (!key || checker.isTypeAssignableTo(checker.getStringType(), key));
}
