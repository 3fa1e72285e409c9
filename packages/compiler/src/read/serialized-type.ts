import { isLibraryNode } from "../project/nodes.js";
import { ts } from "../project/typescript.js";

/** How types of one file are serialized. */
export interface TypeSerialization {
  readonly checker: ts.TypeChecker;
  /** The file is compiled with `strictNullChecks`: then `null` makes `string | null` an `Object`. */
  readonly checksNull: boolean;
}

/** A running program has no constructor for it. */
const OBJECT = "Object";
/** `undefined`, `null`, and what there is nothing of. */
const NOTHING = "void 0";

/**
 * The expression that `emitDecoratorMetadata` of TypeScript has for a type: its constructor, as far as it has one.
 *
 * @param node the type as written; undefined where none is
 * @see https://www.typescriptlang.org/tsconfig/#emitDecoratorMetadata
 */
export function serializedType(node: ts.TypeNode | undefined, context: TypeSerialization): string {
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
  if (ts.isParenthesizedTypeNode(node)) return serializedType(node.type, context);
  if (ts.isTypePredicateNode(node)) return node.assertsModifier ? NOTHING : "Boolean";
  if (ts.isLiteralTypeNode(node)) return serializedLiteral(node.literal);
  if (ts.isTypeReferenceNode(node)) return serializedReference(node, context);
  if (ts.isUnionTypeNode(node)) return serializedParts(node.types, { ...context, isIntersection: false });
  if (ts.isIntersectionTypeNode(node))
    return serializedParts(node.types, { ...context, isIntersection: true });
  if (ts.isConditionalTypeNode(node))
    return serializedParts([node.trueType, node.falseType], { ...context, isIntersection: false });
  if (ts.isTypeOperatorNode(node) && node.operator === ts.SyntaxKind.ReadonlyKeyword)
    return serializedType(node.type, context);
  return OBJECT;
}

function serializedLiteral(node: ts.LiteralTypeNode["literal"]): string {
  // Minus something.
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

/** What all of these are serialized as, or `Object`. */
function serializedParts(
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
    if (!context.checksNull && isNullish(node)) continue;
    const part = serializedType(node, context);
    if (part === OBJECT || (common !== undefined && part !== common)) return OBJECT;
    common = part;
  }
  return common ?? NOTHING;
}

function isNullish(node: ts.TypeNode): boolean {
  const isNull = ts.isLiteralTypeNode(node) && node.literal.kind === ts.SyntaxKind.NullKeyword;
  return isNull || node.kind === ts.SyntaxKind.UndefinedKeyword;
}

function serializedReference({ typeName }: ts.TypeReferenceNode, context: TypeSerialization): string {
  const { checker } = context;
  const named = checker.getSymbolAtLocation(ts.isQualifiedName(typeName) ? typeName.right : typeName);
  const symbol = named && named.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(named) : named;
  if (!named || !symbol) return OBJECT;
  if (symbol.flags & ts.SymbolFlags.Value) {
    const type = checker.getTypeOfSymbol(symbol);
    if (type.getConstructSignatures().length > 0) {
      const root = rootOf(typeName, checker);
      // It has a class for its type, and the program nothing that it could be found by.
      if (isTypeOnly(named, checker) || isTypeOnly(root, checker)) return "Function";
      return constructorOf(typeName, root);
    }
  }
  return serializedDeclared(checker.getDeclaredTypeOfSymbol(symbol), context);
}

/** The kind of value that a type without a constructor stands for. */
function serializedDeclared(declared: ts.Type, { checker, checksNull }: TypeSerialization): string {
  if (declared.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return OBJECT;
  const type = checksNull ? declared : checker.getNonNullableType(declared);
  const isOne = (...of: readonly ts.Type[]): boolean =>
    of.some((each) => checker.isTypeAssignableTo(type, each));
  if (isOne(checker.getVoidType(), checker.getNullType(), checker.getUndefinedType())) return NOTHING;
  if (isOne(checker.getBooleanType())) return "Boolean";
  if (isOne(checker.getNumberType())) return "Number";
  if (isOne(checker.getBigIntType())) return "BigInt";
  if (isOne(checker.getStringType())) return "String";
  if (checker.isTupleType(type)) return "Array";
  if (isOne(checker.getESSymbolType())) return "Symbol";
  if (type.flags & ts.TypeFlags.Object && type.getCallSignatures().length > 0) return "Function";
  return checker.isArrayType(type) ? "Array" : OBJECT;
}

/** What the first name of `express.Response` stands for. */
function rootOf(name: ts.EntityName, checker: ts.TypeChecker): ts.Symbol | undefined {
  return ts.isQualifiedName(name) ? rootOf(name.left, checker) : checker.getSymbolAtLocation(name);
}

/** Whether there is `import type` or `export type` on the way to a declaration. */
function isTypeOnly(symbol: ts.Symbol | undefined, checker: ts.TypeChecker): boolean {
  for (let at = symbol; at && at.flags & ts.SymbolFlags.Alias; at = checker.getImmediateAliasedSymbol(at)) {
    if (at.declarations?.some(ts.isTypeOnlyImportOrExportDeclaration)) return true;
  }
  return false;
}

/**
 * Reads a class where its name stands. Of modules that import each other, one is at work before the classes of the other
 * are there: `undefined` then, as in CommonJS, which libraries know how to explain.
 */
function constructorOf(name: ts.EntityName, root: ts.Symbol | undefined): string {
  const text = name.getText().replaceAll(/\s/g, "");
  const isGlobal = root?.declarations?.every(isLibraryNode) ?? false;
  return isGlobal ? `globalThis.${text}` : `(() => { try { return ${text}; } catch {} })()`;
}
