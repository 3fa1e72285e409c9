import { bareTypeNode } from "./nodes.js";
import { ts } from "./typescript.js";
import { isInItself, symbolOf, type WrittenReader, type WrittenType } from "./written-parts.js";

/**
 * The branch of a conditional type that is taken, where what is written decides it: of `Item<Count[]>`, where
 * `type Item<T> = T extends (infer U)[] ? U : never`, that is `U`, which stands for `Count`. Undefined for unions, each
 * alternative of which takes a branch of its own, and for whatever only the checker can tell.
 */
export function chosenBranch(
  { node, bindings }: WrittenType,
  reader: WrittenReader,
): WrittenType | undefined {
  const { checker } = reader;
  if (!ts.isConditionalTypeNode(node) || isInItself(node, checker)) return undefined;
  const given = reader.settled({ node: node.checkType, bindings });
  const type = checker.getTypeFromTypeNode(given.node);
  if (type.isUnion() || type.flags & UNDECIDED) return undefined;
  const [onTrue, onFalse] = [
    { node: node.trueType, bindings },
    { node: node.falseType, bindings },
  ];
  const pattern = bareTypeNode(node.extendsType);
  if (hasInfer(pattern)) {
    const inferred = inferredBy(node.extendsType, given, reader);
    if (inferred) return { ...onTrue, bindings: new Map([...bindings, inferred]) };
    const isList = ts.isArrayTypeNode(pattern) || ts.isTypeReferenceNode(pattern);
    return isList && type.flags & PRIMITIVE ? onFalse : undefined;
  }
  const wanted = reader.settled({ node: pattern, bindings });
  const wantedType = checker.getTypeFromTypeNode(wanted.node);
  // Inside of a generic declaration, the checker knows nothing of what its parameters stand for.
  if (isOpen(given.node, checker) || isOpen(wanted.node, checker)) return undefined;
  return checker.isTypeAssignableTo(type, wantedType) ? onTrue : onFalse;
}

const UNDECIDED = ts.TypeFlags.Instantiable | ts.TypeFlags.Any | ts.TypeFlags.Never | ts.TypeFlags.Boolean;

const PRIMITIVE =
  ts.TypeFlags.StringLike |
  ts.TypeFlags.NumberLike |
  ts.TypeFlags.BigIntLike |
  ts.TypeFlags.BooleanLike |
  ts.TypeFlags.Null;

function isOpen(node: ts.Node, checker: ts.TypeChecker): boolean {
  const symbol = ts.isTypeReferenceNode(node) ? checker.getSymbolAtLocation(node.typeName) : undefined;
  if (symbol && symbol.flags & ts.SymbolFlags.TypeParameter) return true;
  return ts.forEachChild(node, (child) => isOpen(child, checker) || undefined) === true;
}

function hasInfer(node: ts.Node): boolean {
  return ts.isInferTypeNode(node) || ts.forEachChild(node, (child) => hasInfer(child) || undefined) === true;
}

/** What the one `infer` of a pattern stands for: of `(infer U)[]`, of `Box<infer U>` and of `{ value: infer U }`. */
function inferredBy(
  pattern: ts.TypeNode,
  given: WrittenType,
  reader: WrittenReader,
): [ts.Symbol, WrittenType] | undefined {
  const { checker } = reader;
  const node = bareTypeNode(pattern);
  const type = checker.getTypeFromTypeNode(given.node);
  const behind = reader.behind(given);
  const part = (written: ts.TypeNode): WrittenType => ({ node: written, bindings: behind.bindings });
  if (ts.isArrayTypeNode(node)) {
    // A list that is not to be changed is none that may be; `readonly` speaks for both.
    const isFitting =
      checker.isArrayType(type) && (ts.isTypeOperatorNode(pattern) || type.symbol.name === "Array");
    const [element] = isFitting ? elementsOf(behind.node) : [];
    return element && bindingFor(node.elementType, part(element), checker);
  }
  if (ts.isTypeReferenceNode(node) && ts.isTypeReferenceNode(behind.node)) {
    const [only, ...others] = node.typeArguments ?? [];
    const [argument] = behind.node.typeArguments ?? [];
    const isSame = symbolOf(node.typeName, checker) === symbolOf(behind.node.typeName, checker);
    return only && argument && isSame && others.length === 0
      ? bindingFor(only, part(argument), checker)
      : undefined;
  }
  const [member, ...others] = ts.isTypeLiteralNode(node) ? node.members : [];
  if (!member || others.length > 0 || !ts.isPropertySignature(member) || !member.type) return undefined;
  const owner = checker.getTypeFromTypeNode(behind.node);
  const [declaration] = owner.getProperty(member.name.getText())?.declarations ?? [];
  if (!declaration || !ts.isPropertySignature(declaration) || !declaration.type) return undefined;
  if (declaration.questionToken || member.questionToken) return undefined;
  return bindingFor(member.type, { node: declaration.type, bindings: reader.inside(behind, owner) }, checker);
}

function elementsOf(node: ts.TypeNode): readonly ts.TypeNode[] {
  if (ts.isArrayTypeNode(node)) return [node.elementType];
  return ts.isTypeReferenceNode(node) ? (node.typeArguments ?? []) : [];
}

/** Only of `infer U` alone: what it extends besides would have to be looked at. */
function bindingFor(
  pattern: ts.TypeNode,
  written: WrittenType,
  checker: ts.TypeChecker,
): [ts.Symbol, WrittenType] | undefined {
  const node = bareTypeNode(pattern);
  if (!ts.isInferTypeNode(node) || node.typeParameter.constraint) return undefined;
  const symbol = checker.getSymbolAtLocation(node.typeParameter.name);
  return symbol && [symbol, written];
}
