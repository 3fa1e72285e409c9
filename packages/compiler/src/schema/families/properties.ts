import type { JsonSchema, JsonValue } from "@tenon/runtime/manifest";
import { ts } from "../../typescript/typescript.js";
import { evaluateConstant, evaluateWithBigints } from "../../typescript/constant.js";
import { applyComment } from "../constraints/apply-comment.js";
import { isFitting } from "../constraints/example-values.js";
import { NEVER, UNSUPPORTED, type SchemaFragment } from "../../json-schema/fragment.js";
import { type Derivation, type TypeSite } from "../derivation/derivation.js";
import { joinFragments } from "../derivation/join.js";
import { toListedDefault } from "./listed-default.js";
import { isFunction } from "./members.js";
import { isOwnNode } from "../../typescript/nodes.js";
import { NO_BINDINGS, type WrittenMember, type WrittenType } from "../../syntax/type-syntax.js";
import { isAbsent, mayBeAbsent } from "../../typescript/type-identity.js";
import { nestSite, findTrustedType } from "../derivation/type-sites.js";
import { removeReplacedTags, isAsDeclared } from "./mapped-members.js";
import { filterByIndex } from "./records.js";

/** A property of an object type, as JSON contains it. */
export interface Property {
  name: string;
  fragment: SchemaFragment;
  required: boolean;
  /** The node of the name, or the closest one in the author's own source. */
  at: ts.Node;
}

/** Derives one property of an object. Returns undefined if JSON omits it. */
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
  const element = site.binding && findBinding(site.binding, name, checker);
  const { comments, types } = derivation.cache;
  const member = findWrittenMember(symbol, type, owner, site, derivation);
  const at = createPropertySite(symbol, member, type, site, element, derivation);
  if (optional && isFunction(type)) {
    derivation.report("type-member-omitted", at.node, {
      where: derivation.describeSite(at),
      type: derivation.formatType(type),
    });
    return undefined;
  }
  const derived = deriveValue(type, name, owner, at, derivation);
  if (derived === NEVER && optional) return undefined;
  const documented = applyComment(
    applyComment(derived, member?.declaredBy && comments.getComment(member.declaredBy), type, at, derivation),
    removeReplacedTags(symbol, types.getMemberComment(symbol), checker),
    type,
    at,
    derivation,
  );
  const secret = types.getOwnerSecret(symbol, owner);
  const protectedValue = secret ? applyComment(documented, secret, type, at, derivation) : documented;
  const onElement =
    element && applyComment(protectedValue, comments.getComment(element), type, at, derivation);
  const fragment = withDefault(onElement ?? protectedValue, element?.initializer, type, at, derivation);
  // JSON omits `undefined`, and `unknown` includes it.
  const isVague =
    derivation.direction === "output" && (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0;
  const required = !optional && !isVague && !element?.initializer;
  return { name, fragment, at: findNameNode(symbol, site.node), required };
}

/** Returns the name in the author's own source, or else the node around it. */
export function findNameNode(symbol: ts.Symbol, around: ts.Node): ts.Node {
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
  const fitting = filterByIndex(owner, name, type, at, derivation);
  if (!fitting) return UNSUPPORTED;
  const members = type.isUnion() ? type.types : [type];
  if (members.every((member, index) => member === fitting[index])) return derivation.derive(type, at);
  return joinFragments(
    fitting.filter((member) => !isAbsent(member)).map((member) => derivation.derive(member, at)),
    derivation.direction,
  );
}

/** Returns the member as its owner is written. The search is slow, so it is skipped for most declarations. */
function findWrittenMember(
  symbol: ts.Symbol,
  type: ts.Type,
  owner: ts.Type,
  site: TypeSite,
  derivation: Derivation,
): WrittenMember | undefined {
  const written = isAsDeclared(symbol) ? getDeclaredType(symbol.declarations?.[0]) : undefined;
  if (written && findTrustedType(written, type, derivation)) return { written };
  const { types } = derivation.cache;
  const writtenOwner = site.written ?? types.getDeclared(owner);
  return writtenOwner && types.findMember(writtenOwner, symbol.name, symbol);
}

/** Returns the type that a declaration is written with. */
function getDeclaredType(declaration: ts.Declaration | undefined): WrittenType | undefined {
  if (!declaration || ts.isMethodSignature(declaration) || ts.isMethodDeclaration(declaration))
    return undefined;
  const { type } = declaration as { type?: ts.Node };
  return type && ts.isTypeNode(type) ? { node: type, bindings: NO_BINDINGS } : undefined;
}

function createPropertySite(
  { name, valueDeclaration, declarations }: ts.Symbol,
  member: WrittenMember | undefined,
  type: ts.Type,
  site: TypeSite,
  element: ts.BindingElement | undefined,
  derivation: Derivation,
): TypeSite {
  const declaration = valueDeclaration ?? declarations?.[0];
  const declared = getDeclaredType(declaration);
  const written = [member?.written, declared].find((each) => findTrustedType(each, type, derivation));
  // Inside a generic, the node names type parameters. The node with the type arguments is better.
  const node =
    declared && !written ? undefined : declaration && (ts.getNameOfDeclaration(declaration) ?? declaration);
  const nested = element && ts.isObjectBindingPattern(element.name) ? element.name : undefined;
  const documented = [...(declarations ?? []), ...(member?.declaredBy ? [member.declaredBy] : [])];
  return nestSite(site, name, node, written ?? member?.written, { binding: nested, documented });
}

/** Returns the element of a destructuring pattern that receives a property. */
export function findBinding(
  pattern: ts.ObjectBindingPattern,
  name: string,
  checker: ts.TypeChecker,
): ts.BindingElement | undefined {
  return pattern.elements.find((element) => {
    if (element.dotDotDotToken) return false;
    const key = element.propertyName ?? element.name;
    if (ts.isIdentifier(key) || ts.isStringLiteralLike(key) || ts.isNumericLiteral(key))
      return key.text === name;
    return ts.isComputedPropertyName(key) && evaluateConstant(key.expression, checker)?.value === name;
  });
}

/** Adds a constant initializer to the schema as its `default`. */
export function withDefault(
  fragment: SchemaFragment,
  initializer: ts.Expression | undefined,
  type: ts.Type,
  site: TypeSite,
  derivation: Derivation,
): SchemaFragment {
  const constant = initializer && evaluateWithBigints(initializer, derivation.checker);
  if (!constant || fragment === UNSUPPORTED || fragment === NEVER) return fragment;
  const value = toListedDefault(constant.value, fragment.conversion, derivation.defs);
  if (value === undefined) return fragment;
  const target = { type, site, derivation, report: derivation.report };
  if (!isFitting(value, fragment, initializer, target, "default")) return fragment;
  return { ...fragment, schema: addDefault(fragment.schema, value) };
}

/** Adds a default to a schema. A reference moves into `anyOf`, since it cannot have a default next to it. */
export function addDefault({ $ref, ...rest }: JsonSchema, value: JsonValue): JsonSchema {
  return $ref === undefined ? { ...rest, default: value } : { anyOf: [{ $ref }], ...rest, default: value };
}
