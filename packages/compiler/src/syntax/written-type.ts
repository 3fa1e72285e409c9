/**
 * Types as their authors wrote them. The checker reduces `"day" | Range` to `string` and drops the alias `Range` with its
 * JSDoc tags. A written type keeps both.
 * @module
 */
import type { ts } from "../typescript/typescript.js";

/** A type expression, or a type without its own expression, such as the tuple of `Parameters<typeof add>`. */
export type WrittenType = TypeExpression | AssembledType;

/** A type expression, with the types bound to its type parameters. */
export interface TypeExpression extends Provenance {
  readonly node: ts.TypeNode;
  readonly structure?: undefined;
}

/** A type without its own expression, such as the union of several members. */
export interface AssembledType extends Provenance {
  /** The operator that created it, or its declaration. */
  readonly node: ts.Node;
  readonly structure: Structure;
}

interface Provenance {
  /** The types of the type parameters that are in scope at the node. */
  readonly bindings: TypeBindings;
  /**
   * Declarations on the way to this type whose comments also apply to its values, outermost first. A part of a type,
   * such as an element, starts with none.
   */
  readonly declarations?: readonly ts.Declaration[];
  /** The checker's type, if it is known even though the node mentions type parameters. */
  readonly type?: ts.Type | undefined;
}

/** Maps the symbols of type parameters to the types that replace them. */
export type TypeBindings = ReadonlyMap<ts.Symbol, WrittenType>;

/** Maximum number of names and operators followed for one type. An incorrect program can be circular. */
export const MAX_STEPS = 60;

/** The bindings outside generic declarations. */
export const NO_BINDINGS: TypeBindings = new Map();

/** The result of following the aliases and operators of a type expression. */
export type Structure =
  /** All alternatives except `undefined`, which JSON lacks. */
  | { readonly kind: "union"; readonly types: readonly WrittenType[] }
  | { readonly kind: "intersection"; readonly types: readonly WrittenType[] }
  /** `T[]`, `readonly T[]`, `Array<T>`, and `ReadonlyArray<T>`. */
  | { readonly kind: "array"; readonly element: WrittenType; readonly isReadonly: boolean }
  | { readonly kind: "tuple"; readonly elements: readonly TupleElement[] }
  | ObjectStructure
  | { readonly kind: "mapped"; readonly node: ts.MappedTypeNode; readonly bindings: TypeBindings }
  | { readonly kind: "function"; readonly signature: WrittenSignature }
  /** A property name; without `name`, all names of an index signature. */
  | { readonly kind: "name"; readonly name: string | undefined }
  /** A keyword, a literal, an enum, or an unbound type parameter, which cannot be followed further. */
  | { readonly kind: "leaf" }
  /** An expression that only the checker can evaluate. Tags on the declarations that it mentions are lost. */
  | Unfollowed;

/** A class, an interface, or an object literal (a type or a value), with all merged declarations. */
export interface ObjectStructure {
  readonly kind: "object";
  readonly declarations: readonly ts.Declaration[];
  readonly bindings: TypeBindings;
  /** Type arguments, as in `Map<string, Count>`. */
  readonly typeArguments: readonly WrittenType[];
}

/** A type expression that cannot be followed. */
export interface Unfollowed {
  readonly kind: "unfollowed";
  /** The smallest expression that cannot be followed. */
  readonly node: ts.Node;
}

/** An element of a tuple, or a parameter of a function. */
export interface TupleElement {
  /** Undefined for a parameter whose type is inferred. The type of a rest element is the list. */
  readonly written: WrittenType | undefined;
  readonly isRest: boolean;
  readonly isOptional: boolean;
  /** The named tuple member or parameter whose comment describes the element. */
  readonly declaration?: ts.NamedTupleMember | ts.ParameterDeclaration;
}

/** The signature of a function, a method, or a constructor. */
export interface WrittenSignature {
  readonly parameters: readonly TupleElement[];
  /** The type of `this`, if it is declared. */
  readonly receiver: WrittenType | undefined;
  readonly returns: WrittenType | undefined;
  readonly isConstructor: boolean;
}

/** A member as its owner declares it. */
export interface WrittenMember {
  /** The type of its values; undefined if it is inferred or cannot be followed. */
  readonly written: WrittenType | undefined;
  /** The key type of an index signature: `Code` in `Record<Code, Link>`. */
  readonly key?: WrittenType | undefined;
  /** The declaration of all members together, if one declares them. Its comment describes them. */
  readonly declaredBy?: ts.IndexSignatureDeclaration | ts.TypeParameterDeclaration;
}

/** A type expression whose node is of one kind. */
export type TypeExpressionOf<Node extends ts.TypeNode> = TypeExpression & { readonly node: Node };

/** The next type on the way to a structure, or the structure. */
export type Step = WrittenType | Structure;

/** The result of following a type to its structure. */
export interface Resolution {
  readonly structure: Structure;
  /** The aliases, members, and parameters on the way, outermost first. */
  readonly declarations: readonly ts.Declaration[];
  /** The last type on the way, which has the structure. */
  readonly end: WrittenType;
}

/** Follows types. Each of the other files in this folder implements one kind of expression. */
export interface TypeResolver {
  readonly checker: ts.TypeChecker;
  /** Follows a type up to the next alias, so that the alias's comments can be read, or to its structure. */
  resolveToAlias(written: WrittenType): WrittenType;
  /** Follows a type by one step. Returns undefined if the type already has a structure. */
  step(written: WrittenType): WrittenType | undefined;
  /** Follows a type to its structure. */
  resolve(written: WrittenType): Resolution;
  /** Returns the checker's type, or undefined if it depends on type parameters. */
  getType(written: WrittenType): ts.Type | undefined;
  /** Returns whether a type mentions bound type parameters, which makes the checker's type of its node generic. */
  isOpen(written: WrittenType): boolean;
  /** Returns whether a written type denotes a type of the checker. */
  denotes(written: WrittenType, type: ts.Type, depth?: number): boolean;
  /** Returns the types that the class or interface of a structure extends or implements. */
  listBases(structure: ObjectStructure): readonly WrittenType[];
  /** Returns a member by its name, or undefined if the type has none. */
  findMember(written: WrittenType, name: string, symbol?: ts.Symbol): WrittenMember | undefined;
  /** Returns the member that represents all members of an index signature, or all elements of a list. */
  findIndexMember(
    written: WrittenType,
    declaration?: ts.IndexSignatureDeclaration,
  ): WrittenMember | undefined;
}

/** Creates a type that has a structure instead of an expression. */
export function assemble(
  { node, bindings }: Pick<WrittenType, "node" | "bindings">,
  structure: Structure,
  declarations?: readonly ts.Declaration[],
): AssembledType {
  return { node, bindings, structure, ...(declarations && { declarations }) };
}

/** Creates a union of types. A single type is returned unchanged. */
export function toUnion(
  at: Pick<WrittenType, "node" | "bindings">,
  types: readonly WrittenType[],
): WrittenType {
  const [only, ...others] = types;
  return only && others.length === 0 ? only : assemble(at, { kind: "union", types });
}

/** Returns `next` with the declarations of `from`, and those in `passed`, before its own. Their comments also apply to it. */
export function inheritDeclarations(
  from: WrittenType,
  next: WrittenType,
  ...passed: readonly (ts.Declaration | undefined)[]
): WrittenType {
  const before = [...(from.declarations ?? []), ...passed.filter((each) => each !== undefined)];
  if (before.length === 0) return next;
  return { ...next, declarations: [...before, ...(next.declarations ?? [])] };
}

/** Adds declarations whose comments apply to a type, after its own. */
export function addDeclarations(written: WrittenType, declarations: readonly ts.Declaration[]): WrittenType {
  if (declarations.length === 0) return written;
  return { ...written, declarations: [...(written.declarations ?? []), ...declarations] };
}
