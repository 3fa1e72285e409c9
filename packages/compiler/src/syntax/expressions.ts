/**
 * Kinds of type expressions, and how each is followed by one step.
 * @module
 */
import { ts } from "../typescript/typescript.js";
import { followConditional } from "./conditional-types.js";
import {
  followIndexedAccess,
  followIntersection,
  followMapped,
  followOperator,
  followUnion,
} from "./operators.js";
import { followName } from "./references.js";
import { getFunctionStructure } from "./signatures.js";
import { followTypeQuery } from "./type-queries.js";
import {
  inheritDeclarations,
  type Step,
  type Structure,
  type TupleElement,
  type TypeExpression,
  type TypeResolver,
  type TypeExpressionOf,
  type WrittenType,
} from "./written-type.js";

const LEAF: Structure = { kind: "leaf" };

/**
 * Follows a type expression by one step.
 *
 * @returns the next expression, or its structure; "unfollowed" if it cannot be followed
 */
export function follow(written: TypeExpression, resolver: TypeResolver): Step {
  const { node, bindings } = written;
  if (isPlain(node)) return getPlainStructure(node);
  if (hasNode(written, ts.isTypeReferenceNode) || hasNode(written, ts.isExpressionWithTypeArguments))
    return followName(written, resolver);
  if (hasNode(written, ts.isImportTypeNode))
    return written.node.isTypeOf ? followTypeQuery(written, resolver) : followName(written, resolver);
  if (hasNode(written, ts.isTypeQueryNode)) return followTypeQuery(written, resolver);
  if (hasNode(written, ts.isUnionTypeNode)) return followUnion(written);
  if (hasNode(written, ts.isIntersectionTypeNode)) return followIntersection(written, resolver);
  if (hasNode(written, ts.isTypeOperatorNode)) return followOperator(written, resolver);
  if (hasNode(written, ts.isIndexedAccessTypeNode)) return followIndexedAccess(written, resolver);
  if (hasNode(written, ts.isMappedTypeNode)) return followMapped(written, resolver);
  if (hasNode(written, ts.isConditionalTypeNode)) return followConditional(written, resolver);
  if (hasNode(written, ts.isTupleTypeNode))
    return { kind: "tuple", elements: getElements(written, resolver) };
  if (hasNode(written, ts.isTypeLiteralNode)) return getLiteralStructure(written);
  if (ts.isArrayTypeNode(node))
    return { kind: "array", element: { node: node.elementType, bindings }, isReadonly: false };
  if (ts.isParenthesizedTypeNode(node) || ts.isOptionalTypeNode(node) || ts.isNamedTupleMember(node))
    return inheritDeclarations(written, { node: node.type, bindings });
  if (ts.isFunctionTypeNode(node) || ts.isConstructorTypeNode(node))
    return getFunctionStructure([node], bindings, node);
  if (ts.isTemplateLiteralTypeNode(node)) return getTemplateStructure(node);
  if (ts.isThisTypeNode(node)) {
    const { declarations = [] } = resolver.checker.getTypeFromTypeNode(node).symbol ?? {};
    return { kind: "object", declarations, bindings, typeArguments: [] };
  }
  return isAtomic(node) ? LEAF : { kind: "unfollowed", node };
}

function hasNode<Node extends ts.TypeNode>(
  written: TypeExpression,
  is: (node: ts.Node) => node is Node,
): written is TypeExpressionOf<Node> {
  return is(written.node);
}

/** Returns whether a type is a keyword or a literal, which has no name and no parts to follow. */
export function isPlain(node: ts.Node): boolean {
  return isKeyword(node) || ts.isLiteralTypeNode(node);
}

function isKeyword({ kind }: ts.Node): boolean {
  return kind >= ts.SyntaxKind.FirstKeyword && kind <= ts.SyntaxKind.LastKeyword;
}

function getPlainStructure(node: ts.TypeNode): Structure {
  return ts.isLiteralTypeNode(node) && ts.isLiteralExpression(node.literal)
    ? { kind: "name", name: node.literal.text }
    : LEAF;
}

/** Returns whether a type has no declaration. A type parameter after `infer` has none until it is matched. */
function isAtomic(node: ts.TypeNode): boolean {
  return (
    isKeyword(node) || ts.isThisTypeNode(node) || ts.isTypePredicateNode(node) || ts.isInferTypeNode(node)
  );
}

/** Returns the structure of a template literal. Tags on a part of a string do not apply to the whole. */
function getTemplateStructure(node: ts.TemplateLiteralTypeNode): Structure {
  const isNamed = ({ type }: ts.TemplateLiteralTypeSpan): boolean => !isAtomic(type) && !isPlain(type);
  return node.templateSpans.some(isNamed) ? { kind: "unfollowed", node } : LEAF;
}

/** Returns the structure of an object literal. One with a call signature is a function. */
function getLiteralStructure({ node, bindings }: TypeExpressionOf<ts.TypeLiteralNode>): Structure {
  const signatures = node.members.filter(
    (each): each is ts.CallSignatureDeclaration | ts.ConstructSignatureDeclaration =>
      ts.isCallSignatureDeclaration(each) || ts.isConstructSignatureDeclaration(each),
  );
  if (signatures.length > 0) return getFunctionStructure(signatures, bindings, node);
  return { kind: "object", declarations: [node], bindings, typeArguments: [] };
}

/** Returns the elements of a tuple, with the elements of `Week` in place of `...Week`. */
function getElements(
  { node, bindings }: TypeExpressionOf<ts.TupleTypeNode>,
  resolver: TypeResolver,
): TupleElement[] {
  return node.elements.flatMap((element): readonly TupleElement[] => {
    const name = ts.isNamedTupleMember(element) ? { declaration: element } : {};
    const spread = getSpreadType(element);
    const written: WrittenType = { node: spread ?? element, bindings };
    if (!spread) return [{ written, isRest: false, isOptional: isOptional(element), ...name }];
    const { structure } = resolver.resolve(written);
    if (structure.kind === "tuple") return structure.elements;
    return [{ written, isRest: true, isOptional: false, ...name }];
  });
}

/** Returns the list after `...`, in a named or unnamed element. */
function getSpreadType(node: ts.TypeNode | ts.NamedTupleMember): ts.TypeNode | undefined {
  if (ts.isRestTypeNode(node)) return node.type;
  return ts.isNamedTupleMember(node) && node.dotDotDotToken ? node.type : undefined;
}

function isOptional(node: ts.TypeNode | ts.NamedTupleMember): boolean {
  return ts.isOptionalTypeNode(node) || (ts.isNamedTupleMember(node) && node.questionToken !== undefined);
}
