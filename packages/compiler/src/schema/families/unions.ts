import { ts } from "../../project/typescript.js";
import { NEVER, UNSUPPORTED, type SchemaFragment } from "../../json-schema/fragment.js";
import { type Derivation, type TypeSite, type TypeRule } from "../derivation.js";
import { joinFragments } from "../join.js";
import { enumeration } from "../../json-schema/enumeration.js";
import { literalValue } from "./literals.js";
import { aliasOf, bareTypeNode } from "../../project/nodes.js";
import { identityOf, inner, isAbsent } from "../type-sites.js";
import { orderedMembers } from "../order/type-order.js";

/** Unions, enums among them: the members, joined into the shortest schema that says the same. */
export const unions: TypeRule = (type, site, derivation) => {
  if (!type.isUnion()) return undefined;
  const members = derivation.regroupUnion(
    orderedMembers(type, site.typeNode, derivation.checker).filter((member) => !isAbsent(member)),
  );
  const [only] = members;
  if (!only) return NEVER;
  const literalTypes = members.filter((member) => literalValue(member) !== undefined);
  const values = literalTypes.map((member) => literalValue(member) as string | number | boolean);
  const anyText = members.some((member) => isAnyText(member, derivation));
  const fragments: SchemaFragment[] = [];
  const shown = new Set<string | number | boolean>(
    anyText ? values.filter((value) => typeof value === "string") : [],
  );
  for (const member of members) {
    const value = literalValue(member);
    if (value === undefined) fragments.push(derivation.derive(member, memberSite(member, site, derivation)));
    else if (!shown.has(value)) fragments.push(literalFragment(values, shown));
  }
  if (fragments.includes(UNSUPPORTED)) return UNSUPPORTED;
  if (isNumberChoice(values, shown) && derivation.direction === "input") {
    derivation.report("type-enum-of-numbers", site.node, { where: derivation.where(site) });
  }
  const [first] = fragments;
  const joined = fragments.length === 1 && first ? first : joinFragments(fragments, derivation.direction);
  // `"a" | "b" | (string & {})` is any string, but its author named the usual ones.
  const usual = values.filter((value) => typeof value === "string");
  return anyText && usual.length > 0 && joined.schema.type !== undefined
    ? { ...joined, schema: { ...joined.schema, examples: usual } }
    : joined;
};

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

function isNumberChoice(values: readonly unknown[], shown: ReadonlySet<unknown>): boolean {
  return values.filter((value) => typeof value === "number" && shown.has(value)).length > 1;
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
function memberSite(member: ts.Type, site: TypeSite, derivation: Derivation): TypeSite {
  const node = site.typeNode && memberNode(site.typeNode, member, derivation.checker, 0);
  return inner(site, undefined, node, node, { inUnion: true });
}

function memberNode(
  node: ts.TypeNode,
  member: ts.Type,
  checker: ts.TypeChecker,
  depth: number,
): ts.TypeNode | undefined {
  if (depth > 8) return undefined;
  const bare = bareTypeNode(node);
  const identity = identityOf(member);
  if (ts.isUnionTypeNode(bare)) {
    for (const each of bare.types) {
      const found = memberNode(each, member, checker, depth + 1);
      if (found) return found;
    }
    return undefined;
  }
  if (identityOf(checker.getTypeFromTypeNode(bare)) === identity) return bare;
  const target = aliasOf(bare, checker)?.target;
  return target && memberNode(target, member, checker, depth + 1);
}
