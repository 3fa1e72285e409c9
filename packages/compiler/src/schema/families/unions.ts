import type { JsonSchema } from "@tenon/runtime/manifest";
import { getPickedPrimitive } from "./intersections.js";
import { ts } from "../../typescript/typescript.js";
import { NEVER, UNSUPPORTED, type SchemaFragment } from "../../json-schema/fragment.js";
import { type Derivation, type TypeSite, type TypeRule } from "../derivation/derivation.js";
import { findFlags } from "./flags.js";
import { findAmbiguousAlternatives } from "../../conversions/ambiguous-alternatives.js";
import { joinFragments } from "../derivation/join.js";
import { createEnum } from "../../json-schema/enumeration.js";
import { getLiteralValue } from "../../typescript/literal-value.js";
import { lacksJsonForm, reportWithoutJsonForm } from "./library-types.js";
import { isAbsent } from "../../typescript/type-identity.js";
import { pairAlternatives } from "../derivation/pair-alternatives.js";
import type { WrittenType } from "../../syntax/type-syntax.js";
import { nestSite, getTypeNode } from "../derivation/type-sites.js";
import { getOrderedMembers } from "../order/type-order.js";

/** Derives unions, including enums: joins the members into the shortest equivalent schema. */
export const unions: TypeRule = (type, site, derivation) => {
  if (!type.isUnion()) return undefined;
  const members = derivation.regroupUnion(
    getOrderedMembers(type, getTypeNode(site), derivation.checker).filter((member) => !isAbsent(member)),
  );
  const findSite = createMemberSites(members, site, derivation);
  return deriveUnion(
    members.map((member) => ({ type: member, site: () => findSite(member) })),
    site,
    derivation,
  );
};

/** One alternative of a union. */
export interface Alternative {
  type: ts.Type;
  /** Returns the site. It is called only for alternatives that are derived separately. */
  site: () => TypeSite;
}

/** Joins the alternatives, and combines their literals into one `enum`. */
export function deriveUnion(
  alternatives: readonly Alternative[],
  site: TypeSite,
  derivation: Derivation,
): SchemaFragment {
  if (alternatives.length === 0) return NEVER;
  const flags = findFlags(
    alternatives.map((each) => each.type),
    derivation.checker,
  );
  const members = alternatives
    .map((each) => each.type)
    .filter((each) => !flags.some((group) => group.members.has(each)));
  const values = members.flatMap((member) => getLiteralValue(member) ?? []);
  const acceptsAnyString = members.some((member) => isAnyString(member, derivation));
  const fragments: SchemaFragment[] = [];
  /** The type of each fragment. Absent for literals and flags, which need no conversion. */
  const sources: (ts.Type | undefined)[] = [];
  const add = (fragment: SchemaFragment, source?: ts.Type): void => {
    fragments.push(fragment);
    sources.push(source);
  };
  const shown = new Set<string | number | boolean>(
    acceptsAnyString ? values.filter((value) => typeof value === "string") : [],
  );
  const unsupported = members.filter((member) => lacksJsonForm(member));
  if (unsupported.length > 1) add(reportWithoutJsonForm(unsupported, site, derivation));
  for (const each of alternatives) {
    if (unsupported.length > 1 && unsupported.includes(each.type)) continue;
    const group = flags.find((one) => one.members.has(each.type));
    if (group) {
      if (!fragments.includes(group.fragment)) add(group.fragment);
      continue;
    }
    const value = getLiteralValue(each.type);
    if (value === undefined) add(derivation.derive(each.type, each.site()), each.type);
    else if (!shown.has(value)) add(createLiteralFragment(values, shown));
  }
  if (fragments.includes(UNSUPPORTED)) return UNSUPPORTED;
  if (derivation.direction === "input") warnAboutAmbiguity(fragments, sources, site, derivation);
  const [first] = fragments;
  const joined = fragments.length === 1 && first ? first : joinFragments(fragments, derivation.direction);
  if (isNumberChoice(joined.schema) && derivation.direction === "input") {
    derivation.report("type-enum-of-numbers", site.node, { where: derivation.describeSite(site) });
  }
  // `"a" | "b" | (string & {})` is any string, but the author named the usual ones.
  const usual = values.filter((value) => typeof value === "string");
  return acceptsAnyString && usual.length > 0 && joined.schema.type !== undefined
    ? { ...joined, schema: { ...joined.schema, examples: usual } }
    : joined;
}

/** Warns about alternatives with identical JSON, since the handler may receive a value of the wrong one. */
function warnAboutAmbiguity(
  fragments: readonly SchemaFragment[],
  sources: readonly (ts.Type | undefined)[],
  site: TypeSite,
  derivation: Derivation,
): void {
  const ambiguous = findAmbiguousAlternatives(fragments);
  if (!ambiguous) return;
  const [first = "", second = ""] = ambiguous.map((index) => {
    const type = sources[index];
    return type ? derivation.formatType(type) : "";
  });
  derivation.report("type-union-ambiguous", site.node, {
    where: derivation.describeSite(site),
    first,
    second,
  });
}

/** Returns one `enum` for all literals that are not in `shown`. `true | false` is `boolean`. */
function createLiteralFragment(
  values: (string | number | boolean)[],
  shown: Set<string | number | boolean>,
): SchemaFragment {
  const rest = values.filter((value) => !shown.has(value));
  for (const value of rest) shown.add(value);
  if (!rest.includes(true) || !rest.includes(false)) return { schema: createEnum([...new Set(rest)]) };
  const others = [...new Set(rest.filter((value) => typeof value !== "boolean"))];
  const boolean: SchemaFragment = { schema: { type: "boolean" } };
  return others.length > 0 ? joinFragments([{ schema: createEnum(others) }, boolean], "input") : boolean;
}

/** Returns whether a schema is a choice of numbers, also among alternatives. Nested choices are reported separately. */
function isNumberChoice({ enum: values = [], anyOf = [] }: JsonSchema): boolean {
  const numbers = [values, ...anyOf.map((each) => each.enum ?? [])]
    .flat()
    .filter((value) => typeof value === "number");
  return numbers.length > 1;
}

/**
 * Returns whether a type is `string & {}`, next to which literals remain as suggestions in editors. Packages also write
 * `string & { _?: never }`.
 */
function isAnyString(type: ts.Type, { checker }: Derivation): boolean {
  if (!type.isIntersection()) return false;
  const parts = type.types.map((member) => getPickedPrimitive(member) ?? member);
  const isText = (part: ts.Type): boolean => (part.flags & ts.TypeFlags.String) !== 0;
  const isImpossible = (property: ts.Symbol): boolean => {
    const value = checker.getTypeOfSymbol(property);
    const isOptional = (property.flags & ts.SymbolFlags.Optional) !== 0;
    return isOptional && (isAbsent(value) || (value.flags & ts.TypeFlags.Never) !== 0);
  };
  const isEmpty = (part: ts.Type): boolean =>
    (part.flags & ts.TypeFlags.Object) !== 0 && checker.getPropertiesOfType(part).every(isImpossible);
  return parts.some(isText) && parts.every((part) => isText(part) || isEmpty(part));
}

/** Returns a function that finds the site of one member, for its comment and diagnostics. */
function createMemberSites(
  members: readonly ts.Type[],
  site: TypeSite,
  { cache: { types } }: Derivation,
): (member: ts.Type) => TypeSite {
  let pairs: [WrittenType, ts.Type][] | undefined;
  const pairMembers = (written: WrittenType): [WrittenType, ts.Type][] => {
    // Literals and `null` have no site of their own.
    const structured = members.filter(
      (member) => getLiteralValue(member) === undefined && !(member.flags & ts.TypeFlags.Null),
    );
    // Inside a generic, the union itself may seem to denote each of its members.
    const isMember = (each: WrittenType): boolean =>
      structured.filter((member) => types.denotes(each, member)).length === 1;
    return [...pairAlternatives(types.getAlternatives(written, isMember), structured, types)];
  };
  return (member) => {
    pairs ??= site.written ? pairMembers(site.written) : [];
    const written = pairs.find(([, paired]) => paired === member)?.[0];
    return nestSite(site, undefined, written?.node, written, { inUnion: true });
  };
}
