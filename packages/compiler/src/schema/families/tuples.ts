import type { Conversion, JsonSchema, JsonTypeName } from "@tenon/runtime/manifest";
import { ts } from "../../typescript/typescript.js";
import { deriveElement } from "./arrays.js";
import { NEVER, UNSUPPORTED, type SchemaFragment } from "../../json-schema/fragment.js";
import { type Derivation, type Direction, type TypeSite, type TypeRule } from "../derivation/derivation.js";
import type { DocComment } from "../../jsdoc/doc-comment.js";
import { applyComment } from "../constraints/apply-comment.js";
import { getTagRange } from "../constraints/constraint.js";
import { joinFragments } from "../derivation/join.js";
import type { TupleElement } from "../../syntax/type-syntax.js";
import { nestSite } from "../derivation/type-sites.js";

/** Derives tuples: `prefixItems` for elements with a fixed position, and `items` for those after them. */
export const tuples: TypeRule = (type, site, derivation) => {
  const tuple = findTuple(type, derivation.checker);
  if (tuple === undefined) return undefined;
  const reference = tuple as ts.TupleTypeReference;
  // In `[...T, string]` of a generic method, the number of elements of `T` is unknown.
  if (reference.target.elementFlags.some((flag) => flag & ts.ElementFlags.Variadic)) {
    const where = derivation.describeSite(site);
    derivation.report("type-unresolved", site.node, { where, type: derivation.formatType(type) });
    return UNSUPPORTED;
  }
  return deriveTuple(derivation.checker.getTypeArguments(reference), reference, site, derivation);
};

/** Returns a tuple type, or the tuple that an interface extends, directly or not, without adding members. */
function findTuple(type: ts.Type, checker: ts.TypeChecker): ts.Type | undefined {
  if (checker.isTupleType(type)) return type;
  if (!type.isClassOrInterface() || (type.symbol.members?.size ?? 0) > 0) return undefined;
  const tuples = (type.getBaseTypes() ?? []).map((base) => findTuple(base, checker));
  return tuples.find((each) => each !== undefined);
}

/**
 * Returns the fragment of a tuple.
 *
 * @param elements the element types, which in an intersection are narrower than the tuple's own
 */
export function deriveTuple(
  elements: readonly ts.Type[],
  reference: ts.TupleTypeReference,
  site: TypeSite,
  derivation: Derivation,
): SchemaFragment {
  const written = getWrittenElements(site, derivation);
  const flags = reference.target.elementFlags;
  const fragments = elements.map((element, index) => {
    const isRest = (flags[index] ?? 0) & ts.ElementFlags.Rest;
    const { written: own, declaration } = (written.length === elements.length && written[index]) || {};
    const expression = own && isRest ? derivation.cache.types.findIndexMember(own)?.written : own;
    const node = declaration ?? expression?.node;
    const at = nestSite(site, isRest ? "[]" : `[${index}]`, node, expression);
    const isOptional = (flags[index] ?? 0) & ts.ElementFlags.Optional;
    const derived =
      isOptional && !includesUndefined(element, derivation.checker)
        ? derivation.derive(element, at)
        : deriveElement(element, at, derivation);
    const comment = declaration && getElementComment(declaration, derivation);
    // After `...`, a comment applies to each element. The others are written types, whose comments apply already.
    const isNew = comment && own?.node !== declaration;
    const documented = isNew ? applyComment(derived, comment, element, at, derivation) : derived;
    return withoutElementDefault(documented, comment, derivation);
  });
  if (fragments.includes(UNSUPPORTED)) return UNSUPPORTED;
  const required = flags.filter((flag) => flag & ts.ElementFlags.Required).length;
  if (
    fragments.some((fragment, index) => fragment === NEVER && (flags[index] ?? 0) & ts.ElementFlags.Required)
  )
    return NEVER;
  const { direction } = derivation;
  const rest = flags.findIndex((flag) => flag & ts.ElementFlags.Rest);
  if (rest === -1) return createFixedTuple(fragments, required, direction);
  // A rest element without values disappears, and only the other elements remain.
  if (fragments[rest] === NEVER) return createFixedTuple(fragments.toSpliced(rest, 1), required, direction);
  if (rest === fragments.length - 1) return createOpenEndedTuple(fragments, required, direction);
  derivation.report("type-order-not-checked", site.node, {
    where: derivation.describeSite(site),
    type: derivation.formatType(reference),
  });
  return createTupleWithInnerRest(fragments, rest, required, direction);
}

function getElementComment(
  declaration: NonNullable<TupleElement["declaration"]>,
  { cache }: Derivation,
): DocComment | undefined {
  return ts.isParameter(declaration)
    ? cache.types.getParameterComment(declaration)
    : cache.comments.getComment(declaration);
}

/**
 * Removes the default in the comment of an element, and reports its tag. Validators fill in the defaults of properties only,
 * so a client that omits the element would get a different value than the schema promises.
 */
function withoutElementDefault(
  fragment: SchemaFragment,
  comment: DocComment | undefined,
  { report }: Derivation,
): SchemaFragment {
  if (fragment === UNSUPPORTED || fragment === NEVER || fragment.schema.default === undefined)
    return fragment;
  const tag = comment?.tags.find(({ name }) => name === "default" || name === "defaultValue");
  if (tag === undefined) return fragment;
  report("constraint-misplaced", getTagRange(tag), {
    tag: tag.name,
    appliesTo: "arguments and properties, not elements of a tuple",
  });
  const { default: _, ...schema } = fragment.schema;
  return { ...fragment, schema };
}

/** Returns the elements of a tuple as written: for `[...Week, string]`, those of `Week` come first. */
function getWrittenElements({ written }: TypeSite, { cache }: Derivation): readonly TupleElement[] {
  const { structure } = written ? cache.types.resolve(written) : {};
  return structure?.kind === "tuple" ? structure.elements : [];
}

/** Returns whether an element may be `undefined`. With `exactOptionalPropertyTypes`, it only marks optional elements. */
function includesUndefined(element: ts.Type, checker: ts.TypeChecker): boolean {
  return (element.isUnion() ? element.types : [element]).includes(checker.getUndefinedType());
}

function createFixedTuple(
  fragments: readonly SchemaFragment[],
  required: number,
  direction: Direction,
): SchemaFragment {
  // An optional element without values ends the tuple.
  const end = fragments.indexOf(NEVER);
  const present = end === -1 ? fragments : fragments.slice(0, end);
  if (present.length === 0) return { schema: { type: "array", items: {}, maxItems: 0 } };
  return {
    schema: {
      type: "array",
      prefixItems: present.map((fragment) => fragment.schema),
      items: false,
      minItems: required,
      maxItems: present.length,
    },
    ...toConversion(present, undefined, [], findDefaults(present, required, direction)),
  };
}

export function createOpenEndedTuple(
  fragments: readonly SchemaFragment[],
  required: number,
  direction: Direction,
): SchemaFragment {
  const prefix = fragments.slice(0, -1);
  const rest = fragments.at(-1) ?? NEVER;
  if (prefix.includes(NEVER)) return createFixedTuple(prefix, required, direction);
  return {
    schema: {
      type: "array",
      ...(prefix.length > 0 && { prefixItems: prefix.map((fragment) => fragment.schema) }),
      items: rest.schema,
      ...(required > 0 && { minItems: required }),
    },
    ...toConversion(prefix, rest, [], findDefaults(prefix, required, direction)),
  };
}

/**
 * Derives a tuple such as `[...string[], number]`. JSON Schema counts positions only from the front. Elements after the
 * rest element are therefore checked by type and count, if their types differ from the others.
 */
function createTupleWithInnerRest(
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
  return { schema, ...toConversion(prefix, fragments[rest], suffix) };
}

function areDisjoint(left: JsonSchema, right: JsonSchema): boolean {
  const [a, b] = [getTypes(left), getTypes(right)];
  return a !== undefined && b !== undefined && ![...a].some((name) => b.has(name));
}

function getTypes(schema: JsonSchema): Set<JsonTypeName> | undefined {
  if (schema.anyOf) {
    const sets = schema.anyOf.map((branch) => getTypes(branch));
    return sets.includes(undefined) ? undefined : new Set(sets.flatMap((set) => [...(set ?? [])]));
  }
  if (schema.type === undefined) return undefined;
  return new Set([schema.type].flat().map((name) => (name === "integer" ? "number" : name)));
}

type TupleConversion = Extract<Conversion, { kind: "tuple" }>;

/** Returns the defaults of optional elements by index, such as `7` of `type N = number` with `@default 7` in `[string, N?]`. */
function findDefaults(
  fragments: readonly SchemaFragment[],
  required: number,
  direction: Direction,
): TupleConversion["defaults"] {
  if (direction === "output") return undefined;
  const defaults = fragments.flatMap(({ schema }, index) =>
    index < required || schema.default === undefined ? [] : [[String(index), schema.default] as const],
  );
  return defaults.length === 0 ? undefined : Object.fromEntries(defaults);
}

/**
 * Returns the conversion of a tuple.
 *
 * @param suffix the elements after the rest, which are counted from the end
 * @param defaults the defaults of optional elements, by index
 */
function toConversion(
  prefix: readonly SchemaFragment[],
  rest: SchemaFragment | undefined,
  suffix: readonly SchemaFragment[] = [],
  defaults?: TupleConversion["defaults"],
): { conversion?: Conversion } {
  if (!defaults && ![...prefix, rest, ...suffix].some((fragment) => fragment?.conversion)) return {};
  const listConversions = (fragments: readonly SchemaFragment[]): (Conversion | null)[] =>
    fragments.map((fragment) => fragment.conversion ?? null);
  return {
    conversion: {
      kind: "tuple",
      items: listConversions(prefix),
      ...(rest?.conversion && { rest: rest.conversion }),
      ...(suffix.length > 0 && { last: listConversions(suffix) }),
      ...(defaults && { defaults }),
    },
  };
}
