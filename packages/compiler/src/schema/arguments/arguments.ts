import type { HandlerParameter, JsonSchema } from "@tenon/runtime/manifest";
import { evaluateWithBigints } from "../../typescript/constant.js";
import { ts } from "../../typescript/typescript.js";
import { findParameterComment } from "../../jsdoc/parameter-tags.js";
import { applyComment } from "../constraints/apply-comment.js";
import { NEVER, UNSUPPORTED } from "../../json-schema/fragment.js";
import type { TypeSite } from "../derivation/derivation.js";
import { DerivationState, type DeriveContext, type Derived } from "../derivation-state.js";
import { RULES } from "../derive.js";
import { mapSchema } from "../../json-schema/walk.js";
import { findValueProblems } from "../../json-schema/value-problems.js";
import { isArrayInterface } from "../families/array-interfaces.js";
import { isCursor } from "../families/injected.js";
import { type CursorArgument, deriveCursor } from "./cursor-parameter.js";
import { applyParameterTags, CLOSED, deriveFromObject, type Parameter } from "./from-object.js";
import { checkDefaultTag, checkMethodTags, reportInjectedTags } from "./method-tags.js";
import { checkPropertyNames, createObjectFragment } from "../families/objects.js";
import { isOwnNode, isLibraryNode } from "../../typescript/nodes.js";
import { isAbsent, mayBeAbsent, withoutUndefined } from "../../typescript/type-identity.js";
import { findBinding, findNameNode, withDefault, type Property } from "../families/properties.js";
import type { DerivationCache } from "../derivation/derivation-cache.js";
import { findExtendedLibraryType, getLibraryName } from "../families/library-types.js";

/** The arguments of a handler, and the source of each parameter's value. */
export interface DerivedArguments extends Derived {
  /** One per parameter of the signature, in order. */
  parameters: HandlerParameter[];
}

/**
 * Derives the schema of a handler's arguments. If the only parameter has an object type, its properties are the
 * arguments. Otherwise, each parameter is an argument under its own name. `Context` and other injected parameters are
 * excluded.
 *
 * @param signature the signature as the checker resolves it, with the type arguments of generic base classes applied
 * @param method the node that documents the parameters; diagnostics point at it if a parameter has no node
 * @returns undefined if the type of a parameter is unsupported; the diagnostics explain why
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
  const all = signature.parameters.map((symbol) => readParameter(symbol, method, state));
  const pagers = all.filter(({ type }) => isCursor(type, state.cache));
  const injected = all.map((parameter) =>
    pagers.includes(parameter)
      ? deriveCursor(parameter, method, parameter !== pagers[0], context, state)
      : findInjectedParameter(parameter.type, parameter.isOptional, state.cache),
  );
  if (pagers.some((each) => injected[all.indexOf(each)] === undefined)) return undefined;
  for (const [index, parameter] of all.entries())
    if (injected[index] && !pagers.includes(parameter)) reportInjectedTags(parameter.comment, state);
  const own = all.filter((_, index) => !injected[index]);
  const [only] = own.length === 1 ? own : [];
  const isObject = only && isArgumentsObject(only.type, state.checker) && !only.node?.dotDotDotToken;
  checkMethodTags(method, signature.parameters, isObject ? only.symbol : undefined, state);
  if (isObject) {
    const derived = deriveFromObject(only, method, state);
    if (!derived) return undefined;
    const omitEmpty = hasUnlistedDefault(only, derived.schema, state) && { omitEmpty: true as const };
    const parameters = injected.map((each) =>
      each ? toHandlerParameter(each) : { from: "arguments" as const, ...omitEmpty },
    );
    const optional = letDefaultsApply(derived.schema);
    const schema = withCursor(
      omitEmpty ? withoutBindingDefaults(optional, only, state) : optional,
      injected,
      state,
    );
    return schema && { ...derived, schema, parameters };
  }
  const named = all.map(
    (parameter, index) => injected[index] ?? deriveNamed(parameter, index, method, state),
  );
  if (named.includes(undefined)) return undefined;
  const properties = named.flatMap((each) => (each && "fragment" in each ? [each] : []));
  const root: TypeSite = { node: method };
  if (!checkPropertyNames(properties, root, state)) return undefined;
  const fragment = createObjectFragment(properties, CLOSED, undefined);
  const derived = state.close(fragment, state.checker.getVoidType(), root);
  const parameters = named.flatMap((each) => (each ? [toHandlerParameter(each)] : []));
  return derived && { ...derived, schema: letDefaultsApply(derived.schema), parameters };
}

/** Returns whether a parameter has a default with members that the schema does not list, such as one that a function returns. */
function hasUnlistedDefault(
  { node }: Parameter,
  { properties = {} }: JsonSchema,
  { checker }: DerivationState,
): boolean {
  if (!node?.initializer) return false;
  const value = evaluateWithBigints(node.initializer, checker)?.value;
  if (typeof value !== "object" || value === null) return true;
  return Object.keys(value).some((name) => properties[name]?.default === undefined);
}

/**
 * Removes the defaults that the method itself gives to destructured members. Filled in by the server, they would look like arguments
 * of the client, and the default of the whole parameter would not apply.
 */
function withoutBindingDefaults(
  schema: JsonSchema,
  { node }: Parameter,
  { checker }: DerivationState,
): JsonSchema {
  if (!node || !ts.isObjectBindingPattern(node.name)) return schema;
  const pattern = node.name;
  const properties = Object.entries(schema.properties ?? {}).map(([name, { default: given, ...member }]) => {
    const isBound = findBinding(pattern, name, checker)?.initializer !== undefined;
    return [name, { ...member, ...(given !== undefined && !isBound && { default: given }) }] as const;
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}

/** Adds the argument of a cursor to those of an object. Returns undefined if the object has an argument of that name. */
function withCursor(
  schema: JsonSchema,
  injected: readonly (HandlerParameter | CursorArgument | undefined)[],
  state: DerivationState,
): JsonSchema | undefined {
  const cursor = injected.find((each) => each !== undefined && "source" in each);
  if (cursor === undefined) return schema;
  const { name, at, fragment } = cursor;
  if (schema.properties?.[name] === undefined)
    return { ...schema, properties: { ...schema.properties, [name]: fragment.schema } };
  state.report("type-cursor", at, {
    where: state.describeSite({ node: at, segment: name }),
    problem: "name-taken",
  });
  return undefined;
}

/**
 * Lets callers omit the members that have a default, even if their types require them: the default applies.
 *
 * @example
 * letDefaultsApply({ properties: { days: { default: 1 } }, required: ["days"] })
 * // { properties: { days: { default: 1 } } }
 */
export function letDefaultsApply(schema: JsonSchema): JsonSchema {
  return mapSchema(schema, (each) => {
    const { required = [], ...rest } = each;
    const needed = required.filter((name) => rest.properties?.[name]?.default === undefined);
    if (needed.length === required.length) return each;
    return needed.length > 0 ? { ...each, required: needed } : rest;
  });
}

function readParameter(symbol: ts.Symbol, method: ts.Node, { checker, cache }: DerivationState): Parameter {
  const declaration = symbol.valueDeclaration;
  const node = declaration && ts.isParameter(declaration) ? declaration : undefined;
  const comment = node
    ? cache.types.getParameterComment(node)
    : findParameterComment(cache.types.getMethodComment(method), (written) => written === symbol.name);
  const type = checker.getTypeOfSymbol(symbol);
  const isOptional =
    node?.questionToken !== undefined || node?.initializer !== undefined || mayBeAbsent(type);
  return { symbol, node, type: withoutUndefined(type), isOptional, comment };
}

interface NamedArgument extends Property {
  rest: boolean;
}

/** Derives a parameter that is an argument under its own name. */
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
    written: node?.type && { node: node.type, bindings: state.bindings },
    segment: name,
  };
  const declared = checker.getTypeOfSymbol(symbol);
  const derived = isAbsent(declared) ? NEVER : state.derive(type, site);
  if (derived === NEVER) {
    state.report("type-never", site.node, {
      where: state.describeSite(site),
      type: state.formatType(declared),
    });
    return undefined;
  }
  if (derived === UNSUPPORTED) return undefined;
  const members = applyParameterTags(derived, node, name, method, type, state);
  const documented = applyComment(members, comment, type, site, state);
  const fragment = withDefault(documented, node?.initializer, type, site, state);
  if (node?.initializer) checkDefaultTag(comment, node, [documented.schema, fragment.schema], state);
  const rest = node?.dotDotDotToken !== undefined;
  // A rest parameter such as `...args: [string, ...number[]]` must not be empty.
  const optional =
    (rest && findValueProblems([], fragment, state.defs).length === 0) ||
    (node !== undefined && !rest && checker.isOptionalParameter(node)) ||
    mayBeAbsent(declared);
  return {
    name,
    fragment,
    at: findNameNode(symbol, method),
    required: !optional && !node?.initializer,
    rest,
  };
}

function toHandlerParameter(each: HandlerParameter | CursorArgument | NamedArgument): HandlerParameter {
  if ("from" in each) return each;
  if ("source" in each) return each.source;
  return { from: "argument", name: each.name, ...(each.rest && { rest: true as const }) };
}

/**
 * Returns what the runtime passes to a parameter of this type, or undefined for arguments. The types are recognized by
 * their declarations: an author's own `Context` or `AbortSignal` is an ordinary type.
 *
 * @param optional whether the parameter may be omitted or `undefined`
 */
function findInjectedParameter(
  type: ts.Type,
  optional: boolean,
  cache: DerivationCache,
): HandlerParameter | undefined {
  const symbol = type.getSymbol();
  const name = symbol?.name;
  if (name === "Context" && cache.runtime.getName(symbol) === "Context") return { from: "context" };
  if (name === "Principal" && cache.runtime.getName(symbol) === "Principal")
    return { from: "principal", ...(optional && { optional }) };
  const isSignal = name === "AbortSignal" && symbol?.declarations?.some((each) => isLibraryNode(each));
  return isSignal ? { from: "signal" } : undefined;
}

/**
 * Returns whether the properties of a lone parameter of the type are the arguments: it must be one object type, however
 * it is written. Unions do not qualify, since their members would be alternatives at the root, which clients reject.
 * Neither do arrays and library classes that JSON represents differently.
 */
function isArgumentsObject(type: ts.Type, checker: ts.TypeChecker): boolean {
  if (type.flags & ts.TypeFlags.TypeParameter) {
    const constraint = checker.getBaseConstraintOfType(type);
    return constraint !== undefined && constraint !== type && isArgumentsObject(constraint, checker);
  }
  if (type.isIntersection()) {
    // `object` adds no members to the others.
    const members = type.types.filter(({ flags }) => !(flags & ts.TypeFlags.NonPrimitive));
    return members.every((member) => isArgumentsObject(member, checker));
  }
  if (!(type.flags & ts.TypeFlags.Object)) return false;
  if (checker.isArrayType(type) || checker.isTupleType(type) || isArrayInterface(type, checker)) return false;
  if (getLibraryName(type) !== undefined || findExtendedLibraryType(type, checker)) return false;
  return type.getCallSignatures().length === 0 && type.getConstructSignatures().length === 0;
}
