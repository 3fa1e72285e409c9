import type { JsonSchema } from "@tenon/runtime/manifest";
import {
  createChange,
  createFewerAndMore,
  type CompareKeywords,
  type Location,
  type SchemaChange,
  type SchemaPair,
} from "./schema-change.js";

/** Compares `properties` and `required`, member by member. */
export const compareMembers: CompareKeywords = (pair) => {
  const { before, after } = pair;
  const names = new Set([
    ...Object.keys(before.properties ?? {}),
    ...Object.keys(after.properties ?? {}),
    ...(before.required ?? []),
    ...(after.required ?? []),
  ]);
  return [...names].flatMap((name) => compareMember(pair, name));
};

function compareMember(pair: SchemaPair, name: string): SchemaChange[] {
  const { before, after, compare } = pair;
  const [wasPresent, isPresent] = [hasMember(before, name), hasMember(after, name)];
  const [wasRequired, isRequired] = [isRequiredIn(before, name), isRequiredIn(after, name)];
  const at = getMemberLocation(pair, name);
  // The schema for other members applies to a member without its own schema.
  const others = wasPresent ? getOtherMembers(after) : getOtherMembers(before);
  if (wasPresent !== isPresent && typeof others === "boolean")
    return wasPresent
      ? [
          ...(others ? [] : [createChange("fewer", at, "was removed", "removed")]),
          ...(others || wasRequired ? [createChange("more", at, "was removed", "removed")] : []),
        ]
      : describeNewMember(at, others, isRequired);
  const [earlier, current] = [
    wasPresent ? getMemberSchema(before, name) : others,
    isPresent ? getMemberSchema(after, name) : others,
  ];
  return [
    ...(isRequired && !wasRequired ? [createChange("fewer", at, "is now required", "required")] : []),
    ...(wasRequired && !isRequired ? [createChange("more", at, "is now optional", "optional")] : []),
    ...(wasPresent || isPresent ? compare(earlier, current, at) : []),
  ];
}

/**
 * Creates the changes for a new member.
 *
 * @param wasAllowed whether a member of this name could have any value before
 */
function describeNewMember(at: Location, wasAllowed: boolean, isRequired: boolean): SchemaChange[] {
  const presence = isRequired ? "new and required" : "new";
  const message = isRequired ? "is new and required" : "is new";
  return [
    ...(isRequired || wasAllowed ? [createChange("fewer", at, message, presence)] : []),
    ...(wasAllowed ? [] : [createChange("more", at, message, presence)]),
  ];
}

/** Returns the location of a member. Members of the whole value, or of a member that has members before and after, are reported separately. */
function getMemberLocation({ before, after, path, member }: SchemaPair, name: string): Location {
  const memberPath = path === "" ? name : `${path}.${name}`;
  const isOfMember = member.before === before && member.after === after;
  const isNamed = hasMember(before, name) || hasMember(after, name);
  if (!isOfMember || !isNamed || !before.properties || !after.properties) return { path: memberPath, member };
  return {
    path: memberPath,
    member: {
      path: memberPath,
      parent: member,
      before: getMemberSchema(before, name),
      after: getMemberSchema(after, name),
      isRequired: isRequiredIn(after, name),
    },
  };
}

/** Compares `additionalProperties`: the members that an object may have in addition to the named ones. */
export const compareOtherMembers: CompareKeywords = ({ before, after, compare, path, member }) => {
  const [earlier, current] = [getOtherMembers(before), getOtherMembers(after)];
  if (earlier === false && current === false) return [];
  if (current === false) return [createChange("fewer", { path, member }, "can no longer have other members")];
  const changes = earlier === false ? [] : compare(earlier, current, { path: `${path}.*`, member });
  return earlier === false ? [createChange("more", { path, member }, "may now have other members")] : changes;
};

/** Compares `items` and `prefixItems`: an item without its own schema must fit the schema of the others. */
export const compareItems: CompareKeywords = ({ before, after, compare, path, member }) => {
  const [othersBefore, othersAfter] = [before.items ?? true, after.items ?? true];
  const [earlier, current] = [before.prefixItems ?? [], after.prefixItems ?? []];
  // The comparison of `maxItems` reports items that only one of the lists can have.
  const length = Math.min(
    Math.max(earlier.length, current.length),
    before.maxItems ?? Infinity,
    after.maxItems ?? Infinity,
  );
  const itemChanges = Array.from({ length }, (_, index) =>
    compare(earlier[index] ?? othersBefore, current[index] ?? othersAfter, {
      path: `${path}[${index}]`,
      member,
    }),
  );
  const hasOthers =
    (before.maxItems ?? Infinity) > earlier.length && (after.maxItems ?? Infinity) > current.length;
  return [
    ...(hasOthers ? compare(othersBefore, othersAfter, { path: `${path}[]`, member }) : []),
    ...itemChanges.flat(),
  ];
};

/** Reports keywords whose values are not compared, since Tenon derives them from no type. */
export const reportDifferentKeywords: CompareKeywords = (at, keywords) =>
  keywords.flatMap((keyword) => createFewerAndMore(at, `has a different \`${keyword}\``));

/** Returns the schema of members without their own schema, or true if any value is allowed. */
function getOtherMembers({ additionalProperties = true }: JsonSchema): JsonSchema | boolean {
  const isAnything =
    typeof additionalProperties === "object" && Object.keys(additionalProperties).length === 0;
  return isAnything || additionalProperties;
}

function getMemberSchema(schema: JsonSchema, name: string): JsonSchema | undefined {
  return hasMember(schema, name) ? schema.properties?.[name] : undefined;
}

function hasMember({ properties }: JsonSchema, name: string): boolean {
  return properties !== undefined && Object.hasOwn(properties, name);
}

function isRequiredIn({ required }: JsonSchema, name: string): boolean {
  return required?.includes(name) ?? false;
}
