import type { JsonSchema, JsonTypeName, JsonValue } from "@tenon/runtime/manifest";
import { ts } from "../project/typescript.js";
import type { Report, SourceRange } from "../diagnostics/diagnostic.js";
import { accepts } from "../json-schema/accepts.js";
import { NEVER, REFUSED, type Derivation, type Part, type Place } from "./derivation.js";
import { isKnownFormat, formatType, nearestFormat } from "../json-schema/formats.js";
import type { DocComment, DocTag } from "../jsdoc/doc-comment.js";
import { markHeader } from "./arguments/header-mark.js";
import { readNumber, readPattern, readValues } from "../jsdoc/tag-values.js";

/** What a tag needs besides itself: the type it stands on, for the words of a diagnostic. */
export interface Target {
  type: ts.Type;
  place: Place;
  derivation: Derivation;
}

type Apply = (schema: JsonSchema, tag: DocTag, target: Target, part: Part) => JsonSchema;

const NUMBERS = "numbers";
const STRINGS = "strings";
const ARRAYS = "arrays";

const TAGS: Record<string, Apply> = {
  minimum: numeric,
  maximum: numeric,
  exclusiveMinimum: numeric,
  exclusiveMaximum: numeric,
  multipleOf: numeric,
  minLength: count("string", STRINGS),
  maxLength: count("string", STRINGS),
  minItems: count("array", ARRAYS),
  maxItems: count("array", ARRAYS),
  uniqueItems: (schema, tag, target, part) =>
    on(schema, ["array"], ARRAYS, { uniqueItems: true }, tag, target, part),
  integer,
  pattern,
  format,
  default: defaultValue,
  example,
  header: (schema, tag, target) => markHeader(schema, tag, target),
  // JSON Schema's own word for what is sent and never shown again.
  secret: (schema, _tag, { derivation }) =>
    derivation.direction === "input" ? { ...schema, writeOnly: true } : schema,
  title: (schema, tag) => (tag.text ? { ...schema, title: tag.text } : schema),
  deprecated: (schema) => ({ ...schema, deprecated: true }),
};

/**
 * A part with what a comment says about it: description, constraints, default, examples. Every tag is checked
 * against the type; one that does not fit is a diagnostic at the tag.
 */
export function applyComment(
  part: Part,
  comment: DocComment | undefined,
  type: ts.Type,
  place: Place,
  derivation: Derivation,
): Part {
  if (!comment || part === REFUSED || part === NEVER) return part;
  reportDoubtful(comment, derivation.report);
  const target: Target = { type, place, derivation };
  let { schema } = part;
  // Examples and headers are of the constrained type, so they come last.
  const tags = [...comment.tags].sort((a, b) => rank(a) - rank(b));
  for (const tag of tags) {
    const apply = Object.hasOwn(TAGS, tag.name) ? TAGS[tag.name] : undefined;
    if (apply) schema = apply(schema, tag, target, part);
  }
  if (comment.text) schema = { ...schema, description: comment.text };
  if (schema === part.schema) return part;
  checkBounds(schema, place, derivation);
  return { ...part, schema: besideRef(schema) };
}

function rank(tag: DocTag): number {
  return ["example", "default", "header"].includes(tag.name) ? 1 : 0;
}

/** Beside a `$ref`, clients take a description and nothing more. */
function besideRef(schema: JsonSchema): JsonSchema {
  const { $ref, description, ...rest } = schema;
  if ($ref === undefined || Object.keys(rest).length === 0) return schema;
  return { ...(description !== undefined && { description }), anyOf: [{ $ref }], ...rest };
}

/** Adds keywords to the schema, or to those of its alternatives, that are of one of the types. */
function on(
  schema: JsonSchema,
  types: readonly JsonTypeName[],
  fits: string,
  keywords: JsonSchema | ((branch: JsonSchema) => JsonSchema),
  tag: DocTag,
  { type, place, derivation }: Target,
  part: Part,
): JsonSchema {
  // What looks like a string on the wire is none to the author when it stands for a `Date`.
  const isConverted =
    types.includes("string") && part.conversion !== undefined && part.conversion.kind !== "union";
  const matches = (branch: JsonSchema): boolean =>
    !isConverted && !branch.prefixItems && [branch.type ?? []].flat().some((name) => types.includes(name));
  const add = (branch: JsonSchema): JsonSchema => ({
    ...branch,
    ...(typeof keywords === "function" ? keywords(branch) : keywords),
  });
  if (matches(schema)) return add(schema);
  if (schema.anyOf?.some((branch) => matches(branch))) {
    return { ...schema, anyOf: schema.anyOf.map((branch) => (matches(branch) ? add(branch) : branch)) };
  }
  derivation.report("constraint-does-not-fit", rangeOf(tag), {
    tag: tag.name,
    where: derivation.where(place),
    type: derivation.show(type),
    fits,
  });
  return schema;
}

function numeric(schema: JsonSchema, tag: DocTag, target: Target, part: Part): JsonSchema {
  const value = readNumber(tag.text);
  if (value === undefined || (tag.name === "multipleOf" && value <= 0)) {
    return invalid(schema, tag, target, tag.name === "multipleOf" ? "a number above 0" : "a number");
  }
  return on(schema, ["number", "integer"], NUMBERS, { [tag.name]: value }, tag, target, part);
}

function count(name: JsonTypeName, fits: string): Apply {
  return (schema, tag, target, part) => {
    const value = readNumber(tag.text);
    if (value === undefined || value < 0 || !Number.isInteger(value)) {
      return invalid(schema, tag, target, "a whole number from 0");
    }
    return on(schema, [name], fits, { [tag.name]: value }, tag, target, part);
  };
}

/** Also on the number of a union: `number | "auto"`. */
function integer(schema: JsonSchema, tag: DocTag, target: Target, part: Part): JsonSchema {
  const narrow = (branch: JsonSchema): JsonSchema => {
    const names = [branch.type ?? []].flat().map((name) => (name === "number" ? "integer" : name));
    const [only] = names;
    return { type: names.length === 1 && only ? only : names };
  };
  return on(schema, ["number", "integer"], NUMBERS, narrow, tag, target, part);
}

function pattern(schema: JsonSchema, tag: DocTag, target: Target, part: Part): JsonSchema {
  const value = readPattern(tag.text);
  if (value === undefined) return invalid(schema, tag, target, "a regular expression without flags");
  // A template literal type has a pattern already, and both must hold.
  const both = (branch: JsonSchema): JsonSchema => ({
    pattern:
      branch.pattern === undefined || branch.pattern === value
        ? value
        : `(?=[\\s\\S]*?(?:${value}))${branch.pattern}`,
  });
  return on(schema, ["string"], STRINGS, both, tag, target, part);
}

function format(schema: JsonSchema, tag: DocTag, target: Target, part: Part): JsonSchema {
  const name = tag.text.replaceAll(/^[`"']|[`"']$/g, "");
  if (!/^[\w.+-]+$/.test(name)) return invalid(schema, tag, target, "the name of a format, such as `email`");
  if (!isKnownFormat(name)) {
    const nearest = nearestFormat(name);
    target.derivation.report("constraint-format-unknown", rangeOf(tag), {
      format: name,
      ...(nearest && { nearest }),
    });
  }
  const isOfNumber = formatType(name) === "number";
  const types: JsonTypeName[] = isOfNumber ? ["number", "integer"] : ["string"];
  return on(schema, types, isOfNumber ? NUMBERS : STRINGS, { format: name }, tag, target, part);
}

function defaultValue(schema: JsonSchema, tag: DocTag, target: Target): JsonSchema {
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
}

function example(schema: JsonSchema, tag: DocTag, target: Target): JsonSchema {
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
}

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

function invalid(schema: JsonSchema, tag: DocTag, { derivation }: Target, expected: string): JsonSchema {
  derivation.report("constraint-value-invalid", rangeOf(tag), { tag: tag.name, value: tag.text, expected });
  return schema;
}

const BOUNDS = [
  ["minimum", "maximum"],
  ["minLength", "maxLength"],
  ["minItems", "maxItems"],
] as const;

function checkBounds(schema: JsonSchema, place: Place, derivation: Derivation): void {
  for (const [low, high] of BOUNDS) {
    const [least, most] = [schema[low], schema[high]];
    if (schema.prefixItems || least === undefined || most === undefined || least <= most) continue;
    derivation.report("constraint-contradiction", place.node, {
      where: derivation.where(place),
      lower: `${low} ${least}`,
      upper: `${high} ${most}`,
    });
  }
}

/** Words after an `@` that are no tags, but near one. */
export function reportDoubtful(comment: DocComment, report: Report): void {
  for (const { name, nearest, ...range } of comment.doubtful) {
    report("constraint-tag-unknown", range, { tag: name, nearest });
  }
}

/** A tag in its file, for a diagnostic. */
export function rangeOf(tag: DocTag): SourceRange {
  return { file: tag.file, start: tag.start, end: tag.end };
}
