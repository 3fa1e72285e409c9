import type { JsonSchema } from "@tenon/runtime/manifest";
import type { Member, Schema, SchemaChange } from "../../compare/schema/schema-change.js";
import { findSchemaChanges } from "../../compare/schema/schema-changes.js";
import { formatType } from "../../inspect/type-text.js";

/** A line that describes a difference. */
export interface Detail {
  sign: "+" | "-" | "~";
  text: string;
}

/**
 * Returns the differences between two schemas by member, with types as in `tenon inspect`.
 *
 * @param name the name of the value; empty for arguments, whose members appear under their own names
 * @example
 * describeSchemaChanges({ properties: { n: { type: "string" } } }, { properties: { n: { type: "number" } } }, "")
 * // [{ sign: "~", text: "n?: string → number" }]
 */
export function describeSchemaChanges(
  before: JsonSchema | undefined,
  after: JsonSchema | undefined,
  name: string,
): Detail[] {
  const changes = findSchemaChanges(before, after);
  const members = [...new Set(changes.flatMap(({ member }) => withParents(member)))];
  const describeMember = (member: Member): Detail[] => {
    const nested = members.filter(({ parent }) => parent === member).flatMap(describeMember);
    return describeMemberChanges(
      member,
      changes.filter((each) => each.member === member),
      nested,
      [name, member.path].filter((part) => part !== "").join("."),
    );
  };
  return members.filter(({ parent }) => parent === undefined).flatMap(describeMember);
}

function withParents(member: Member): Member[] {
  return member.parent ? [member, ...withParents(member.parent)] : [member];
}

/**
 * Describes the changes to one member.
 *
 * @param changes the changes to the member itself
 * @param nested the differences in nested members, which replace other changes to the member
 * @param path the path to show
 */
function describeMemberChanges(
  { path: memberPath, parent, before, after, isRequired }: Member,
  changes: readonly SchemaChange[],
  nested: readonly Detail[],
  path: string,
): Detail[] {
  const marked = parent && !isRequired ? `${path}?` : path;
  if (before === undefined) return [{ sign: "+", text: `${marked}: ${formatType(after)}` }];
  if (after === undefined) return [{ sign: "-", text: path }];
  const isPresenceChange = ({ presence, path }: SchemaChange): boolean =>
    path === memberPath && (presence === "required" || presence === "optional");
  const others = changes.filter((each) => !isPresenceChange(each));
  const subject = (hasMembers(after) ? path : marked) || "arguments";
  const own = others.length > 0 ? describeOwnChanges(others, before, after, subject) : [];
  return [
    ...(nested.length > 0 ? nested : own),
    ...changes.filter(isPresenceChange).map(({ presence }): Detail => {
      return {
        sign: "~",
        text: `${path} ${presence === "required" ? "is now required" : "is now optional"}`,
      };
    }),
  ];
}

/** Returns the types before and after, or other differences if both have the same type. */
function describeOwnChanges(
  changes: readonly SchemaChange[],
  before: Schema,
  after: Schema,
  subject: string,
): Detail[] {
  const [earlier, current] = [formatType(before), formatType(after)];
  if (earlier !== current && !(hasMembers(before) && hasMembers(after)))
    return [{ sign: "~", text: `${subject}: ${earlier} → ${current}` }];
  const messages = new Set(changes.map((each) => `${getPathInMember(each)} ${each.message}`));
  return [...messages].map((text) => ({ sign: "~", text: `${subject} ${text.trim()}` }));
}

/** Returns the path of a change from the member that contains it. */
function getPathInMember({ path, member }: SchemaChange): string {
  return path.slice(member.path.length).replace(/^\.(?!\*)/, "");
}

function hasMembers(schema: Schema): boolean {
  return typeof schema === "object" && schema.properties !== undefined;
}
