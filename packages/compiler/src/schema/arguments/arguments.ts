import type { HandlerParameter } from "@tenon/runtime/manifest";
import { ts } from "../../project/typescript.js";
import { constantValue } from "../../project/constant.js";
import { methodComment, parameterComment } from "../../jsdoc/member-comments.js";
import { applyComment } from "../constraints/apply-comment.js";
import { isFitting } from "../constraints/example-values.js";
import { NEVER, UNSUPPORTED, type SchemaFragment } from "../../json-schema/fragment.js";
import { type TypeSite } from "../derivation.js";
import { DerivationState, type DeriveContext, type Derived } from "../derivation-state.js";
import { RULES } from "../derive.js";
import { injectedParameter } from "./injected.js";
import type { DocComment } from "../../jsdoc/doc-comment.js";
import { isConstraintTag } from "../../jsdoc/tags.js";
import { problemsOf } from "../../json-schema/value-problems.js";
import { isArgumentsObject } from "./arguments-object.js";
import { checkMethodTags } from "./method-tags.js";
import { checkPropertyNames, isEmptyLiteral, objectFragment } from "../families/objects.js";
import { isOwnNode } from "../../project/nodes.js";
import { isAbsent, mayBeAbsent, onlyPresent } from "../type-identity.js";
import { defaultTo, nameNode, withDefault, type Property } from "../families/properties.js";

/** The arguments of a handler, and where each parameter of it gets its value from. */
export interface DerivedArguments extends Derived {
  /** One per parameter of the signature, in order. */
  parameters: HandlerParameter[];
}

const CLOSED = { additionalProperties: false };

/** A parameter with its type as the signature resolves it. */
interface Parameter {
  symbol: ts.Symbol;
  node: ts.ParameterDeclaration | undefined;
  type: ts.Type;
  /** It may be left out, or be `undefined`. */
  isOptional: boolean;
  comment: DocComment | undefined;
}

/**
 * Derives the schema of a handler's arguments. One parameter of one object type gives its properties;
 * otherwise every parameter is an argument under its own name. `Context` and `AbortSignal` stay out.
 *
 * @param signature as the checker resolves it, with the type arguments of generic base classes filled in
 * @param method what documents the parameters, and what diagnostics point at when a parameter has no node
 * @returns undefined when the type of a parameter is unsupported; the diagnostics say why
 * @example
 * // book(args: { city: string; days?: number }, ctx: Context)
 * // schema: { type: "object", properties: { city: …, days: … }, required: ["city"], additionalProperties: false }
 * // parameters: [{ from: "arguments" }, { from: "context" }]
 */
export function deriveArguments(
  signature: ts.Signature,
  method: ts.Node,
  context: DeriveContext,
): DerivedArguments | undefined {
  const state = new DerivationState(context, RULES);
  checkMethodTags(method, signature.parameters, state);
  const all = signature.parameters.map((symbol) => readParameter(symbol, method, state));
  const injected = all.map(({ type, isOptional }) => injectedParameter(type, isOptional, state.cache));
  const own = all.filter((_, index) => !injected[index]);
  const [only] = own;
  if (own.length === 1 && only && isArgumentsObject(only.type, state.checker) && !only.node?.dotDotDotToken) {
    const derived = deriveFromObject(only, method, state);
    return derived && { ...derived, parameters: injected.map((each) => each ?? { from: "arguments" }) };
  }
  const named = all.map(
    (parameter, index) => injected[index] ?? deriveNamed(parameter, index, method, state),
  );
  if (named.includes(undefined)) return undefined;
  const properties = named.flatMap((each) => (each && "fragment" in each ? [each] : []));
  const root: TypeSite = { node: method };
  if (!checkPropertyNames(properties, root, state)) return undefined;
  const fragment = objectFragment(properties, CLOSED, undefined);
  const derived = state.close(fragment, state.checker.getVoidType(), root);
  return (
    derived && { ...derived, parameters: named.flatMap((each) => (each ? [handlerParameter(each)] : [])) }
  );
}

function readParameter(symbol: ts.Symbol, method: ts.Node, { checker, cache }: DerivationState): Parameter {
  const declaration = symbol.valueDeclaration;
  const node = declaration && ts.isParameter(declaration) ? declaration : undefined;
  const own = node && cache.comments.commentOf(node);
  const documented = parameterComment(
    methodComment(node?.parent ?? method, cache.comments),
    (written) => written === symbol.name,
  );
  const comment =
    own && documented
      ? { ...own, text: own.text || documented.text, tags: [...own.tags, ...documented.tags] }
      : (own ?? documented);
  const type = checker.getTypeOfSymbol(symbol);
  const isOptional =
    node?.questionToken !== undefined || node?.initializer !== undefined || mayBeAbsent(type);
  return { symbol, node, type: onlyPresent(type), isOptional, comment };
}

/** The properties of the one parameter are the arguments. */
function deriveFromObject(
  parameter: Parameter,
  method: ts.Node,
  state: DerivationState,
): Derived | undefined {
  const { node, type, symbol } = parameter;
  const site: TypeSite = {
    node: node && isOwnNode(node) ? (node.type ?? node) : method,
    typeNode: node?.type,
    bindings: state.bindings,
    binding: node && ts.isObjectBindingPattern(node.name) ? node.name : undefined,
  };
  // Anywhere else `{}` is anything but null; as the arguments it is an object without members.
  const fragment = isEmptyLiteral(type) ? objectFragment([], CLOSED, undefined) : state.derive(type, site);
  const derived = state.close(fragment, type, site);
  if (!derived) return undefined;
  reportStrayTags(fragment, parameter, site, state);
  const documented = documentedMembers(derived, node, symbol.name, method, type, state);
  return withRootDefaults(plainRoot({ ...derived, ...documented }), parameter, state);
}

/** Reports constraints on the parameter itself: it is an object, and they are for numbers and strings. */
function reportStrayTags(
  fragment: SchemaFragment,
  { comment, type }: Parameter,
  site: TypeSite,
  state: DerivationState,
): void {
  const tags = (comment?.tags ?? []).filter((tag) => isConstraintTag(tag.name) && tag.name !== "default");
  applyComment(fragment, { text: "", tags, unreadTags: [] }, type, site, state);
}

/** What the root says is said by the declaration already. */
function plainRoot({ schema, ...rest }: Derived): Derived {
  const { description: _description, title: _title, examples: _examples, ...kept } = schema;
  return { schema: kept, ...rest };
}

/** `@param args.city The city`, or for a destructured parameter `@param city The city`. */
function documentedMembers(
  fragment: SchemaFragment,
  node: ts.ParameterDeclaration | undefined,
  parameter: string,
  method: ts.Node,
  owner: ts.Type,
  state: DerivationState,
): SchemaFragment {
  const { schema, conversion } = fragment;
  const conversions = conversion?.kind === "object" ? conversion.properties : {};
  const isDestructured = node !== undefined && !ts.isIdentifier(node.name);
  const documentation = methodComment(node?.parent ?? method, state.cache.comments);
  const commentOf = (name: string): DocComment | undefined =>
    parameterComment(documentation, (written) => {
      if (written === name) return isDestructured;
      const [first, ...rest] = written.split(".");
      return rest.join(".") === name && (isDestructured || first === parameter);
    });
  const documented = Object.keys(schema.properties ?? {}).flatMap((name) => {
    const comment = commentOf(name);
    const symbol = comment && owner.getProperty(name);
    if (!symbol) return [];
    const at: TypeSite = { node: node ?? method, segment: name };
    const type = state.checker.getTypeOfSymbol(symbol);
    return [[name, applyComment(memberOf(fragment, name), comment, type, at, state)] as const];
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

/** A member of an object, which has a schema there. */
function memberOf({ schema, conversion }: SchemaFragment, name: string): SchemaFragment {
  const conversions = conversion?.kind === "object" ? conversion.properties : {};
  const own = Object.hasOwn(conversions, name) ? conversions[name] : undefined;
  return { schema: schema.properties?.[name] ?? {}, ...(own && { conversion: own }) };
}

/** `args: Options = { limit: 10 }`: what the initialiser gives need not be sent. */
function withRootDefaults(derived: Derived, { node, type }: Parameter, state: DerivationState): Derived {
  const initializer = node?.initializer;
  if (!initializer) return derived;
  const value = constantValue(initializer, state.checker)?.value;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return derived;
  const { required = [], ...rest } = derived.schema;
  const properties = Object.entries(rest.properties ?? {}).map(([name, property]) => {
    const given = Object.hasOwn(value, name) ? value[name] : undefined;
    const symbol = type.getProperty(name);
    if (given === undefined || !symbol) return [name, property] as const;
    const at: TypeSite = { node: initializer, segment: name };
    const target = {
      type: state.checker.getTypeOfSymbol(symbol),
      site: at,
      derivation: state,
      report: state.report,
    };
    const isGiven = isFitting(given, memberOf(derived, name), initializer, target, "default");
    return [name, isGiven ? defaultTo(property, given) : property] as const;
  });
  const needed = required.filter((name) => !Object.hasOwn(value, name));
  return {
    ...derived,
    schema: {
      ...rest,
      properties: Object.fromEntries(properties),
      ...(needed.length > 0 && { required: needed }),
    },
  };
}

interface NamedArgument extends Property {
  rest: boolean;
}

/** A parameter that is an argument under its own name. */
function deriveNamed(
  { symbol, node, type, comment }: Parameter,
  index: number,
  method: ts.Node,
  state: DerivationState,
): NamedArgument | undefined {
  const { checker } = state;
  if (node && !ts.isIdentifier(node.name)) {
    state.report("type-parameter-unnamed", node.name, { position: index + 1 });
    return undefined;
  }
  const { name } = symbol;
  const isOwn = node !== undefined && isOwnNode(node);
  const site: TypeSite = {
    node: isOwn ? (node.type ?? node.name) : method,
    typeNode: node?.type,
    bindings: state.bindings,
    segment: name,
  };
  const declared = checker.getTypeOfSymbol(symbol);
  const derived = isAbsent(declared) ? NEVER : state.derive(type, site);
  if (derived === NEVER) {
    state.report("type-never", site.node, {
      where: state.where(site),
      type: state.show(declared),
    });
    return undefined;
  }
  if (derived === UNSUPPORTED) return undefined;
  const members = documentedMembers(derived, node, name, method, type, state);
  const documented = applyComment(members, comment, type, site, state);
  const fragment = withDefault(documented, node?.initializer, type, site, state);
  const rest = node?.dotDotDotToken !== undefined;
  // `...args: [string, ...number[]]` is no rest that may be empty.
  const optional =
    (rest && problemsOf([], fragment, state.defs).length === 0) ||
    (node !== undefined && !rest && checker.isOptionalParameter(node)) ||
    mayBeAbsent(declared);
  return { name, fragment, at: nameNode(symbol, method), required: !optional && !node?.initializer, rest };
}

function handlerParameter(each: HandlerParameter | NamedArgument): HandlerParameter {
  if ("from" in each) return each;
  return { from: "argument", name: each.name, ...(each.rest && { rest: true as const }) };
}
