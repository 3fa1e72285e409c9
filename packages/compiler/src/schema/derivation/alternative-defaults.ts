import type { JsonSchema } from "@tenon/runtime/manifest";
import { mapSchema } from "../../json-schema/walk.js";

/**
 * Moves the default of an alternative to its union, where it applies: that of `Count` in `Count | string`. If several
 * alternatives have different defaults, none applies, so none is listed.
 *
 * @example
 * moveAlternativeDefaults({ anyOf: [{ type: "number", default: 5 }, { type: "string", format: "date" }] })
 * // { anyOf: [{ type: "number" }, { type: "string", format: "date" }], default: 5 }
 */
export function moveAlternativeDefaults(schema: JsonSchema): JsonSchema {
  return mapSchema(schema, (each) => {
    const { anyOf } = each;
    const defaults = anyOf?.flatMap((one) => (one.default === undefined ? [] : [one.default])) ?? [];
    const [first] = defaults;
    if (anyOf === undefined || first === undefined) return each;
    const isOnly = defaults.every((one) => JSON.stringify(one) === JSON.stringify(first));
    return {
      ...(isOnly && { default: first }),
      ...each,
      anyOf: anyOf.map(({ default: _default, ...rest }) => rest),
    };
  });
}
