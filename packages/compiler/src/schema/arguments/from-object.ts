import type { JsonSchema, JsonValue } from "@tenon/runtime/manifest";
import { evaluateWithBigints } from "../../typescript/constant.js";
import { ts } from "../../typescript/typescript.js";
import { findParameterComment } from "../../jsdoc/parameter-tags.js";
import { applyComment } from "../constraints/apply-comment.js";
import { getTagRange } from "../constraints/constraint.js";
import { isFitting } from "../constraints/example-values.js";
import type { SchemaFragment } from "../../json-schema/fragment.js";
import type { TypeSite } from "../derivation/derivation.js";
import type { DerivationState, Derived } from "../derivation-state.js";
import type { DocComment } from "../../jsdoc/doc-comment.js";
import { isConstraintTag } from "../../jsdoc/tags.js";
import { createObjectFragment } from "../families/objects.js";
import { isEmptyLiteral } from "../families/structureless.js";
import { isOwnNode } from "../../typescript/nodes.js";
import { toListedDefault } from "../families/listed-default.js";
import { addDefault } from "../families/properties.js";

/** The keywords that the schema of every handler's arguments has. */
export const CLOSED = { additionalProperties: false };

/** A parameter with its type as the signature resolves it. */
export interface Parameter {
  symbol: ts.Symbol;
  node: ts.ParameterDeclaration | undefined;
  type: ts.Type;
  /** Whether it may be omitted or `undefined`. */
  isOptional: boolean;
  comment: DocComment | undefined;
}

/** Derives the arguments from the properties of the only parameter. */
export function deriveFromObject(
  parameter: Parameter,
  method: ts.Node,
  state: DerivationState,
): Derived | undefined {
  const { node, type, symbol } = parameter;
  const site: TypeSite = {
    node: node && isOwnNode(node) ? (node.type ?? node) : method,
    written: node?.type && { node: node.type, bindings: state.bindings },
    binding: node && ts.isObjectBindingPattern(node.name) ? node.name : undefined,
  };
  // Elsewhere `{}` is any value except null. As the arguments, it is an object without members.
  const isEmpty = isEmptyLiteral(type);
  if (isEmpty) {
    const name = node && ts.isIdentifier(node.name) ? node.name.text : undefined;
    state.report("type-empty-object", site.node, { parameter: name });
  }
  const fragment = isEmpty ? createObjectFragment([], CLOSED, undefined) : state.derive(type, site);
  const derived = state.close(fragment, type, site);
  if (!derived) return undefined;
  const fallback = readParameterDefault(fragment, parameter, site, state);
  const documented = applyParameterTags(derived, node, symbol.name, method, type, state, true);
  const own = withoutRootAnnotations(withSecretMembers({ ...derived, ...documented }, parameter.comment));
  return withRootDefaults(own, parameter, fallback, state);
}

/**
 * Applies `@secret` of the parameter, or of its type, to each argument, since they have no common name that could be
 * masked. If callers choose the names of arguments, such as the keys of a record, the names are secret too.
 */
function withSecretMembers(derived: Derived, comment: DocComment | undefined): Derived {
  const { writeOnly, ...schema } = derived.schema;
  if (writeOnly !== true && comment?.tags.some(({ name }) => name === "secret") !== true) return derived;
  const { properties, patternProperties, additionalProperties: others } = schema;
  const hasFreeNames = others !== false || patternProperties !== undefined;
  const secret: JsonSchema = {
    ...schema,
    ...(hasFreeNames && { writeOnly: true }),
    ...(properties && { properties: toSecrets(properties) }),
    ...(patternProperties && { patternProperties: toSecrets(patternProperties) }),
    ...(others !== false && { additionalProperties: { ...Object(others), writeOnly: true } as JsonSchema }),
  };
  return { ...derived, schema: secret };
}

function toSecrets(members: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => [name, { ...member, writeOnly: true }]),
  );
}

/**
 * Returns the value of the parameter's `@default`. Reports its other tags, which have no effect: constraints apply to
 * numbers and strings, and annotations to an argument.
 */
function readParameterDefault(
  fragment: SchemaFragment,
  { comment, type, symbol, node }: Parameter,
  site: TypeSite,
  state: DerivationState,
): JsonValue | undefined {
  const all = comment?.tags ?? [];
  const parameter = node ? node.name.getText() : symbol.name;
  for (const tag of all)
    if (ARGUMENT_ANNOTATIONS.has(tag.name))
      state.report("constraint-misplaced", getTagRange(tag), { tag: tag.name, parameter });
  const tags = all.filter((tag) => isConstraintTag(tag.name));
  return applyComment(fragment, { text: "", tags, ignoredTags: [] }, type, site, state).schema.default;
}

/** Tags that annotate a single argument. */
const ARGUMENT_ANNOTATIONS: ReadonlySet<string> = new Set(["title", "deprecated", "example"]);

/** Removes the root's title, description, and examples: the declaration has its own. */
function withoutRootAnnotations({ schema, ...rest }: Derived): Derived {
  const { description: _description, title: _title, examples: _examples, ...root } = schema;
  return { schema: root, ...rest };
}

/**
 * Applies `@param args.city The city` or, for a parameter that is destructured or whose members are the arguments,
 * `@param city The city`.
 */
export function applyParameterTags(
  fragment: SchemaFragment,
  node: ts.ParameterDeclaration | undefined,
  parameter: string,
  method: ts.Node,
  owner: ts.Type,
  state: DerivationState,
  isOnly = false,
): SchemaFragment {
  const { schema, conversion } = fragment;
  const conversions = conversion?.kind === "object" ? conversion.properties : {};
  const isDestructured = node !== undefined && !ts.isIdentifier(node.name);
  const documentation = state.cache.types.getMethodComment(node?.parent ?? method);
  const findComment = (name: string): DocComment | undefined =>
    findParameterComment(documentation, (written) => {
      if (written === name) return isDestructured || (isOnly && name !== parameter);
      const [first, ...rest] = written.split(".");
      return rest.join(".") === name && (isDestructured || first === parameter);
    });
  const documented = Object.keys(schema.properties ?? {}).flatMap((name) => {
    const comment = findComment(name);
    const symbol = comment && owner.getProperty(name);
    if (!symbol) return [];
    const at: TypeSite = { node: node ?? method, segment: name };
    const type = state.checker.getTypeOfSymbol(symbol);
    return [[name, applyComment(getMember(fragment, name), comment, type, at, state)] as const];
  });
  if (documented.length === 0) return fragment;
  const schemas = documented.map(([name, each]) => [name, each.schema] as const);
  const converted = documented.flatMap(([name, each]) =>
    each.conversion ? [[name, each.conversion] as const] : [],
  );
  return {
    schema: { ...schema, properties: { ...schema.properties, ...Object.fromEntries(schemas) } },
    ...(conversion && {
      conversion:
        conversion.kind === "object"
          ? { ...conversion, properties: { ...conversions, ...Object.fromEntries(converted) } }
          : conversion,
    }),
  };
}

/** Returns the fragment of a property, from the schema and conversion of its object. */
function getMember({ schema, conversion }: SchemaFragment, name: string): SchemaFragment {
  const conversions = conversion?.kind === "object" ? conversion.properties : {};
  const own = Object.hasOwn(conversions, name) ? conversions[name] : undefined;
  return { schema: schema.properties?.[name] ?? {}, ...(own && { conversion: own }) };
}

/**
 * Applies an initializer such as `args: Options = { limit: 10 }`, or the parameter's `@default`: its properties get
 * defaults.
 */
function withRootDefaults(
  derived: Derived,
  { node, type }: Parameter,
  fallback: JsonValue | undefined,
  state: DerivationState,
): Derived {
  const initializer = node?.initializer;
  const value = initializer ? evaluateWithBigints(initializer, state.checker)?.value : fallback;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return derived;
  const isFittingMember = (given: JsonValue, name: string, at: ts.Expression, symbol: ts.Symbol): boolean => {
    const site: TypeSite = { node: at, segment: name };
    const memberType = state.checker.getTypeOfSymbol(symbol);
    const target = { type: memberType, site, derivation: state, report: state.report };
    return isFitting(given, getMember(derived, name), at, target, "default");
  };
  const { schema } = derived;
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const written = Object.hasOwn(value, name) ? value[name] : undefined;
    const given =
      written === undefined
        ? undefined
        : toListedDefault(written, getMember(derived, name).conversion, state.defs);
    const symbol = type.getProperty(name);
    if (given === undefined || !symbol) return [name, property] as const;
    // The value of a tag has been validated as a whole.
    const isValid = !initializer || isFittingMember(given, name, initializer, symbol);
    return [name, isValid ? addDefault(property, given) : property] as const;
  });
  return { ...derived, schema: { ...schema, properties: Object.fromEntries(properties) } };
}
