/**
 * References to types by name, with or without type arguments.
 * @module
 */
import { isLibraryNode } from "../typescript/nodes.js";
import { ts } from "../typescript/typescript.js";
import {
  findAlias,
  getBinding,
  bindParameters,
  isClassOrInterface,
  getLibraryTypeName,
  type NamingNode,
  findNamedSymbol,
  getTypeArguments,
} from "./names.js";
import {
  inheritDeclarations,
  NO_BINDINGS,
  type Step,
  type TypeResolver,
  toUnion,
  type TypeExpressionOf,
  type WrittenType,
} from "./written-type.js";

/** Follows a name to the binding of a type parameter, the body of an alias, or a class or interface. */
export function followName(written: TypeExpressionOf<NamingNode>, resolver: TypeResolver): Step {
  const { node, bindings } = written;
  const { checker } = resolver;
  const bound = getBinding(node, bindings, checker);
  if (bound) return inheritDeclarations(written, bound);
  const alias = findAlias(node, checker);
  if (alias) return followAlias(alias, written, resolver);
  const declarations = (findNamedSymbol(node, checker)?.declarations ?? []).filter(isClassOrInterface);
  const [declaration] = declarations;
  if (!declaration) return { kind: "leaf" };
  const typeArguments = getTypeArguments(written);
  const [first] = typeArguments;
  const name = isLibraryNode(declaration) ? declaration.name?.text : undefined;
  if (first && (name === "Array" || name === "ReadonlyArray"))
    return { kind: "array", element: first, isReadonly: name === "ReadonlyArray" };
  const inside = bindParameters(declaration.typeParameters, typeArguments, NO_BINDINGS, checker);
  return { kind: "object", declarations, bindings: inside, typeArguments };
}

function followAlias(
  alias: ts.TypeAliasDeclaration,
  written: TypeExpressionOf<NamingNode>,
  resolver: TypeResolver,
): Step {
  const { node } = written;
  const { checker } = resolver;
  if (isCircular(node, checker)) return { kind: "leaf" };
  const typeArguments = getTypeArguments(written);
  const [first] = typeArguments;
  const isLibrary = isLibraryNode(alias);
  if (first && isLibrary && alias.name.text === "Awaited") return followAwaited(first, written, resolver);
  // The checker implements these: `NoInfer<T>` is `T`, and `Uppercase<T>` is another string.
  if (alias.type.kind === ts.SyntaxKind.IntrinsicKeyword)
    return first && alias.name.text === "NoInfer"
      ? inheritDeclarations(written, first)
      : { kind: "unfollowed", node };
  const bindings = bindParameters(alias.typeParameters, typeArguments, NO_BINDINGS, checker);
  const type = bindings.size > 0 ? resolver.getType(written) : undefined;
  return inheritDeclarations(written, { node: alias.type, bindings, type }, isLibrary ? undefined : alias);
}

/** Returns whether an alias refers to itself, as in `type Loop = Awaited<Loop>`, which is an error. */
function isCircular(node: ts.TypeNode, checker: ts.TypeChecker): boolean {
  return (checker.getTypeFromTypeNode(node) as { intrinsicName?: string }).intrinsicName === "error";
}

/** Follows `Awaited<Promise<Count>>` to `Count`. Its declaration, which matches the `then` method, cannot be followed. */
function followAwaited(
  given: WrittenType,
  written: TypeExpressionOf<NamingNode>,
  resolver: TypeResolver,
): Step {
  const unfollowed: Step = { kind: "unfollowed", node: written.node };
  const awaited = getAwaited(given, resolver);
  return awaited ? inheritDeclarations(written, awaited) : unfollowed;
}

function getAwaited(given: WrittenType, resolver: TypeResolver): WrittenType | undefined {
  const { structure, end } = resolver.resolve(given);
  if (structure.kind === "union") {
    const types = structure.types.map((each) => getAwaited(each, resolver));
    if (types.every((each, index) => each === structure.types[index])) return given;
    return types.includes(undefined)
      ? undefined
      : toUnion(
          end,
          types.flatMap((each) => each ?? []),
        );
  }
  const name = getLibraryTypeName(end.node, resolver.checker);
  const [value] = structure.kind === "object" ? structure.typeArguments : [];
  if (value && (name === "Promise" || name === "PromiseLike")) return getAwaited(value, resolver);
  const type = resolver.getType(given);
  // The type of `{ value: T }` in a generic function is unknown to the checker.
  if (!type && structure.kind === "object" && !resolver.findMember(given, "then")) return given;
  if (!type || type.flags & ts.TypeFlags.Instantiable) return undefined;
  return type.getProperty("then") ? undefined : given;
}
