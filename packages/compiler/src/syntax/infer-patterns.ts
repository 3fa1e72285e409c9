/**
 * Types inferred by `infer`: matching `Promise<Count>` with `Promise<infer U>` infers `Count` for `U`.
 * @module
 */
import { ts } from "../typescript/typescript.js";
import { findNamedSymbol, getTypeArguments, isNamingNode } from "./names.js";
import { isPrimitive } from "./operators.js";
import { getDeclaredType, getPropertyNames } from "./property-names.js";
import {
  assemble,
  MAX_STEPS,
  type TupleElement,
  type TypeBindings,
  type TypeResolver,
  type WrittenSignature,
  type WrittenType,
} from "./written-type.js";

/** The inferred types, "no" if the type certainly does not match, or undefined if that is uncertain. */
export type Match = TypeBindings | "no" | undefined;

const NOTHING_INFERRED: TypeBindings = new Map();

/** Matches a type with the pattern after `extends` in a conditional type. */
export function matchPattern(
  written: WrittenType,
  given: WrittenType | undefined,
  resolver: TypeResolver,
): Match {
  const pattern = resolver.resolveToAlias(written);
  const { node } = pattern;
  if (node.kind === ts.SyntaxKind.AnyKeyword || node.kind === ts.SyntaxKind.UnknownKeyword)
    return NOTHING_INFERRED;
  if (!given) return undefined;
  if (ts.isInferTypeNode(node)) return matchInfer(node, pattern, given, resolver);
  const isExact = !pattern.structure && !hasInfer(pattern, resolver);
  const wanted = isExact ? resolver.getType(pattern) : undefined;
  if (wanted) {
    const type = resolver.getType(given);
    if (type && (type.flags | wanted.flags) & UNDECIDED) return undefined;
    const declared = type ?? getDeclaredType(given, resolver);
    if (declared && resolver.checker.isTypeAssignableTo(declared, wanted)) return NOTHING_INFERRED;
    // Type parameters may change the types of members, but not their names.
    if (type || (declared && lacksMember(declared, wanted))) return "no";
  }
  const [names, own] = isExact
    ? [getPropertyNames(written, resolver), getPropertyNames(given, resolver)]
    : [];
  if (Array.isArray(names) && Array.isArray(own)) {
    if (own.every((each) => names.includes(each))) return NOTHING_INFERRED;
    return own.some((each) => names.includes(each)) ? undefined : "no";
  }
  return matchStructure(pattern, given, resolver);
}

/** Flags of types that may match or not, depending on their type arguments. */
export const UNDECIDED = ts.TypeFlags.Instantiable | ts.TypeFlags.Any | ts.TypeFlags.Never;

function hasInfer({ node, bindings }: WrittenType, resolver: TypeResolver, depth = 0): boolean {
  if (ts.isInferTypeNode(node)) return true;
  if (depth < MAX_DEPTH && isNamingNode(node) && bindings.size > 0) {
    const own = resolver.resolveToAlias({ node, bindings });
    if (own.node !== node) return hasInfer(own, resolver, depth + 1);
  }
  return (
    ts.forEachChild(
      node,
      (child) =>
        (ts.isTypeNode(child) && hasInfer({ node: child, bindings }, resolver, depth)) ||
        hasInferInside(child) ||
        undefined,
    ) === true
  );
}

function hasInferInside(node: ts.Node): boolean {
  return (
    ts.isInferTypeNode(node) || ts.forEachChild(node, (child) => hasInferInside(child) || undefined) === true
  );
}

const MAX_DEPTH = 10;

function matchInfer(
  { typeParameter }: ts.InferTypeNode,
  { bindings }: WrittenType,
  given: WrittenType,
  resolver: TypeResolver,
): Match {
  const symbol = resolver.checker.getSymbolAtLocation(typeParameter.name);
  if (!symbol) return undefined;
  const fits = typeParameter.constraint
    ? matchPattern({ node: typeParameter.constraint, bindings }, given, resolver)
    : NOTHING_INFERRED;
  return fits instanceof Map ? new Map([...fits, [symbol, given]]) : fits;
}

function matchStructure(pattern: WrittenType, given: WrittenType, resolver: TypeResolver): Match {
  const named = matchNames(pattern, given, resolver);
  if (named !== undefined) return named;
  const wanted = resolver.resolve(pattern);
  const found = resolver.resolve(given);
  const type = resolver.getType(given) ?? getDeclaredType(given, resolver);
  const { checker } = resolver;
  const rejectUnless = (isAlike: (type: ts.Type) => boolean): Match =>
    type && !isAlike(type) ? "no" : undefined;
  switch (wanted.structure.kind) {
    case "array": {
      if (!isList(found.structure.kind)) return rejectUnless((each) => checker.isArrayLikeType(each));
      if (!wanted.structure.isReadonly && isReadonly(given, resolver)) return "no";
      return matchPattern(wanted.structure.element, resolver.findIndexMember(given)?.written, resolver);
    }
    case "tuple":
      if (found.structure.kind !== "tuple") return rejectUnless((each) => checker.isArrayLikeType(each));
      return matchElements(wanted.structure.elements, found.structure.elements, given, resolver);
    case "function":
      if (found.structure.kind !== "function")
        return rejectUnless(
          (each) => each.getCallSignatures().length + each.getConstructSignatures().length > 0,
        );
      return matchSignatures(wanted.structure.signature, found.structure.signature, given, resolver);
    case "object":
      return matchMembers(wanted.end.node, pattern, given, type, resolver);
    default:
      return isPrimitive(type) &&
        !isPrimitive(resolver.getType(pattern)) &&
        wanted.structure.kind === "mapped"
        ? "no"
        : undefined;
  }
}

function isList(kind: string): boolean {
  return kind === "array" || kind === "tuple";
}

function isReadonly(given: WrittenType, resolver: TypeResolver): boolean {
  const type = resolver.getType(given);
  if (type && resolver.checker.isTupleType(type)) return (type as ts.TupleTypeReference).target.readonly;
  if (type && resolver.checker.isArrayType(type)) return type.symbol.name === "ReadonlyArray";
  const { structure } = resolver.resolve(given);
  return structure.kind === "array" && structure.isReadonly;
}

/** Matches `Box<infer U>` with a type of the same name, an alias of one, or a type that extends one. */
function matchNames(pattern: WrittenType, given: WrittenType, resolver: TypeResolver): Match {
  const { checker } = resolver;
  if (pattern.structure || !isNamingNode(pattern.node)) return undefined;
  const symbol = findNamedSymbol(pattern.node, checker);
  const wanted = getTypeArguments(pattern);
  const found = symbol && wanted.length > 0 ? findArgumentsOfName(given, symbol, resolver, 0) : undefined;
  return found && matchAll(wanted, found, resolver);
}

/** Finds the type arguments that a type passes to a declaration, directly or through aliases and bases. */
function findArgumentsOfName(
  given: WrittenType,
  symbol: ts.Symbol,
  resolver: TypeResolver,
  depth: number,
): readonly WrittenType[] | undefined {
  if (depth > MAX_DEPTH) return undefined;
  let own: WrittenType | undefined = given;
  for (let steps = 0; own && !own.structure && steps < MAX_STEPS; steps++, own = resolver.step(own)) {
    if (isNamingNode(own.node) && findNamedSymbol(own.node, resolver.checker) === symbol)
      return getTypeArguments(own);
  }
  const { structure } = resolver.resolve(given);
  if (structure.kind !== "object") return undefined;
  if (structure.declarations.some((each) => symbol.declarations?.includes(each)))
    return structure.typeArguments;
  for (const base of resolver.listBases(structure)) {
    const found = findArgumentsOfName(base, symbol, resolver, depth + 1);
    if (found) return found;
  }
  return undefined;
}

function matchElements(
  wanted: readonly TupleElement[],
  found: readonly TupleElement[],
  at: WrittenType,
  resolver: TypeResolver,
): Match {
  const rest = wanted.findIndex(({ isRest }) => isRest);
  const [only, ...others] = found;
  // For `(...args: infer A) => void` and `(...args: Pair) => void`, the match is `Pair`.
  if (only?.isRest && others.length === 0 && rest === 0 && wanted.length === 1)
    return matchAll(wanted.map(getWritten), [only.written], resolver);
  if (found.some(({ isRest }) => isRest) && !(rest === 0 && wanted.length === 1)) return undefined;
  const fixed = rest === -1 ? wanted.length : wanted.length - 1;
  if (found.length < fixed || (rest === -1 && found.length > fixed)) return "no";
  if (rest === -1) return matchAll(wanted.map(getWritten), found.map(getWritten), resolver);
  const trailing = wanted.length - rest - 1;
  const [first, last] = [found.slice(0, rest), trailing > 0 ? found.slice(-trailing) : []];
  const between = assemble(at, { kind: "tuple", elements: found.slice(rest, found.length - trailing) });
  const patterns = [...wanted.slice(0, rest), ...wanted.slice(rest + 1), ...wanted.slice(rest, rest + 1)];
  return matchAll(patterns.map(getWritten), [...[...first, ...last].map(getWritten), between], resolver);
}

function getWritten({ written }: TupleElement): WrittenType | undefined {
  return written;
}

function matchSignatures(
  wanted: WrittenSignature,
  found: WrittenSignature,
  at: WrittenType,
  resolver: TypeResolver,
): Match {
  if (wanted.isConstructor !== found.isConstructor) return "no";
  const returned = wanted.returns ? matchPattern(wanted.returns, found.returns, resolver) : NOTHING_INFERRED;
  const receiver = wanted.receiver
    ? matchPattern(wanted.receiver, found.receiver, resolver)
    : NOTHING_INFERRED;
  return mergeMatches([matchParameters(wanted, found, at, resolver), receiver, returned]);
}

function matchParameters(
  { parameters: wanted }: WrittenSignature,
  { parameters: found }: WrittenSignature,
  at: WrittenType,
  resolver: TypeResolver,
): Match {
  const last = wanted.at(-1);
  // Every function has parameters that accept `never`, and any parameters match `any`.
  if (last?.isRest && acceptsAnyParameter(last.written?.node)) {
    const fixed = wanted.slice(0, -1);
    if (fixed.length === 0) return NOTHING_INFERRED;
    return found.length < fixed.length
      ? undefined
      : matchElements(fixed, found.slice(0, fixed.length), at, resolver);
  }
  // Additional parameters do not prevent a match.
  const length = wanted.some(({ isRest }) => isRest) ? found.length : wanted.length;
  return matchElements(wanted, found.slice(0, length), at, resolver);
}

function acceptsAnyParameter(node: ts.Node | undefined): boolean {
  if (!node) return false;
  if (ts.isArrayTypeNode(node)) return isAnyOrNever(node.elementType);
  return isAnyOrNever(node);
}

function isAnyOrNever({ kind }: ts.Node): boolean {
  return kind === ts.SyntaxKind.AnyKeyword || kind === ts.SyntaxKind.NeverKeyword;
}

function matchMembers(
  pattern: ts.Node,
  written: WrittenType,
  given: WrittenType,
  type: ts.Type | undefined,
  resolver: TypeResolver,
): Match {
  if (!ts.isTypeLiteralNode(pattern))
    return type && (isPrimitive(type) || lacksMember(type, resolver.getType(written))) ? "no" : undefined;
  const { bindings } = written;
  return mergeMatches(
    pattern.members.map((member): Match => {
      if (!ts.isPropertySignature(member) || !member.type) return undefined;
      const name = member.name.getText();
      const property = type?.getProperty(name);
      if (type && !property) return member.questionToken ? undefined : "no";
      if (property && property.flags & ts.SymbolFlags.Optional && !member.questionToken) return "no";
      const found = resolver.findMember(given, name);
      return matchPattern({ node: member.type, bindings }, found?.written, resolver);
    }),
  );
}

/** Returns whether a type lacks a required member of a class or interface, and so cannot match it. */
function lacksMember(type: ts.Type, wanted: ts.Type | undefined): boolean {
  if (!wanted || type.flags & UNDECIDED || type.isUnion()) return false;
  if (wanted.isUnion()) return wanted.types.every((each) => lacksMember(type, each));
  return wanted
    .getProperties()
    .some(({ name, flags }) => !(flags & ts.SymbolFlags.Optional) && !type.getProperty(name));
}

function matchAll(
  wanted: readonly (WrittenType | undefined)[],
  found: readonly (WrittenType | undefined)[],
  resolver: TypeResolver,
): Match {
  return mergeMatches(wanted.map((each, index) => each && matchPattern(each, found[index], resolver)));
}

/** Merges matches. Only the checker can decide a type that is inferred twice. */
function mergeMatches(matches: readonly Match[]): Match {
  if (matches.includes("no")) return "no";
  const all = new Map<ts.Symbol, WrittenType>();
  for (const each of matches) {
    if (each === undefined || each === "no") return undefined;
    for (const [symbol, written] of each) {
      if (all.has(symbol)) return undefined;
      all.set(symbol, written);
    }
  }
  return all;
}
