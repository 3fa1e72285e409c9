import type { ts } from "../../typescript/typescript.js";
import { getIdentity } from "../../typescript/type-identity.js";
import type { TypeSyntax, WrittenType } from "../../syntax/type-syntax.js";

/**
 * Pairs the alternatives of a union, as written, with the checker's members. Inside a generic, an alternative may
 * denote several members whose values have the same types. It then gets one that no other alternative has, so that each
 * member keeps its own comments.
 *
 * @returns the member of each alternative that has one
 */
export function pairAlternatives(
  alternatives: readonly WrittenType[],
  members: readonly ts.Type[],
  types: TypeSyntax,
): ReadonlyMap<WrittenType, ts.Type> {
  const pairs = new Map<WrittenType, ts.Type>();
  const found = alternatives.map((written) => ({ written, members: findMembers(written, members, types) }));
  const taken = new Set<ts.Type>();
  // An alternative that denotes only one member has no other choice.
  for (const each of found.sort((a, b) => a.members.length - b.members.length)) {
    const member = each.members.find((one) => !taken.has(one)) ?? each.members[0];
    if (!member) continue;
    pairs.set(each.written, member);
    taken.add(member);
  }
  return pairs;
}

/** Returns the members that an alternative denotes: one, if the checker knows its type. */
function findMembers(
  written: WrittenType,
  members: readonly ts.Type[],
  types: TypeSyntax,
): readonly ts.Type[] {
  const own = types.getType(written);
  const exact = own && members.find((member) => getIdentity(member) === getIdentity(own));
  return exact ? [exact] : members.filter((member) => types.denotes(written, member));
}
