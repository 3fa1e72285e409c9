import type { JsonSchema, JsonValue } from "@tenon/runtime/manifest";
import type { SourceRange } from "../../diagnostics/diagnostic.js";
import type { DocTag } from "../../jsdoc/doc-comment.js";
import { readValues } from "../../jsdoc/tag-values.js";
import { problemsOf, reasonOf } from "../../json-schema/value-problems.js";
import type { SchemaFragment } from "../../json-schema/fragment.js";
import { ts } from "../../project/typescript.js";
import { rangeOf, type Constraint, type Target } from "./constraint.js";

export const defaultValue: Constraint = (schema, tag, target, fragment) => {
  if (tag.text === "undefined") return schema;
  const value = readFitting(fragment, tag, target, "default");
  return value === undefined ? schema : { ...schema, default: value };
};

export const example: Constraint = (schema, tag, target, fragment) => {
  if (!tag.text) return schema;
  const value = readFitting(fragment, tag, target, "example");
  return value === undefined ? schema : { ...schema, examples: [...(schema.examples ?? []), value] };
};

/**
 * The schema without its own default and examples where they do not satisfy it, which is reported: a type may have a
 * default, and a property of that type a constraint.
 *
 * @param at where the constraint is
 */
export function withFittingValues(fragment: SchemaFragment, at: ts.Node, target: Target): JsonSchema {
  const { schema } = fragment;
  const { default: given, examples = [], ...rest } = schema;
  const fits = (value: JsonValue, role: Role): boolean => isFitting(value, fragment, at, target, role);
  const isDefaultFitting = given === undefined || fits(given, "default");
  const fitting = examples.filter((each) => fits(each, "example"));
  if (isDefaultFitting && fitting.length === examples.length) return schema;
  return {
    ...rest,
    ...(given !== undefined && isDefaultFitting && { default: given }),
    ...(fitting.length > 0 && { examples: fitting }),
  };
}

/** What a value is given for. */
type Role = "default" | "example";

/** Whether a server would accept a default or an example. Reported where it would not. */
export function isFitting(
  value: JsonValue,
  fragment: SchemaFragment,
  at: ts.Node,
  target: Target,
  role: Role,
): boolean {
  const problems = problemsOf(value, fragment, target.derivation.defs);
  if (problems.length === 0) return true;
  reportUnfitting(JSON.stringify(value), reasonOf(problems), at, target, role);
  return false;
}

/** The first reading of the tag's text that the type allows: `@default 5` on a string is `"5"`. */
function readFitting(
  fragment: SchemaFragment,
  tag: DocTag,
  target: Target,
  role: Role,
): JsonValue | undefined {
  const member = enumMember(tag.text, target.type);
  const readings = (member === undefined ? readValues(tag.text) : [member]).map((value) => ({
    value,
    problems: problemsOf(value, fragment, target.derivation.defs),
  }));
  const fitting = readings.find(({ problems }) => problems.length === 0);
  if (fitting) return fitting.value;
  // A reading of the right type gives the better reason.
  const reasons = readings.flatMap(({ problems }) => reasonOf(problems) ?? []);
  reportUnfitting(tag.text.split("\n")[0] ?? "", reasons[0], rangeOf(tag), target, role);
  return undefined;
}

function reportUnfitting(
  value: string,
  problem: string | undefined,
  at: ts.Node | SourceRange,
  { derivation, site, type, report }: Target,
  role: Role,
): void {
  report(role === "default" ? "constraint-default-does-not-fit" : "constraint-example-does-not-fit", at, {
    where: derivation.where(site),
    value,
    type: derivation.show(type),
    ...(problem !== undefined && { problem }),
  });
}

/** `@default Units.Metric` names a member of the enum that the type is. */
export function enumMember(text: string, type: ts.Type): string | number | undefined {
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
