import type { Conversion, JsonSchema, JsonTypeName } from "@tenon/runtime/manifest";
import { ts } from "../../project/typescript.js";
import { deriveElement, elementNode } from "./arrays.js";
import { NEVER, UNSUPPORTED, type SchemaFragment } from "../../json-schema/fragment.js";
import { type Derivation, type Direction, type TypeSite, type TypeRule } from "../derivation.js";
import { applyComment } from "../constraints/apply-comment.js";
import { joinFragments } from "../join.js";
import { behindNames, inner } from "../type-sites.js";

/** Tuples: `prefixItems` for what has a position, `items` for what comes after. */
export const tuples: TypeRule = (type, site, derivation) => {
  if (!derivation.checker.isTupleType(type)) return undefined;
  const reference = type as ts.TupleTypeReference;
  // `[...T, string]` of a generic method: the number of elements of `T` is unknown.
  if (reference.target.elementFlags.some((flag) => flag & ts.ElementFlags.Variadic)) {
    const where = derivation.where(site);
    derivation.report("type-unresolved", site.node, { where, type: derivation.show(type) });
    return UNSUPPORTED;
  }
  return tupleOf(derivation.checker.getTypeArguments(reference), reference, site, derivation);
};

/** `elements` are the element types, which in an intersection are narrower than the tuple's own. */
export function tupleOf(
  elements: readonly ts.Type[],
  reference: ts.TupleTypeReference,
  site: TypeSite,
  derivation: Derivation,
): SchemaFragment {
  const written = writtenElements(site, derivation);
  const flags = reference.target.elementFlags;
  const fragments = elements.map((element, index) => {
    const isRest = (flags[index] ?? 0) & ts.ElementFlags.Rest;
    const { node, tuple } = (written.length === elements.length && written[index]) || { tuple: site };
    const typeNode = node && ts.isNamedTupleMember(node) ? node.type : node;
    const at = isRest ? restSite(tuple, typeNode, derivation) : inner(tuple, `[${index}]`, node, typeNode);
    const isOptional = (flags[index] ?? 0) & ts.ElementFlags.Optional;
    const derived =
      isOptional && !holdsUndefined(element, derivation.checker)
        ? derivation.derive(element, at)
        : deriveElement(element, at, derivation);
    // Behind `...`, a comment is about each element.
    const comment = node && ts.isNamedTupleMember(node) && derivation.cache.comments.commentOf(node);
    return comment ? applyComment(derived, comment, element, at, derivation) : derived;
  });
  if (fragments.includes(UNSUPPORTED)) return UNSUPPORTED;
  const required = flags.filter((flag) => flag & ts.ElementFlags.Required).length;
  if (
    fragments.some((fragment, index) => fragment === NEVER && (flags[index] ?? 0) & ts.ElementFlags.Required)
  )
    return NEVER;
  const rest = flags.findIndex((flag) => flag & ts.ElementFlags.Rest);
  if (rest === -1) return fixed(fragments, required);
  // Where there is nothing to repeat, only the elements around it remain.
  if (fragments[rest] === NEVER) return fixed(fragments.toSpliced(rest, 1), required);
  if (rest === fragments.length - 1) return openEnded(fragments, required);
  derivation.report("type-order-not-checked", site.node, {
    where: derivation.where(site),
    type: derivation.show(reference),
  });
  return withRestInside(fragments, rest, required, derivation.direction);
}

interface WrittenElement {
  readonly node?: ts.TypeNode | ts.NamedTupleMember;
  /** The tuple that it is written in. */
  readonly tuple: TypeSite;
}

/** The elements of a tuple as they are written: of `[...Week, string]`, those of `Week` in its place. */
function writtenElements(site: TypeSite, derivation: Derivation): WrittenElement[] {
  const tuple = behindNames(site, derivation);
  if (!tuple.typeNode || !ts.isTupleTypeNode(tuple.typeNode)) return [];
  return tuple.typeNode.elements.flatMap((node) => {
    const spread = spreadOf(node);
    const inside = spread && writtenElements(inner(tuple, undefined, spread, spread), derivation);
    return inside && inside.length > 0 ? inside : [{ node, tuple }];
  });
}

/** What stands behind `...`, with a name for it or without. */
function spreadOf(node: ts.TypeNode | ts.NamedTupleMember): ts.TypeNode | undefined {
  if (ts.isRestTypeNode(node)) return node.type;
  return ts.isNamedTupleMember(node) && node.dotDotDotToken ? node.type : undefined;
}

/** With `exactOptionalPropertyTypes`, `undefined` in an optional element only means that it may be left out. */
function holdsUndefined(element: ts.Type, checker: ts.TypeChecker): boolean {
  return (element.isUnion() ? element.types : [element]).includes(checker.getUndefinedType());
}

/** The site of the elements behind `...`, which are written as an array. */
function restSite(site: TypeSite, written: ts.TypeNode | undefined, derivation: Derivation): TypeSite {
  const array = written && ts.isRestTypeNode(written) ? written.type : written;
  const behind = behindNames(inner(site, undefined, array, array), derivation);
  const element = elementNode(behind);
  return inner(behind, "[]", element, element);
}

function fixed(fragments: readonly SchemaFragment[], required: number): SchemaFragment {
  // An optional element without values ends the tuple.
  const end = fragments.indexOf(NEVER);
  const kept = end === -1 ? fragments : fragments.slice(0, end);
  if (kept.length === 0) return { schema: { type: "array", items: {}, maxItems: 0 } };
  return {
    schema: {
      type: "array",
      prefixItems: kept.map((fragment) => fragment.schema),
      items: false,
      minItems: required,
      maxItems: kept.length,
    },
    ...conversionOf(kept, undefined),
  };
}

function openEnded(fragments: readonly SchemaFragment[], required: number): SchemaFragment {
  const prefix = fragments.slice(0, -1);
  const rest = fragments.at(-1) ?? NEVER;
  if (prefix.includes(NEVER)) return fixed(prefix, required);
  return {
    schema: {
      type: "array",
      ...(prefix.length > 0 && { prefixItems: prefix.map((fragment) => fragment.schema) }),
      items: rest.schema,
      ...(required > 0 && { minItems: required }),
    },
    ...conversionOf(prefix, rest),
  };
}

/**
 * `[...string[], number]`: JSON Schema counts positions from the front only, so elements after the rest element are
 * checked by type and number, where their type differs from the others.
 */
function withRestInside(
  fragments: readonly SchemaFragment[],
  rest: number,
  required: number,
  direction: Direction,
): SchemaFragment {
  const prefix = fragments.slice(0, rest);
  const suffix = fragments.slice(rest + 1);
  const item = joinFragments(fragments.slice(rest), direction);
  const others = joinFragments([...prefix, ...fragments.slice(rest, rest + 1)], direction);
  const last = joinFragments(suffix, direction);
  const schema: JsonSchema = {
    type: "array",
    ...(prefix.length > 0 && { prefixItems: prefix.map((fragment) => fragment.schema) }),
    items: item.schema,
    minItems: required,
    ...(areDisjoint(last.schema, others.schema) && {
      contains: last.schema,
      minContains: suffix.length,
      maxContains: suffix.length,
    }),
  };
  return { schema, ...conversionOf(prefix, fragments[rest], suffix) };
}

function areDisjoint(left: JsonSchema, right: JsonSchema): boolean {
  const [a, b] = [typesOf(left), typesOf(right)];
  return a !== undefined && b !== undefined && ![...a].some((name) => b.has(name));
}

function typesOf(schema: JsonSchema): Set<JsonTypeName> | undefined {
  if (schema.anyOf) {
    const sets = schema.anyOf.map((branch) => typesOf(branch));
    return sets.includes(undefined) ? undefined : new Set(sets.flatMap((set) => [...(set ?? [])]));
  }
  if (schema.type === undefined) return undefined;
  return new Set([schema.type].flat().map((name) => (name === "integer" ? "number" : name)));
}

/** `suffix` are the elements behind the rest, which are counted from the end. */
function conversionOf(
  prefix: readonly SchemaFragment[],
  rest: SchemaFragment | undefined,
  suffix: readonly SchemaFragment[] = [],
): { conversion?: Conversion } {
  if (![...prefix, rest, ...suffix].some((fragment) => fragment?.conversion)) return {};
  const conversions = (fragments: readonly SchemaFragment[]): (Conversion | null)[] =>
    fragments.map((fragment) => fragment.conversion ?? null);
  return {
    conversion: {
      kind: "tuple",
      items: conversions(prefix),
      ...(rest?.conversion && { rest: rest.conversion }),
      ...(suffix.length > 0 && { last: conversions(suffix) }),
    },
  };
}
