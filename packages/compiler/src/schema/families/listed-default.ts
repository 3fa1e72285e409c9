import type { Conversion, JsonValue } from "@tenon/runtime/manifest";
import type { Definitions } from "../../json-schema/definitions.js";
import { findValueProblems } from "../../json-schema/value-problems.js";
import type { Constant } from "../../typescript/constant.js";

/**
 * Returns the JSON form of a default value, in which text represents a bigint.
 *
 * @param conversion the conversion of the argument's type
 * @param defs the definitions that the schema of the type refers to
 * @returns undefined if the server would not convert the text back to the bigint, as for `unknown`: the handler's own
 *   default then applies, but clients do not see it
 * @example
 * toListedDefault({ from: 1n }, { kind: "object", properties: { from: { kind: "bigint" } } }, {}) // { from: "1" }
 */
export function toListedDefault(
  value: Constant,
  conversion: Conversion | null | undefined,
  defs: Definitions,
): JsonValue | undefined {
  if (conversion?.kind === "union") {
    const text = toJson(value);
    const branch = conversion.branches.find(
      ({ when }) => findValueProblems(text, { schema: when }, defs).length === 0,
    );
    return toListedDefault(value, branch?.convert, defs);
  }
  if (typeof value === "bigint") return conversion?.kind === "bigint" ? String(value) : undefined;
  if (typeof value !== "object" || value === null) return value;
  const members: [string, JsonValue][] = [];
  for (const [name, each] of Object.entries(value)) {
    const listed = toListedDefault(each, findMemberConversion(conversion, name), defs);
    if (listed === undefined) return undefined;
    members.push([name, listed]);
  }
  return Array.isArray(value) ? members.map(([, listed]) => listed) : Object.fromEntries(members);
}

/** Writes every bigint as text. */
function toJson(value: Constant): JsonValue {
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(toJson);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, toJson(each)]));
}

/** Returns the conversion of a member or an item, if it depends on the name or the position alone. */
function findMemberConversion(
  conversion: Conversion | null | undefined,
  name: string,
): Conversion | null | undefined {
  if (conversion?.kind === "array") return conversion.items;
  if (conversion?.kind === "tuple" && conversion.last === undefined)
    return Number(name) < conversion.items.length ? conversion.items[Number(name)] : conversion.rest;
  if (conversion?.kind !== "object" || conversion.patterns !== undefined) return undefined;
  return Object.hasOwn(conversion.properties, name) ? conversion.properties[name] : conversion.additional;
}
