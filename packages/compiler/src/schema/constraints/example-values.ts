import { CHECKED_FORMATS, type JsonSchema, type JsonValue } from "@tenon/runtime/manifest";
import { readDate } from "@tenon/runtime/value-problems";
import type { SourceRange } from "../../diagnostics/diagnostic.js";
import type { DocTag } from "../../jsdoc/doc-comment.js";
import { readLiteral, readValues, unquoteCode } from "../../jsdoc/tag-values.js";
import { resolveTarget } from "../../json-schema/definitions.js";
import { findValueProblems, describeProblem } from "../../json-schema/value-problems.js";
import type { SchemaFragment } from "../../json-schema/fragment.js";
import { ts } from "../../typescript/typescript.js";
import { getTagRange, reportInvalid, type Constraint, type Target } from "./constraint.js";

/** Applies `@default 5`: the value applies if a caller omits the argument. */
export const defaultValue: Constraint = (schema, tag, target, fragment) => {
  if (tag.text === "undefined") return schema;
  if (tag.text === "") {
    target.report("constraint-value-invalid", getTagRange(tag), {
      tag: tag.name,
      value: "",
      expected: "a value of the type, as JSON",
    });
    return schema;
  }
  const value = readFitting(fragment, tag, target, "default");
  return value === undefined ? schema : { ...schema, default: value };
};

/** Applies `@example Oslo`, one of the values that the schema lists as examples. */
export const example: Constraint = (schema, tag, target, fragment) => {
  if (!tag.text) return reportInvalid(schema, tag, target, "a value of the type");
  const value = readFitting(fragment, tag, target, "example");
  return value === undefined ? schema : { ...schema, examples: [...(schema.examples ?? []), value] };
};

/**
 * Reports and removes the schema's own default and examples that do not satisfy it. A type may have a default, and a
 * property of that type a constraint.
 *
 * @param at the node of the constraint
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

/** The role of a value. */
type Role = "default" | "example";

/**
 * Returns whether a server would accept a default or an example from a client. Reports a value that it would reject, unless the only
 * problem is members that the type does not declare.
 */
export function isFitting(
  value: JsonValue,
  fragment: SchemaFragment,
  at: ts.Node,
  target: Target,
  role: Role,
): boolean {
  const problems = findValueProblems(value, fragment, target.derivation.defs);
  if (problems.length === 0) return true;
  // TypeScript accepts a variable with more members than the type has. The method receives them, but no client can send them.
  if (problems.every(({ keyword }) => keyword === "additionalProperties")) return false;
  reportUnfitting(JSON.stringify(value), describeProblem(problems), at, target, role);
  return false;
}

/** Returns the first interpretation of the tag's text that the type allows. */
function readFitting(
  fragment: SchemaFragment,
  tag: DocTag,
  target: Target,
  role: Role,
): JsonValue | undefined {
  const member = findEnumMember(tag.text, target.type);
  const read = (): JsonValue[] =>
    role === "default" ? readDefault(tag, fragment, target) : readValues(tag.text);
  const readings = (member === undefined ? read() : [member]).map((value) => ({
    value,
    problems: findValueProblems(value, fragment, target.derivation.defs),
  }));
  const fitting = readings.find(({ problems }) => problems.length === 0);
  if (fitting) return fitting.value;
  // An interpretation of the correct type yields the better reason.
  const reasons = readings.flatMap(({ problems }) => describeProblem(problems) ?? []);
  const isText = findValueProblems(tag.text, fragment, target.derivation.defs).length === 0;
  reportUnfitting(tag.text.split("\n")[0] ?? "", reasons[0], getTagRange(tag), target, role, isText);
  return undefined;
}

/**
 * Returns the possible values of a `@default`, most literal first. Text without quotes counts only if the type shows
 * that it is a value: `@default process.cwd()` on a `string` is an expression or prose, and must not become the value.
 */
function readDefault(
  { text, file }: DocTag,
  { schema }: SchemaFragment,
  { derivation: { defs } }: Target,
): JsonValue[] {
  if (WRITES_BARE_TEXT.test(file.text.slice(0, MAX_HEADER_CHARACTERS))) return readValues(text);
  const bare = unquoteCode(text);
  const literal = readLiteral(text)?.value;
  const written = typeof literal === "string" ? literal : bare;
  const alternatives = [schema, ...(schema.anyOf ?? [])].map((each) => resolveTarget(each, defs));
  const texts = alternatives.flatMap((alternative): JsonValue[] => {
    const { enum: choices, pattern, format } = alternative;
    if (choices !== undefined) return choices.includes(bare) ? [bare] : [];
    if (pattern === undefined && !CHECKED_FORMATS.includes(format as never)) return [];
    const date = readDate(format, written);
    return findValueProblems(date, { schema: alternative }, defs).length === 0 ? [date] : [bare];
  });
  return [...(literal === undefined ? [] : [literal]), ...texts];
}

/** The header of files whose generator writes the default of a string without quotes. */
const WRITES_BARE_TEXT = /auto-generated by openapi-typescript/;

/** Maximum length of the header of a generated file. */
const MAX_HEADER_CHARACTERS = 500;

function reportUnfitting(
  value: string,
  problem: string | undefined,
  at: ts.Node | SourceRange,
  { derivation, site, type, report }: Target,
  role: Role,
  isText = false,
): void {
  report(role === "default" ? "constraint-default-does-not-fit" : "constraint-example-does-not-fit", at, {
    where: derivation.describeSite(site),
    value,
    type: derivation.formatType(type),
    ...(problem !== undefined && { problem }),
    ...(isText && { isText }),
  });
}

/** Returns the value of the enum member that a string such as `Units.Metric` names. */
export function findEnumMember(text: string, type: ts.Type): string | number | undefined {
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
