import { ts } from "../../project/typescript.js";
import { NEVER, REFUSED, type Part } from "../../json-schema/fragment.js";
import { type Derivation, type Place, type Rule } from "../derivation.js";
import { joinParts } from "../join.js";
import { enumeration } from "../../json-schema/enumeration.js";
import { literalValue } from "./literals.js";
import { aliasOf, bareTypeNode } from "../../project/nodes.js";
import { identityOf, inner, isAbsent } from "../type-sites.js";
import { orderedMembers } from "../order/type-order.js";

/** Unions, enums among them: the members, joined into the shortest schema that says the same. */
export const unions: Rule = (type, place, derivation) => {
  if (!type.isUnion()) return undefined;
  const members = derivation.together(
    orderedMembers(type, place.typeNode, derivation.checker).filter((member) => !isAbsent(member)),
  );
  const [only] = members;
  if (!only) return NEVER;
  const literalTypes = members.filter((member) => literalValue(member) !== undefined);
  const values = literalTypes.map((member) => literalValue(member) as string | number | boolean);
  const anyText = members.some((member) => isAnyText(member, derivation));
  const parts: Part[] = [];
  const shown = new Set<string | number | boolean>(
    anyText ? values.filter((value) => typeof value === "string") : [],
  );
  for (const member of members) {
    const value = literalValue(member);
    if (value === undefined) parts.push(derivation.derive(member, memberPlace(member, place, derivation)));
    else if (!shown.has(value)) parts.push(literalPart(values, shown));
  }
  if (parts.includes(REFUSED)) return REFUSED;
  if (isNumberChoice(values, shown) && derivation.direction === "input") {
    derivation.report("type-enum-of-numbers", place.node, { where: derivation.where(place) });
  }
  const [first] = parts;
  const joined = parts.length === 1 && first ? first : joinParts(parts);
  // `"a" | "b" | (string & {})` is any string, but its author named the usual ones.
  const usual = values.filter((value) => typeof value === "string");
  return anyText && usual.length > 0 && joined.schema.type !== undefined
    ? { ...joined, schema: { ...joined.schema, examples: usual } }
    : joined;
};

/** All literals not shown yet as one `enum`; `true | false` is `boolean`. */
function literalPart(values: (string | number | boolean)[], shown: Set<string | number | boolean>): Part {
  const rest = values.filter((value) => !shown.has(value));
  for (const value of rest) shown.add(value);
  if (!rest.includes(true) || !rest.includes(false)) return { schema: enumeration([...new Set(rest)]) };
  const others = [...new Set(rest.filter((value) => typeof value !== "boolean"))];
  const boolean: Part = { schema: { type: "boolean" } };
  return others.length > 0 ? joinParts([{ schema: enumeration(others) }, boolean]) : boolean;
}

function isNumberChoice(values: readonly unknown[], shown: ReadonlySet<unknown>): boolean {
  return values.filter((value) => typeof value === "number" && shown.has(value)).length > 1;
}

/** `string & {}`, which editors complete and the checker does not absorb literals into. */
function isAnyText(type: ts.Type, derivation: Derivation): boolean {
  return (
    type.isIntersection() &&
    type.types.some((part) => part.flags & ts.TypeFlags.String) &&
    type.types.every(
      (part) =>
        part.flags & ts.TypeFlags.String ||
        (part.flags & ts.TypeFlags.Object && derivation.checker.getPropertiesOfType(part).length === 0),
    )
  );
}

/** The node of one member, so that its comment and its mistakes are found. */
function memberPlace(member: ts.Type, place: Place, derivation: Derivation): Place {
  const node = place.typeNode && memberNode(place.typeNode, member, derivation.checker, 0);
  return inner(place, undefined, node, node, { inUnion: true });
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
