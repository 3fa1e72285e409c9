import type { Conversion, JsonSchema } from "@tenon/runtime/manifest";
import type { DocComment } from "../../jsdoc/doc-comment.js";
import { ts } from "../../typescript/typescript.js";
import { NEVER, UNSUPPORTED, type SchemaFragment } from "../../json-schema/fragment.js";
import { applyComment } from "../constraints/apply-comment.js";
import { withoutAnnotations } from "../../json-schema/annotations.js";
import { createEnum } from "../../json-schema/enumeration.js";
import { type Derivation, type TypeSite } from "../derivation/derivation.js";
import { nestSite } from "../derivation/type-sites.js";
import { isAbsent } from "../../typescript/type-identity.js";
import { isAnyKey, getKeyPattern, reportUnsupportedText } from "./template-literals.js";
import { escapePattern } from "./text-patterns.js";

/** One index signature: the type of the members with matching names. */
export interface IndexSignature {
  /** The pattern of the names. Absent if all names match. */
  pattern?: string;
  /** The constraints on the names, from an alias of `string`. */
  names?: JsonSchema | undefined;
  fragment: SchemaFragment;
}

export type IndexConversion = Pick<Extract<Conversion, { kind: "object" }>, "patterns" | "additional">;

/**
 * Returns the index signatures of a type. Keys of type `string` become `additionalProperties`. Number and template keys
 * become patterns, which the `portable` profile lowers.
 *
 * @returns undefined if there are none
 */
export function deriveIndexSignatures(
  type: ts.Type,
  site: TypeSite,
  derivation: Derivation,
): IndexSignature[] | "unsupported" | undefined {
  const infos = derivation.checker
    .getIndexInfosOfType(type)
    .filter((info) => !(info.keyType.flags & ts.TypeFlags.ESSymbolLike));
  if (infos.length === 0) return undefined;
  const fragments = infos.map((info) => {
    const { types } = derivation.cache;
    const owner = site.written ?? types.getDeclared(type);
    const { written, key, declaredBy } = (owner && types.findIndexMember(owner, info.declaration)) ?? {};
    const declaration = info.declaration ?? declaredBy;
    const at = nestSite(site, "[key]", declaration, written, { documented: declaration && [declaration] });
    const comment = declaration && derivation.cache.comments.getComment(declaration);
    const fragment = applyComment(derivation.derive(info.type, at), comment, info.type, at, derivation);
    const keySite = nestSite(site, "[key]", key?.node, key);
    if (isAnyKey(info.keyType)) {
      const names = derivation.derive(info.keyType, keySite);
      const nameComment = declaration && getNameComment(declaration, derivation);
      const documented = applyComment(names, nameComment, info.keyType, keySite, derivation);
      return {
        ...((key ?? nameComment) && { names: getNameConstraints(documented, keySite, derivation) }),
        fragment,
      };
    }
    const pattern = getKeyPattern(info.keyType, derivation);
    if (pattern === undefined) return { fragment: reportUnsupportedText(info.keyType, keySite, derivation) };
    return { pattern, fragment };
  });
  return fragments.some(({ fragment }) => fragment === UNSUPPORTED) ? "unsupported" : fragments;
}

/** Returns the comment of the name in an index signature: that of `code` in `{ [code: string]: number }`. */
function getNameComment(declaration: ts.Node, { cache }: Derivation): DocComment | undefined {
  const [name] = ts.isIndexSignatureDeclaration(declaration) ? declaration.parameters : [];
  return name && cache.comments.getComment(name);
}

/** Returns the constraints on names, apart from their type. Reports tags that names cannot have. */
export function getNameConstraints(
  { schema }: SchemaFragment,
  { node }: TypeSite,
  { direction, report }: Derivation,
): JsonSchema | undefined {
  const misplaced = {
    secret: schema.writeOnly === true,
    default: schema.default !== undefined,
    header: schema["x-mcp-header"] !== undefined,
  };
  for (const [tag, isGiven] of Object.entries(misplaced))
    if (isGiven && direction === "input")
      report("constraint-misplaced", node, { tag, appliesTo: "values, not names of members" });
  const names = withoutAnnotations(schema);
  return names.type === "string" && Object.keys(names).length > 1 ? names : undefined;
}

/**
 * Returns the keywords of index signatures, for members that are not declared by name.
 *
 * @param named the declared names
 * @param forbiddenNames names of the type that must be absent, whatever the index signatures allow: `{ type?: never }`
 */
export function toIndexKeywords(
  index: readonly IndexSignature[],
  named: readonly string[],
  forbiddenNames: readonly string[],
  { direction }: Derivation,
): Pick<JsonSchema, "additionalProperties" | "patternProperties" | "propertyNames"> {
  const all = index.find(({ pattern }) => pattern === undefined)?.fragment;
  const patterned = index.filter(({ pattern, fragment }) => pattern !== undefined && fragment !== NEVER);
  const empty = index.filter(({ pattern, fragment }) => pattern !== undefined && fragment === NEVER);
  const isClosed = direction === "input";
  const excluded = isClosed
    ? [
        ...forbiddenNames.map((name) => `${escapePattern(name)}$`),
        ...empty.map(({ pattern = "" }) => pattern.replace("^", "")),
      ]
    : [];
  const lookahead = excluded.length > 0 ? `(?!${excluded.join("|")})` : "";
  const isExcluding = lookahead !== "" && all !== undefined && all !== NEVER;
  const patterns = patterned.map(({ pattern = "", fragment }) => [
    pattern.replace("^", `^${lookahead}`),
    fragment.schema,
  ]);
  if (isExcluding) patterns.push([`^${lookahead}${ANY_NAME}`, all.schema]);
  const rest = all && !isExcluding ? toAdditionalProperties(all) : isClosed ? false : undefined;
  const names = index.length === 1 ? index[0]?.names : undefined;
  return {
    ...(names && {
      propertyNames: named.length > 0 ? { anyOf: [createEnum([...named]), names] } : names,
    }),
    ...(patterns.length > 0 && { patternProperties: Object.fromEntries(patterns) as Patterns }),
    ...(rest !== undefined && { additionalProperties: rest }),
  };
}

type Patterns = Record<string, JsonSchema>;

const ANY_NAME = "[\\s\\S]*$";

function toAdditionalProperties(fragment: SchemaFragment): boolean | JsonSchema {
  if (fragment === NEVER) return false;
  return Object.keys(fragment.schema).length === 0 ? true : fragment.schema;
}

/** Returns the conversion of members that are not declared by name. It has patterns only if the signatures differ. */
export function toIndexConversion(index: readonly IndexSignature[]): IndexConversion | undefined {
  if (!index.some(({ fragment }) => fragment.conversion)) return undefined;
  const [first] = index;
  const texts = new Set(index.map(({ fragment }) => JSON.stringify(fragment.conversion)));
  if (first?.fragment.conversion && texts.size === 1) return { additional: first.fragment.conversion };
  const additional = index.find(({ pattern }) => pattern === undefined)?.fragment.conversion;
  return {
    patterns: index.flatMap(({ pattern, fragment }): [string, Conversion | null][] =>
      pattern === undefined ? [] : [[pattern, fragment.conversion ?? null]],
    ),
    ...(additional && { additional }),
  };
}

/**
 * Returns the alternatives of a property's type that satisfy the index signatures of the property's owner, or the parts of
 * them that do. In an intersection, a named property must also satisfy the index signatures of the other side, but the
 * checker does not include them in the property's type.
 *
 * @returns undefined if it is unclear which values do, after a report
 */
export function filterByIndex(
  owner: ts.Type,
  name: string,
  type: ts.Type,
  at: TypeSite,
  derivation: Derivation,
): readonly ts.Type[] | undefined {
  const { checker } = derivation;
  let members = listAlternatives(type);
  for (const info of checker.getIndexInfosOfType(owner)) {
    if (!appliesTo(info.keyType, name, derivation)) continue;
    const narrowed = members.map((member) => narrow(member, info.type, checker));
    const unclear = members.find((_, index) => narrowed[index] === undefined);
    if (unclear !== undefined) {
      const [own, other] = [unclear, info.type].map((each) => `\`${derivation.formatType(each)}\``);
      derivation.report("type-not-serializable", at.node, {
        where: derivation.describeSite(at),
        type: own ?? "",
        reason: `which must also fit the index signature of the other type in the intersection, ${other}`,
        edit: "Give the property a type that fits the index signature.",
      });
      return undefined;
    }
    members = narrowed.flatMap((each) => each ?? []);
  }
  return members;
}

function listAlternatives(type: ts.Type): readonly ts.Type[] {
  return type.isUnion() ? type.types : [type];
}

/** Returns the parts of a type whose values fit an index signature; undefined if other values may fit, too. */
function narrow(type: ts.Type, index: ts.Type, checker: ts.TypeChecker): readonly ts.Type[] | undefined {
  if (isAbsent(type) || fits(type, index, checker)) return [type];
  const parts = listAlternatives(index);
  const narrower = parts.filter((part) => checker.isTypeAssignableTo(part, type));
  const isObject = ({ flags }: ts.Type): boolean => (flags & STRUCTURED) !== 0;
  const isUnclear = isObject(type) && parts.some((part) => isObject(part) && !narrower.includes(part));
  return isUnclear ? undefined : narrower;
}

const STRUCTURED = ts.TypeFlags.Object | ts.TypeFlags.Intersection | ts.TypeFlags.NonPrimitive;

/** Returns whether all JSON of a type fits an index signature. JSON omits members that are `undefined`. */
function fits(
  type: ts.Type,
  index: ts.Type,
  checker: ts.TypeChecker,
  open: readonly ts.Type[] = [],
): boolean {
  if (open.includes(type) || checker.isTypeAssignableTo(type, index)) return true;
  if (!(type.flags & STRUCTURED)) return false;
  const members = [
    ...checker.getPropertiesOfType(type).map((property) => checker.getTypeOfSymbol(property)),
    ...checker.getIndexInfosOfType(type).map((info) => info.type),
  ].flatMap((member) => listAlternatives(member).filter((each) => !isAbsent(each)));
  return listAlternatives(index).some((part) => {
    const inside = checker.getIndexTypeOfType(part, ts.IndexKind.String);
    const isRecord = inside !== undefined && checker.getPropertiesOfType(part).length === 0;
    return isRecord && members.every((member) => fits(member, inside, checker, [...open, type]));
  });
}

function appliesTo(keyType: ts.Type, name: string, derivation: Derivation): boolean {
  if (isAnyKey(keyType)) return true;
  const pattern = getKeyPattern(keyType, derivation);
  return pattern !== undefined && new RegExp(pattern, "u").test(name);
}
