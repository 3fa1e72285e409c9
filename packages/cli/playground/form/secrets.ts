import type { JsonSchema } from "@tenon/runtime/manifest";
import { type Arguments, resolveSchema, toShape } from "./schema.js";

/** Returns whether a schema is that of a secret, such as a password. */
export function isSecret(schema: JsonSchema): boolean {
  return schema.writeOnly === true;
}

/**
 * Returns arguments without their secrets, and without anything that may have been meant as a secret, such as a member
 * with a misspelled name.
 *
 * @example
 * omitSecrets({ user: "ada", password: "hunter2" }, schema) // { user: "ada" }
 */
export function omitSecrets(value: Arguments, schema: JsonSchema): Arguments {
  if (!JSON.stringify(schema).includes('"writeOnly":true')) return value;
  return (omitFrom(value, schema, schema) ?? {}) as Arguments;
}

function omitFrom(value: unknown, given: JsonSchema, root: JsonSchema): unknown {
  const schema = resolveSchema(given, root);
  if (isSecret(schema) || value === undefined) return undefined;
  const shape = toShape(schema, root);
  switch (shape.type) {
    case "union":
      return shape.variants.reduce<unknown>((rest, variant) => omitFrom(rest, variant, root), value);
    case "object": {
      if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
      const known = new Map(shape.properties);
      const members = Object.entries(value).flatMap(([name, member]) => {
        const memberSchema = known.get(name) ?? shape.extra;
        const rest = memberSchema && omitFrom(member, memberSchema, root);
        return rest === undefined ? [] : [[name, rest] as const];
      });
      return Object.fromEntries(members);
    }
    case "list":
    case "tuple": {
      if (!Array.isArray(value)) return undefined;
      const itemSchema = (index: number): JsonSchema =>
        shape.type === "list" ? shape.items : (shape.items[index] ?? shape.rest ?? {});
      return value.map((item: unknown, index) => omitFrom(item, itemSchema(index), root) ?? null);
    }
    default:
      return typeof value === "object" && value !== null && shape.type !== "json" ? undefined : value;
  }
}
