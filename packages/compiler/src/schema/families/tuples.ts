import type { Conversion, JsonSchema, JsonTypeName } from "@tenon/runtime/manifest";
import { ts } from "../../project/typescript.js";
import { deriveElement } from "./arrays.js";
import { NEVER, REFUSED, type Part } from "../../json-schema/fragment.js";
import { type Derivation, type Place, type Rule } from "../derivation.js";
import { joinParts } from "../join.js";
import { inner } from "../type-sites.js";

/** Tuples: `prefixItems` for what has a position, `items` for what comes after. */
export const tuples: Rule = (type, place, derivation) => {
  if (!derivation.checker.isTupleType(type)) return undefined;
  const reference = type as ts.TupleTypeReference;
  // `[...T, string]` of a generic method: how many elements `T` has, nobody knows.
  if (reference.target.elementFlags.some((flag) => flag & ts.ElementFlags.Variadic)) {
    const where = derivation.where(place);
    derivation.report("type-unresolved", place.node, { where, type: derivation.show(type) });
    return REFUSED;
  }
  return tupleOf(derivation.checker.getTypeArguments(reference), reference, place, derivation);
};

/** `elements` are the element types, which in an intersection are narrower than the tuple's own. */
export function tupleOf(
  elements: readonly ts.Type[],
  reference: ts.TupleTypeReference,
  place: Place,
  derivation: Derivation,
): Part {
  const nodes = place.typeNode && ts.isTupleTypeNode(place.typeNode) ? place.typeNode.elements : undefined;
  const flags = reference.target.elementFlags;
  const parts = elements.map((element, index) => {
    const isRest = (flags[index] ?? 0) & ts.ElementFlags.Rest;
    const node = nodes?.length === elements.length ? nodes[index] : undefined;
    const at = inner(place, isRest ? "[]" : `[${index}]`, node, restElement(node));
    const isOptional = (flags[index] ?? 0) & ts.ElementFlags.Optional;
    return isOptional && !holdsUndefined(element, derivation.checker)
      ? derivation.derive(element, at)
      : deriveElement(element, at, derivation);
  });
  if (parts.includes(REFUSED)) return REFUSED;
  const required = flags.filter((flag) => flag & ts.ElementFlags.Required).length;
  if (parts.some((part, index) => part === NEVER && (flags[index] ?? 0) & ts.ElementFlags.Required))
    return NEVER;
  const rest = flags.findIndex((flag) => flag & ts.ElementFlags.Rest);
  if (rest === -1) return fixed(parts, required);
  // Where there is nothing to repeat, only the elements around it remain.
  if (parts[rest] === NEVER) return fixed(parts.toSpliced(rest, 1), required);
  if (rest === parts.length - 1) return openEnded(parts, required);
  derivation.report("type-order-not-checked", place.node, {
    where: derivation.where(place),
    type: derivation.show(reference),
  });
  return withRestInside(parts, rest, required);
}

/** Not so where `undefined` only stands for an element left out, as it does with `exactOptionalPropertyTypes`. */
function holdsUndefined(element: ts.Type, checker: ts.TypeChecker): boolean {
  return (element.isUnion() ? element.types : [element]).includes(checker.getUndefinedType());
}

function restElement(node: ts.TypeNode | undefined): ts.TypeNode | undefined {
  if (!node) return undefined;
  const named = ts.isNamedTupleMember(node) ? node : undefined;
  const isRest = named ? named.dotDotDotToken !== undefined : ts.isRestTypeNode(node);
  if (!isRest) return named ? named.type : node;
  const array = named ? named.type : (node as ts.RestTypeNode).type;
  return ts.isArrayTypeNode(array) ? array.elementType : undefined;
}

function fixed(parts: readonly Part[], required: number): Part {
  // An optional element without values ends the tuple.
  const end = parts.indexOf(NEVER);
  const kept = end === -1 ? parts : parts.slice(0, end);
  if (kept.length === 0) return { schema: { type: "array", items: {}, maxItems: 0 } };
  return {
    schema: {
      type: "array",
      prefixItems: kept.map((part) => part.schema),
      items: false,
      minItems: required,
      maxItems: kept.length,
    },
    ...conversionOf(kept, undefined),
  };
}

function openEnded(parts: readonly Part[], required: number): Part {
  const prefix = parts.slice(0, -1);
  const rest = parts.at(-1) ?? NEVER;
  if (prefix.includes(NEVER)) return fixed(prefix, required);
  return {
    schema: {
      type: "array",
      ...(prefix.length > 0 && { prefixItems: prefix.map((part) => part.schema) }),
      items: rest.schema,
      ...(required > 0 && { minItems: required }),
    },
    ...conversionOf(prefix, rest),
  };
}

/**
 * `[...string[], number]`: positions count from the front only, so what stands behind the rest element is held
 * by kind and number, where its type tells it apart.
 */
function withRestInside(parts: readonly Part[], rest: number, required: number): Part {
  const prefix = parts.slice(0, rest);
  const suffix = parts.slice(rest + 1);
  const item = joinParts(parts.slice(rest));
  const others = joinParts([...prefix, ...parts.slice(rest, rest + 1)]);
  const last = joinParts(suffix);
  const schema: JsonSchema = {
    type: "array",
    ...(prefix.length > 0 && { prefixItems: prefix.map((part) => part.schema) }),
    items: item.schema,
    minItems: required,
    ...(areDisjoint(last.schema, others.schema) && {
      contains: last.schema,
      minContains: suffix.length,
      maxContains: suffix.length,
    }),
  };
  return { schema, ...conversionOf(prefix, parts[rest], suffix) };
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
  prefix: readonly Part[],
  rest: Part | undefined,
  suffix: readonly Part[] = [],
): { conversion?: Conversion } {
  if (![...prefix, rest, ...suffix].some((part) => part?.conversion)) return {};
  const conversions = (parts: readonly Part[]): (Conversion | null)[] =>
    parts.map((part) => part.conversion ?? null);
  return {
    conversion: {
      kind: "tuple",
      items: conversions(prefix),
      ...(rest?.conversion && { rest: rest.conversion }),
      ...(suffix.length > 0 && { last: conversions(suffix) }),
    },
  };
}
