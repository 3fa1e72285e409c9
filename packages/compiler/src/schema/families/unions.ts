import type { JsonSchema } from "@tenon/runtime/manifest";
import { bareTypeNode } from "../../project/nodes.js";
import { ts } from "../../project/typescript.js";
import { NEVER, UNSUPPORTED, type SchemaFragment } from "../../json-schema/fragment.js";
import { type Derivation, type TypeSite, type TypeRule } from "../derivation.js";
import { alikeAlternatives } from "../../conversions/alike.js";
import { joinFragments } from "../join.js";
import { enumeration } from "../../json-schema/enumeration.js";
import { literalValue } from "./literals.js";
import { aliasTarget, NO_BINDINGS, settled, type WrittenType } from "../../project/written-type.js";
import { denotes } from "../denotes.js";
import { isAbsent } from "../type-identity.js";
import { inner } from "../type-sites.js";
import { orderedMembers } from "../order/type-order.js";

/** Unions, enums among them: the members, joined into the shortest schema that says the same. */
export const unions: TypeRule = (type, site, derivation) => {
  if (!type.isUnion()) return undefined;
  const members = derivation.regroupUnion(
    orderedMembers(type, site.typeNode, derivation.checker).filter((member) => !isAbsent(member)),
  );
  return unionOf(
    members.map((member) => ({ type: member, site: () => memberSite(member, site, derivation) })),
    site,
    derivation,
  );
};

/** One of the alternatives of a union. */
export interface Alternative {
  type: ts.Type;
  /** Looked up only for alternatives that are derived by themselves. */
  site: () => TypeSite;
}

/** Joins the alternatives, with the literals among them as one `enum`. */
export function unionOf(
  alternatives: readonly Alternative[],
  site: TypeSite,
  derivation: Derivation,
): SchemaFragment {
  if (alternatives.length === 0) return NEVER;
  const members = alternatives.map((each) => each.type);
  const values = members.flatMap((member) => literalValue(member) ?? []);
  const anyText = members.some((member) => isAnyText(member, derivation));
  const fragments: SchemaFragment[] = [];
  const shown = new Set<string | number | boolean>(
    anyText ? values.filter((value) => typeof value === "string") : [],
  );
  for (const each of alternatives) {
    const value = literalValue(each.type);
    if (value === undefined) fragments.push(derivation.derive(each.type, each.site()));
    else if (!shown.has(value)) fragments.push(literalFragment(values, shown));
  }
  if (fragments.includes(UNSUPPORTED)) return UNSUPPORTED;
  if (derivation.direction === "input") warnOfAlike(alternatives, fragments, site, derivation);
  const [first] = fragments;
  const joined = fragments.length === 1 && first ? first : joinFragments(fragments, derivation.direction);
  if (isNumberChoice(joined.schema) && derivation.direction === "input") {
    derivation.report("type-enum-of-numbers", site.node, { where: derivation.where(site) });
  }
  // `"a" | "b" | (string & {})` is any string, but its author named the usual ones.
  const usual = values.filter((value) => typeof value === "string");
  return anyText && usual.length > 0 && joined.schema.type !== undefined
    ? { ...joined, schema: { ...joined.schema, examples: usual } }
    : joined;
}

/** What a handler is given of alternatives that are the same as JSON should not surprise its author. */
function warnOfAlike(
  alternatives: readonly Alternative[],
  fragments: readonly SchemaFragment[],
  site: TypeSite,
  derivation: Derivation,
): void {
  const alike = alikeAlternatives(fragments);
  if (!alike) return;
  // Literals are one fragment, and need no conversion.
  const types = alternatives.filter(({ type }) => literalValue(type) === undefined).map(({ type }) => type);
  const derived = fragments.filter(({ conversion, schema }) => conversion || !schema.enum);
  const [first = "", second = ""] = alike.map((index) => {
    const type = types[derived.indexOf(fragments[index] ?? NEVER)];
    return type ? derivation.show(type) : "";
  });
  derivation.report("type-union-alike", site.node, { where: derivation.where(site), first, second });
}

/** All literals not shown yet as one `enum`; `true | false` is `boolean`. */
function literalFragment(
  values: (string | number | boolean)[],
  shown: Set<string | number | boolean>,
): SchemaFragment {
  const rest = values.filter((value) => !shown.has(value));
  for (const value of rest) shown.add(value);
  if (!rest.includes(true) || !rest.includes(false)) return { schema: enumeration([...new Set(rest)]) };
  const others = [...new Set(rest.filter((value) => typeof value !== "boolean"))];
  const boolean: SchemaFragment = { schema: { type: "boolean" } };
  return others.length > 0 ? joinFragments([{ schema: enumeration(others) }, boolean], "input") : boolean;
}

/** Among alternatives as well; what is inside of them is reported there. */
function isNumberChoice({ enum: values = [], anyOf = [] }: JsonSchema): boolean {
  const numbers = [values, ...anyOf.map((each) => each.enum ?? [])]
    .flat()
    .filter((value) => typeof value === "number");
  return numbers.length > 1;
}

/** `string & {}`, which editors complete and the checker does not absorb literals into. */
function isAnyText(type: ts.Type, derivation: Derivation): boolean {
  return (
    type.isIntersection() &&
    type.types.some((member) => member.flags & ts.TypeFlags.String) &&
    type.types.every(
      (member) =>
        member.flags & ts.TypeFlags.String ||
        (member.flags & ts.TypeFlags.Object && derivation.checker.getPropertiesOfType(member).length === 0),
    )
  );
}

/** The node of one member, so that its comment and its mistakes are found. */
function memberSite(member: ts.Type, site: TypeSite, { checker }: Derivation): TypeSite {
  const { typeNode, bindings = NO_BINDINGS } = site;
  const written = typeNode && writtenMember({ node: typeNode, bindings }, member, checker, 0);
  return inner(site, undefined, written?.node, written?.node, { inUnion: true, bindings: written?.bindings });
}

function writtenMember(
  written: WrittenType,
  member: ts.Type,
  checker: ts.TypeChecker,
  depth: number,
): WrittenType | undefined {
  if (depth > 8) return undefined;
  const own = settled(written, checker);
  const { node, bindings } = own;
  if (!ts.isUnionTypeNode(node)) {
    if (denotes(own, member, checker)) return { ...written, node: bareTypeNode(written.node) };
    const target = aliasTarget(own, checker);
    return target && writtenMember(target, member, checker, depth + 1);
  }
  for (const each of node.types) {
    const found = writtenMember({ node: each, bindings }, member, checker, depth + 1);
    if (found) return found;
  }
  return undefined;
}
