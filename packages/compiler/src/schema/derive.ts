import { ts } from "../project/typescript.js";
import type { WrittenType } from "../project/written-type.js";
import { arrays } from "./families/arrays.js";
import { UNSUPPORTED } from "../json-schema/fragment.js";
import { type TypeSite, type TypeRule } from "./derivation.js";
import { DerivationState, type DeriveContext, type Derived } from "./derivation-state.js";
import { intersections } from "./families/intersections.js";
import { joinFragments, orNull } from "./join.js";
import { libraryTypes } from "./families/library-types.js";
import { literals } from "./families/literals.js";
import { functions, objects, structureless } from "./families/objects.js";
import { mayBeAbsent } from "./type-identity.js";
import { trustedNode, writtenAt } from "./type-sites.js";
import { principals } from "./families/principals.js";
import { anything, primitives } from "./families/primitives.js";
import { templateLiterals } from "./families/template-literals.js";
import { tuples } from "./families/tuples.js";
import { typeVariables } from "./families/type-variables.js";
import { unions } from "./families/unions.js";
import { writtenUnions } from "./families/written-unions.js";

export type { DeriveContext, Derived } from "./derivation-state.js";
export type { Direction } from "./derivation.js";

/**
 * Every type goes down this list until a rule takes it. Order matters: what the checker takes for a string may be
 * written as a union, a library type is an object, a tuple is an array, and what looks like an object may be one of those or a function.
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
  arrays,
  tuples,
  structureless,
  functions,
  objects,
];

/**
 * Derives the schema of one type.
 *
 * @param at what diagnostics point at; a type node also has the order and comments that the type has lost
 * @param path where in the value the type is, for diagnostics
 * @returns undefined when the type is unsupported; the diagnostics say why
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
  const site = siteOf(type, at, path, state);
  const fragment = state.derive(type, site);
  // A result that may be missing is `null`: JSON has no `undefined`.
  const isAbsentNull = context.direction === "output" && mayBeAbsent(type) && fragment !== UNSUPPORTED;
  return state.close(isAbsentNull ? orNull(fragment) : fragment, type, site);
}

/**
 * Derives one schema for what is of any of several types, such as the data among the alternatives of a result.
 *
 * @param types with the path in the value where each is; `undefined` in them is nothing
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
  const fragments = types.map(({ type, path }) => state.derive(type, siteOf(type, at, path, state)));
  const joined = joinFragments(fragments, context.direction);
  return state.close(mayBeNull ? orNull(joined) : joined, only.type, siteOf(only.type, at, only.path, state));
}

function siteOf(type: ts.Type, at: ts.Node, path: readonly string[], state: DerivationState): TypeSite {
  const written = ts.isTypeNode(at) ? writtenType(at, type, state) : undefined;
  const outer = path.reduce<TypeSite | undefined>(
    (site, segment) => ({ node: at, outer: site, segment }),
    undefined,
  );
  const { bindings = state.bindings } = written ?? {};
  // What is written elsewhere is no place to point at.
  const node = written && bindings === state.bindings ? written.node : at;
  return { node, typeNode: written?.node, bindings, outer };
}

/** The type itself as written: of `Promise<T>` and `Promise<ToolResult<T>>`, `T`. */
function writtenType(node: ts.TypeNode, type: ts.Type, state: DerivationState): WrittenType | undefined {
  const own = trustedNode(writtenAt(node, state), type, state);
  if (own || !ts.isTypeReferenceNode(node)) return own;
  const [argument] = node.typeArguments ?? [];
  return argument && writtenType(argument, type, state);
}
