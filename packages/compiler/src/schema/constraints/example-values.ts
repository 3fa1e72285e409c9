import type { JsonSchema, JsonValue } from "@tenon/runtime/manifest";
import type { DocTag } from "../../jsdoc/doc-comment.js";
import { readValues } from "../../jsdoc/tag-values.js";
import { accepts } from "../../json-schema/accepts.js";
import { ts } from "../../project/typescript.js";
import { rangeOf, type Constraint, type Target } from "./constraint.js";

export const defaultValue: Constraint = (schema, tag, target) => {
  if (tag.text === "undefined") return schema;
  const value = fittingValue(schema, tag, target);
  if (value) return { ...schema, default: value.value };
  const { derivation, place, type } = target;
  derivation.report("constraint-default-does-not-fit", rangeOf(tag), {
    where: derivation.where(place),
    value: tag.text,
    type: derivation.show(type),
  });
  return schema;
};

export const example: Constraint = (schema, tag, target) => {
  if (!tag.text) return schema;
  const value = fittingValue(schema, tag, target);
  if (value) return { ...schema, examples: [...(schema.examples ?? []), value.value] };
  const { derivation, place, type } = target;
  derivation.report("constraint-example-does-not-fit", rangeOf(tag), {
    where: derivation.where(place),
    value: tag.text.split("\n")[0] ?? "",
    type: derivation.show(type),
  });
  return schema;
};

/** The first reading of the tag's text that the type allows: `@default 5` on a string is `"5"`. */
function fittingValue(
  schema: JsonSchema,
  tag: DocTag,
  { derivation, type }: Target,
): { value: JsonValue } | undefined {
  const member = enumMember(tag.text, type);
  const candidates = member === undefined ? readValues(tag.text) : [member];
  const fitting = candidates.find((value) => accepts(schema, value, derivation.defs));
  return fitting === undefined ? undefined : { value: fitting };
}

/** `@default Units.Metric` names a member of the enum that the type is. */
function enumMember(text: string, type: ts.Type): string | number | undefined {
  const written = /^(\w+)\.(\w+)$/.exec(text);
  if (!written) return undefined;
  for (const each of type.isUnion() ? type.types : [type]) {
    if (!each.isStringLiteral() && !each.isNumberLiteral()) continue;
    const member = each.symbol?.valueDeclaration;
    if (!member || !ts.isEnumMember(member) || each.symbol.name !== written[2]) continue;
    if (member.parent.name.text === written[1]) return each.value;
  }
  return undefined;
}
