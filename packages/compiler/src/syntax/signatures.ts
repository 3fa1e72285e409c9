/**
 * Functions, methods, and constructors as their authors wrote them.
 * @module
 */
import { ts } from "../typescript/typescript.js";
import { bindParameters, findNamedSymbol, getBases, getTypeArguments } from "./names.js";
import {
  assemble,
  NO_BINDINGS,
  type Structure,
  type TupleElement,
  type TypeBindings,
  type WrittenSignature,
  type WrittenType,
} from "./written-type.js";

/**
 * Returns the structure of a function.
 *
 * @param overloads declarations of the function; as in the checker's inference, the last overload counts
 * @param isInstantiated whether `bindings` contains the function's own type parameters
 */
export function getFunctionStructure(
  overloads: readonly ts.SignatureDeclaration[],
  bindings: TypeBindings,
  node: ts.Node,
  isInstantiated = false,
): Structure {
  const signature = overloads.findLast((each) => !isImplementation(each, overloads));
  // Types of a generic function differ for each call.
  if (!signature || (signature.typeParameters && !isInstantiated)) return { kind: "unfollowed", node };
  return { kind: "function", signature: toSignature(signature, bindings) };
}

function isImplementation(
  signature: ts.SignatureDeclaration,
  overloads: readonly ts.SignatureDeclaration[],
): boolean {
  return overloads.length > 1 && (signature as ts.FunctionLikeDeclaration).body !== undefined;
}

function toSignature(declaration: ts.SignatureDeclaration, bindings: TypeBindings): WrittenSignature {
  const { type, parameters } = declaration;
  const receiver = parameters.find((each) => isThis(each))?.type;
  return {
    parameters: parameters.filter((each) => !isThis(each)).map((each) => toElement(each, bindings)),
    receiver: receiver && { node: receiver, bindings },
    returns:
      type && ts.isTypeNode(type) && !ts.isTypePredicateNode(type) ? { node: type, bindings } : undefined,
    isConstructor: ts.isConstructorTypeNode(declaration) || ts.isConstructSignatureDeclaration(declaration),
  };
}

/** Returns whether a parameter declares the type of `this`, which callers do not pass. */
function isThis({ name }: ts.ParameterDeclaration): boolean {
  return ts.isIdentifier(name) && name.text === "this";
}

function toElement(declaration: ts.ParameterDeclaration, bindings: TypeBindings): TupleElement {
  return {
    written: declaration.type && { node: declaration.type, bindings },
    isRest: declaration.dotDotDotToken !== undefined,
    isOptional: declaration.questionToken !== undefined || declaration.initializer !== undefined,
    declaration,
  };
}

/** Returns the structure of a class as a value: a constructor that returns an instance. */
export function getConstructorStructure(
  declaration: ts.ClassLikeDeclaration,
  written: WrittenType,
  checker: ts.TypeChecker,
): Structure {
  const typeArguments = getTypeArguments(written);
  // Types of a generic class differ for each `new`.
  if (declaration.typeParameters && typeArguments.length === 0)
    return { kind: "unfollowed", node: written.node };
  const bindings = bindParameters(declaration.typeParameters, typeArguments, NO_BINDINGS, checker);
  const instance = assemble(
    { node: written.node, bindings },
    { kind: "object", declarations: [declaration], bindings, typeArguments },
  );
  const parameters = getConstructorParameters(declaration, bindings, checker);
  if (!parameters) return { kind: "unfollowed", node: written.node };
  return {
    kind: "function",
    signature: { parameters, receiver: undefined, returns: instance, isConstructor: true },
  };
}

function getConstructorParameters(
  declaration: ts.ClassLikeDeclaration,
  bindings: TypeBindings,
  checker: ts.TypeChecker,
): TupleElement[] | undefined {
  const own = declaration.members.filter((each) => ts.isConstructorDeclaration(each));
  const last = own.findLast((each) => !isImplementation(each, own));
  if (last) return last.parameters.map((each) => toElement(each, bindings));
  const extended = declaration.heritageClauses?.some(({ token }) => token === ts.SyntaxKind.ExtendsKeyword);
  if (!extended) return [];
  const [node] = getBases(declaration);
  const base = node && findNamedSymbol(node, checker)?.declarations?.find((each) => ts.isClassLike(each));
  if (!base) return undefined;
  const typeArguments = getTypeArguments({ node, bindings });
  return getConstructorParameters(
    base,
    bindParameters(base.typeParameters, typeArguments, bindings, checker),
    checker,
  );
}
