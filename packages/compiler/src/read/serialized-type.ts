import { isLibraryNode } from "../typescript/nodes.js";
import { getAliasedSymbol } from "../typescript/aliased-symbol.js";
import { ts } from "../typescript/typescript.js";

/** The settings for serializing the types of one file. */
export interface TypeSerialization {
  readonly checker: ts.TypeChecker;
  /** Whether the file has `strictNullChecks`, with which `string | null` is serialized as `Object`. */
  readonly hasStrictNullChecks: boolean;
}

/** Serialization of a type without a constructor. */
const OBJECT = "Object";
/** Serialization of `undefined`, `null`, and `never`. */
const NOTHING = "void 0";

/**
 * Returns the expression that TypeScript's `emitDecoratorMetadata` emits for a type: its constructor, if it has one.
 *
 * @param node the type as written; undefined if none is written
 * @see https://www.typescriptlang.org/tsconfig/#emitDecoratorMetadata
 */
export function serializeType(node: ts.TypeNode | undefined, context: TypeSerialization): string {
  if (!node) return OBJECT;
  switch (node.kind) {
    case ts.SyntaxKind.VoidKeyword:
    case ts.SyntaxKind.UndefinedKeyword:
    case ts.SyntaxKind.NeverKeyword:
      return NOTHING;
    case ts.SyntaxKind.FunctionType:
    case ts.SyntaxKind.ConstructorType:
      return "Function";
    case ts.SyntaxKind.ArrayType:
    case ts.SyntaxKind.TupleType:
      return "Array";
    case ts.SyntaxKind.BooleanKeyword:
      return "Boolean";
    case ts.SyntaxKind.TemplateLiteralType:
    case ts.SyntaxKind.StringKeyword:
      return "String";
    case ts.SyntaxKind.NumberKeyword:
      return "Number";
    case ts.SyntaxKind.BigIntKeyword:
      return "BigInt";
    case ts.SyntaxKind.SymbolKeyword:
      return "Symbol";
  }
  if (ts.isParenthesizedTypeNode(node)) return serializeType(node.type, context);
  if (ts.isTypePredicateNode(node)) return node.assertsModifier ? NOTHING : "Boolean";
  if (ts.isLiteralTypeNode(node)) return serializeLiteral(node.literal);
  if (ts.isTypeReferenceNode(node)) return serializeReference(node, context);
  if (ts.isUnionTypeNode(node)) return serializeParts(node.types, { ...context, isIntersection: false });
  if (ts.isIntersectionTypeNode(node))
    return serializeParts(node.types, { ...context, isIntersection: true });
  if (ts.isConditionalTypeNode(node))
    return serializeParts([node.trueType, node.falseType], { ...context, isIntersection: false });
  if (ts.isTypeOperatorNode(node) && node.operator === ts.SyntaxKind.ReadonlyKeyword)
    return serializeType(node.type, context);
  return OBJECT;
}

function serializeLiteral(node: ts.LiteralTypeNode["literal"]): string {
  // A negative number.
  if (ts.isPrefixUnaryExpression(node)) return ts.isBigIntLiteral(node.operand) ? "BigInt" : "Number";
  switch (node.kind) {
    case ts.SyntaxKind.NullKeyword:
      return NOTHING;
    case ts.SyntaxKind.TrueKeyword:
    case ts.SyntaxKind.FalseKeyword:
      return "Boolean";
    case ts.SyntaxKind.NumericLiteral:
      return "Number";
    case ts.SyntaxKind.BigIntLiteral:
      return "BigInt";
    default:
      return "String";
  }
}

/** Returns the serialization that all parts share, or `Object`. */
function serializeParts(
  nodes: readonly ts.TypeNode[],
  { isIntersection, ...context }: TypeSerialization & { isIntersection: boolean },
): string {
  let common: string | undefined;
  for (let node of nodes) {
    while (ts.isParenthesizedTypeNode(node)) node = node.type;
    if (node.kind === ts.SyntaxKind.NeverKeyword) {
      if (isIntersection) return NOTHING;
      continue;
    }
    if (node.kind === ts.SyntaxKind.UnknownKeyword && isIntersection) continue;
    if (!context.hasStrictNullChecks && isNullish(node)) continue;
    const part = serializeType(node, context);
    if (part === OBJECT || (common !== undefined && part !== common)) return OBJECT;
    common = part;
  }
  return common ?? NOTHING;
}

function isNullish(node: ts.TypeNode): boolean {
  const isNull = ts.isLiteralTypeNode(node) && node.literal.kind === ts.SyntaxKind.NullKeyword;
  return isNull || node.kind === ts.SyntaxKind.UndefinedKeyword;
}

function serializeReference({ typeName }: ts.TypeReferenceNode, context: TypeSerialization): string {
  const { checker } = context;
  const named = checker.getSymbolAtLocation(ts.isQualifiedName(typeName) ? typeName.right : typeName);
  const symbol = getAliasedSymbol(named, checker);
  if (!named || !symbol) return OBJECT;
  if (symbol.flags & ts.SymbolFlags.Value) {
    const type = checker.getTypeOfSymbol(symbol);
    if (type.getConstructSignatures().length > 0) {
      const root = getRoot(typeName, checker);
      // The type is a class, but the program does not import its value.
      if (isTypeOnly(named, checker) || isTypeOnly(root, checker)) return "Function";
      return toConstructor(typeName, root);
    }
  }
  return serializeDeclared(checker.getDeclaredTypeOfSymbol(symbol), context);
}

/** Serializes a type without a constructor by the kind of its values. */
function serializeDeclared(declared: ts.Type, { checker, hasStrictNullChecks }: TypeSerialization): string {
  if (declared.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return OBJECT;
  const type = hasStrictNullChecks ? declared : checker.getNonNullableType(declared);
  const isAssignableToAny = (...of: readonly ts.Type[]): boolean =>
    of.some((each) => checker.isTypeAssignableTo(type, each));
  if (isAssignableToAny(checker.getVoidType(), checker.getNullType(), checker.getUndefinedType()))
    return NOTHING;
  if (isAssignableToAny(checker.getBooleanType())) return "Boolean";
  if (isAssignableToAny(checker.getNumberType())) return "Number";
  if (isAssignableToAny(checker.getBigIntType())) return "BigInt";
  if (isAssignableToAny(checker.getStringType())) return "String";
  if (checker.isTupleType(type)) return "Array";
  if (isAssignableToAny(checker.getESSymbolType())) return "Symbol";
  if (type.flags & ts.TypeFlags.Object && type.getCallSignatures().length > 0) return "Function";
  return checker.isArrayType(type) ? "Array" : OBJECT;
}

/** Returns the symbol of the first name in `express.Response`. */
function getRoot(name: ts.EntityName, checker: ts.TypeChecker): ts.Symbol | undefined {
  return ts.isQualifiedName(name) ? getRoot(name.left, checker) : checker.getSymbolAtLocation(name);
}

/** Returns whether an `import type` or `export type` leads to a declaration. */
function isTypeOnly(symbol: ts.Symbol | undefined, checker: ts.TypeChecker): boolean {
  for (let at = symbol; at && at.flags & ts.SymbolFlags.Alias; at = checker.getImmediateAliasedSymbol(at)) {
    if (at.declarations?.some(ts.isTypeOnlyImportOrExportDeclaration)) return true;
  }
  return false;
}

/**
 * Returns an expression that reads a class. If modules import each other, one runs before the classes of the other exist.
 * The expression is then `undefined`, as in CommonJS, so that libraries can report the missing class.
 */
function toConstructor(name: ts.EntityName, root: ts.Symbol | undefined): string {
  const text = name.getText().replaceAll(/\s/g, "");
  const isGlobal = root?.declarations?.every(isLibraryNode) ?? false;
  return isGlobal ? `globalThis.${text}` : `(() => { try { return ${text}; } catch {} })()`;
}
