import type { JsonSchema, JsonValue } from "@tenon/runtime/manifest";
import { ts } from "../../project/typescript.js";
import { constantValue } from "../../project/constant.js";
import { memberComment } from "../../jsdoc/member-comments.js";
import { applyComment } from "../constraints/apply-comment.js";
import { isFitting } from "../constraints/example-values.js";
import { NEVER, UNSUPPORTED, type SchemaFragment } from "../../json-schema/fragment.js";
import { type Derivation, type TypeSite } from "../derivation.js";
import { joinFragments } from "../join.js";
import { isFunction } from "./members.js";
import { isOwnNode } from "../../project/nodes.js";
import { isAbsent, mayBeAbsent } from "../type-identity.js";
import { inner, trustedNode, writtenAt } from "../type-sites.js";
import { commentOnValue } from "./mapped-members.js";
import { mayChangeValues, memberSource, type MemberSource } from "./member-sources.js";
import { withinIndex } from "./records.js";

export interface Property {
  name: string;
  fragment: SchemaFragment;
  required: boolean;
  /** Where an author reads the name. */
  at: ts.Node;
}

/** One property of an object; undefined when JSON shows it by leaving it out. */
export function deriveProperty(
  symbol: ts.Symbol,
  owner: ts.Type,
  site: TypeSite,
  derivation: Derivation,
): Property | undefined {
  const { checker } = derivation;
  const { name } = symbol;
  const type = checker.getTypeOfSymbol(symbol);
  const optional = (symbol.flags & ts.SymbolFlags.Optional) !== 0 || mayBeAbsent(type);
  if (isAbsent(type)) return undefined;
  const element = site.binding && bindingOf(site.binding, name, checker);
  const source =
    !symbol.declarations || mayChangeValues(owner)
      ? memberSource(symbol, owner, site, derivation)
      : undefined;
  const declared = symbol.declarations ? symbol : (source?.symbol ?? symbol);
  const at = propertySite(declared, name, source, type, site, element, derivation);
  if (optional && isFunction(type)) {
    derivation.report("type-member-left-out", at.node, {
      where: derivation.where(at),
      type: derivation.show(type),
    });
    return undefined;
  }
  const derived = deriveValue(type, name, owner, at, derivation);
  if (derived === NEVER && optional) return undefined;
  const { comments } = derivation.cache;
  const documented = applyComment(
    applyComment(derived, source?.declared && comments.commentOf(source.declared), type, at, derivation),
    commentOnValue(symbol, memberComment(declared, comments), checker),
    type,
    at,
    derivation,
  );
  const onElement = element && applyComment(documented, comments.commentOf(element), type, at, derivation);
  const fragment = withDefault(onElement ?? documented, element?.initializer, type, at, derivation);
  // JSON leaves `undefined` out, and `unknown` may be that.
  const vague =
    derivation.direction === "output" && (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0;
  const required = !optional && !vague && !element?.initializer;
  return { name, fragment, at: nameNode(symbol, site.node), required };
}

/** The name in the author's own source, or else the node around it. */
export function nameNode(symbol: ts.Symbol, around: ts.Node): ts.Node {
  const declaration = symbol.valueDeclaration ?? symbol.declarations?.[0];
  const name = declaration && ts.getNameOfDeclaration(declaration);
  return name && isOwnNode(name) ? name : around;
}

function deriveValue(
  type: ts.Type,
  name: string,
  owner: ts.Type,
  at: TypeSite,
  derivation: Derivation,
): SchemaFragment {
  if (!owner.isIntersection()) return derivation.derive(type, at);
  const fitting = withinIndex(owner, name, type, derivation);
  if (!fitting) return NEVER;
  if (fitting.length === (type.isUnion() ? type.types.length : 1)) return derivation.derive(type, at);
  return joinFragments(
    fitting.filter((member) => !isAbsent(member)).map((member) => derivation.derive(member, at)),
    derivation.direction,
  );
}

function propertySite(
  { valueDeclaration, declarations }: ts.Symbol,
  name: string,
  source: MemberSource | undefined,
  type: ts.Type,
  site: TypeSite,
  element: ts.BindingElement | undefined,
  derivation: Derivation,
): TypeSite {
  const declaration = valueDeclaration ?? declarations?.[0];
  const isMethod = declaration && (ts.isMethodSignature(declaration) || ts.isMethodDeclaration(declaration));
  const own = isMethod ? undefined : (declaration as { type?: ts.Node } | undefined)?.type;
  const trusted = [source?.written, writtenAt(own, site)].find((each) => trustedNode(each, type, derivation));
  // Inside a generic the node names its parameters; the node with the type arguments is the better one.
  const node =
    own && !trusted ? undefined : declaration && (ts.getNameOfDeclaration(declaration) ?? declaration);
  const nested = element && ts.isObjectBindingPattern(element.name) ? element.name : undefined;
  return inner(site, name, node, trusted?.node, { binding: nested, bindings: trusted?.bindings });
}

/** The element of a destructuring pattern that takes a property. */
function bindingOf(
  pattern: ts.ObjectBindingPattern,
  name: string,
  checker: ts.TypeChecker,
): ts.BindingElement | undefined {
  return pattern.elements.find((element) => {
    if (element.dotDotDotToken) return false;
    const key = element.propertyName ?? element.name;
    if (ts.isIdentifier(key) || ts.isStringLiteralLike(key) || ts.isNumericLiteral(key))
      return key.text === name;
    return ts.isComputedPropertyName(key) && constantValue(key.expression, checker)?.value === name;
  });
}

/** An initialiser that is the same in every run becomes the schema's `default`. */
export function withDefault(
  fragment: SchemaFragment,
  initializer: ts.Expression | undefined,
  type: ts.Type,
  site: TypeSite,
  derivation: Derivation,
): SchemaFragment {
  const constant = initializer && constantValue(initializer, derivation.checker);
  if (!constant || fragment === UNSUPPORTED || fragment === NEVER) return fragment;
  const { value } = constant;
  const target = { type, site, derivation, report: derivation.report };
  if (!isFitting(value, fragment, initializer, target, "default")) return fragment;
  return { ...fragment, schema: defaultTo(fragment.schema, value) };
}

/** The schema with a default, beside which a reference has to be an alternative. */
export function defaultTo({ $ref, ...rest }: JsonSchema, value: JsonValue): JsonSchema {
  return $ref === undefined ? { ...rest, default: value } : { anyOf: [{ $ref }], ...rest, default: value };
}
