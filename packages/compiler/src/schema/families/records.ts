import type { Conversion, JsonSchema } from "@tenon/runtime/manifest";
import { ts } from "../../project/typescript.js";
import { NEVER, UNSUPPORTED, type SchemaFragment } from "../../json-schema/fragment.js";
import { applyComment } from "../constraints/apply-comment.js";
import { withoutAnnotations } from "../../json-schema/annotations.js";
import { enumeration } from "../../json-schema/enumeration.js";
import { type Derivation, type TypeSite } from "../derivation.js";
import { inner, writtenAt } from "../type-sites.js";
import { memberSource } from "./member-sources.js";
import { isAnyKey, keyPattern, unsupportedText } from "./template-literals.js";
import { escapePattern } from "./text-patterns.js";

/** One index signature: the type of the members whose names match it. */
export interface IndexSignature {
  /** Absent where it matches all names. */
  pattern?: string;
  /** What an alias of `string` says of the names. */
  names?: JsonSchema | undefined;
  fragment: SchemaFragment;
}

export type IndexConversion = Pick<Extract<Conversion, { kind: "object" }>, "patterns" | "additional">;

/**
 * The index signatures of a type. Keys of `string` are `additionalProperties`; keys of numbers and templates are
 * patterns, which `portable` lowers again.
 *
 * @returns undefined when there are none
 */
export function indexSignatures(
  type: ts.Type,
  site: TypeSite,
  derivation: Derivation,
): IndexSignature[] | "unsupported" | undefined {
  const infos = derivation.checker
    .getIndexInfosOfType(type)
    .filter((info) => !(info.keyType.flags & ts.TypeFlags.ESSymbolLike));
  if (infos.length === 0) return undefined;
  const fragments = infos.map((info) => {
    const source = info.declaration ? undefined : memberSource(info, type, site, derivation);
    const declaration = info.declaration ?? source?.declared;
    const written = info.declaration ? writtenAt(info.declaration.type, site) : source?.written;
    const at = inner(site, "[key]", declaration, written?.node, { bindings: written?.bindings });
    const comment = declaration && derivation.cache.comments.commentOf(declaration);
    const fragment = applyComment(derivation.derive(info.type, at), comment, info.type, at, derivation);
    const key = info.declaration ? writtenAt(info.declaration.parameters[0]?.type, site) : source?.key;
    const keySite = inner(site, "[key]", key?.node, key?.node, { bindings: key?.bindings });
    if (isAnyKey(info.keyType)) {
      const names = key && namesOf(derivation.derive(info.keyType, keySite));
      return { names, fragment };
    }
    const pattern = keyPattern(info.keyType, derivation);
    if (pattern === undefined) return { fragment: unsupportedText(info.keyType, keySite, derivation) };
    return { pattern, fragment };
  });
  return fragments.some(({ fragment }) => fragment === UNSUPPORTED) ? "unsupported" : fragments;
}

/** What names have to be, beyond being text. */
export function namesOf({ schema }: SchemaFragment): JsonSchema | undefined {
  const names = withoutAnnotations(schema);
  return names.type === "string" && Object.keys(names).length > 1 ? names : undefined;
}

/**
 * The keywords of index signatures, for members that are not declared by name.
 *
 * @param named names that are declared
 * @param without names of the type that no value can have, whatever the index signatures say: `{ type?: never }`
 */
export function indexKeywords(
  index: readonly IndexSignature[],
  named: readonly string[],
  without: readonly string[],
  { direction }: Derivation,
): Pick<JsonSchema, "additionalProperties" | "patternProperties" | "propertyNames"> {
  const all = index.find(({ pattern }) => pattern === undefined)?.fragment;
  const told = index.filter(({ pattern, fragment }) => pattern !== undefined && fragment !== NEVER);
  const empty = index.filter(({ pattern, fragment }) => pattern !== undefined && fragment === NEVER);
  const isClosed = direction === "input";
  const excluded = isClosed
    ? [
        ...without.map((name) => `${escapePattern(name)}$`),
        ...empty.map(({ pattern = "" }) => pattern.replace("^", "")),
      ]
    : [];
  const ahead = excluded.length > 0 ? `(?!${excluded.join("|")})` : "";
  const isExcluding = ahead !== "" && all !== undefined && all !== NEVER;
  const patterns = told.map(({ pattern = "", fragment }) => [
    pattern.replace("^", `^${ahead}`),
    fragment.schema,
  ]);
  if (isExcluding) patterns.push([`^${ahead}${ANY_NAME}`, all.schema]);
  const rest = all && !isExcluding ? openness(all) : isClosed ? false : undefined;
  const names = index.length === 1 ? index[0]?.names : undefined;
  return {
    ...(names && {
      propertyNames: named.length > 0 ? { anyOf: [enumeration([...named]), names] } : names,
    }),
    ...(patterns.length > 0 && { patternProperties: Object.fromEntries(patterns) as Patterns }),
    ...(rest !== undefined && { additionalProperties: rest }),
  };
}

type Patterns = Record<string, JsonSchema>;

const ANY_NAME = "[\\s\\S]*$";

function openness(fragment: SchemaFragment): boolean | JsonSchema {
  if (fragment === NEVER) return false;
  return Object.keys(fragment.schema).length === 0 ? true : fragment.schema;
}

/** How members that are not declared by name are converted; by pattern only where the signatures do not agree. */
export function indexConversion(index: readonly IndexSignature[]): IndexConversion | undefined {
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
 * In an intersection a named member must satisfy the other side's index signature too, which the checker does
 * not work into the member's own type.
 *
 * @returns the members of the type that do, or undefined when none does
 */
export function withinIndex(
  owner: ts.Type,
  name: string,
  type: ts.Type,
  derivation: Derivation,
): readonly ts.Type[] | undefined {
  const { checker } = derivation;
  const infos = checker
    .getIndexInfosOfType(owner)
    .filter((info) => appliesTo(info.keyType, name, derivation));
  const members = (type.isUnion() ? type.types : [type]).filter((member) =>
    infos.every(
      (info) => member.flags & ts.TypeFlags.Undefined || checker.isTypeAssignableTo(member, info.type),
    ),
  );
  return members.some((member) => !(member.flags & ts.TypeFlags.Undefined)) ? members : undefined;
}

function appliesTo(keyType: ts.Type, name: string, derivation: Derivation): boolean {
  if (isAnyKey(keyType)) return true;
  const pattern = keyPattern(keyType, derivation);
  return pattern !== undefined && new RegExp(pattern, "u").test(name);
}
