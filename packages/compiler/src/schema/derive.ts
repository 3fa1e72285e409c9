import { ts } from "../typescript/typescript.js";
import type { WrittenType } from "../syntax/type-syntax.js";
import { arrayInterfaces } from "./families/array-interfaces.js";
import { arrays } from "./families/arrays.js";
import { UNSUPPORTED } from "../json-schema/fragment.js";
import { type TypeSite, type TypeRule } from "./derivation/derivation.js";
import { DerivationState, type DeriveContext, type Derived } from "./derivation-state.js";
import { intersections } from "./families/intersections.js";
import { joinFragments, allowNull } from "./derivation/join.js";
import { libraryTypes } from "./families/library-types.js";
import { literals } from "./families/literals.js";
import { functions, objects } from "./families/objects.js";
import { structureless } from "./families/structureless.js";
import { mayBeAbsent } from "../typescript/type-identity.js";
import { findTrustedType } from "./derivation/type-sites.js";
import { cursors, principals } from "./families/injected.js";
import { anything, primitives } from "./families/primitives.js";
import { templateLiterals } from "./families/template-literals.js";
import { tuples } from "./families/tuples.js";
import { typeVariables } from "./families/type-variables.js";
import { unions } from "./families/unions.js";
import { writtenUnions } from "./families/written-unions.js";

export type { DeriveContext, Derived } from "./derivation-state.js";
export type { Direction } from "./derivation/derivation.js";

/**
 * The rules for all types. The first rule that returns a fragment wins, so the order matters: a `string` for the
 * checker may be written as a union, a library type is an object, a tuple is an array, and an apparent object may be
 * one of those or a function.
 */
export const RULES: readonly TypeRule[] = [
  anything,
  writtenUnions,
  primitives,
  literals,
  templateLiterals,
  typeVariables,
  unions,
  intersections,
  libraryTypes,
  principals,
  cursors,
  tuples,
  arrays,
  arrayInterfaces,
  structureless,
  functions,
  objects,
];

/**
 * Derives the schema of one type.
 *
 * @param at the node for diagnostics; a type node also has the order and comments that the type has lost
 * @param path the path of the type inside the value, for diagnostics
 * @returns undefined if the type is unsupported; the diagnostics explain why
 * @example
 * deriveType(checker.getTypeFromTypeNode(node), node, [], { checker, report, direction: "output" })
 */
export function deriveType(
  type: ts.Type,
  at: ts.Node,
  path: readonly string[],
  context: DeriveContext,
): Derived | undefined {
  const state = new DerivationState(context, RULES);
  const site = createRootSite(type, at, path, state);
  const fragment = state.derive(type, site);
  // A result that may be missing is `null`: JSON has no `undefined`.
  const isAbsentNull = context.direction === "output" && mayBeAbsent(type) && fragment !== UNSUPPORTED;
  return state.close(isAbsentNull ? allowNull(fragment) : fragment, type, site);
}

/**
 * Derives one schema for the values of several types, such as the data alternatives of a result.
 *
 * @param types the types with their paths in the value; `undefined` among their values is ignored
 * @param mayBeNull whether `null` is one of the values
 */
export function deriveTypes(
  types: readonly { type: ts.Type; path: readonly string[] }[],
  at: ts.Node,
  mayBeNull: boolean,
  context: DeriveContext,
): Derived | undefined {
  const [only] = types;
  if (!only) return undefined;
  if (types.length === 1 && !mayBeNull && only.path.length === 0)
    return deriveType(only.type, at, [], context);
  const state = new DerivationState(context, RULES);
  const fragments = types.map(({ type, path }) => state.derive(type, createRootSite(type, at, path, state)));
  const joined = joinFragments(fragments, context.direction);
  return state.close(
    mayBeNull ? allowNull(joined) : joined,
    only.type,
    createRootSite(only.type, at, only.path, state),
  );
}

function createRootSite(
  type: ts.Type,
  at: ts.Node,
  path: readonly string[],
  state: DerivationState,
): TypeSite {
  const written = ts.isTypeNode(at) ? findWrittenType(at, type, state) : undefined;
  const outer = path.reduce<TypeSite | undefined>(
    (site, segment) => ({ node: at, outer: site, segment }),
    undefined,
  );
  // Diagnostics cannot point at a type that is written elsewhere.
  const node = written?.bindings === state.bindings ? written.node : at;
  return { node, written, outer };
}

/** Returns the type itself as written: for `Promise<T>` and `Promise<ToolResult<T>>`, `T`. */
function findWrittenType(node: ts.TypeNode, type: ts.Type, state: DerivationState): WrittenType | undefined {
  const own = findTrustedType({ node, bindings: state.bindings }, type, state);
  if (own || !ts.isTypeReferenceNode(node)) return own;
  const [argument] = node.typeArguments ?? [];
  return argument && findWrittenType(argument, type, state);
}
