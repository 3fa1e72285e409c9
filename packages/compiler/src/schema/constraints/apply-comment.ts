import type { JsonSchema } from "@tenon/runtime/manifest";
import type { Report } from "../../diagnostics/diagnostic.js";
import type { DocComment, DocTag } from "../../jsdoc/doc-comment.js";
import { isSchemaTag, type SchemaTag } from "../../jsdoc/tags.js";
import { NEVER, UNSUPPORTED, type SchemaFragment } from "../../json-schema/fragment.js";
import { LIMITS } from "../../json-schema/keywords.js";
import { findValueProblems } from "../../json-schema/value-problems.js";
import type { ts } from "../../typescript/typescript.js";
import type { Derivation, TypeSite } from "../derivation/derivation.js";
import { constrain, FILES, getTagRange, reportInvalid, type Constraint, type Target } from "./constraint.js";
import { addFileLimit } from "./file-limits.js";
import { defaultValue, example, withFittingValues } from "./example-values.js";
import { header } from "./header.js";
import { isPackageFile } from "../../typescript/nodes.js";
import { isCertain } from "./certain-tags.js";
import { addBigintLimit, describeLimits } from "./bigint-limits.js";
import { applyValueFormat } from "./value-format.js";
import { integer, isFlagWithText, LIMIT_CONSTRAINTS } from "./limits.js";

/** Reports a file limit on a type that is not a file. */
const fileLimit: Constraint = (schema, tag, target, fragment) =>
  constrain(schema, FILES, {}, tag, target, fragment);

/** The function of each tag that changes the schema of the constrained type. */
const CONSTRAINTS: Record<SchemaTag, Constraint> = {
  ...LIMIT_CONSTRAINTS,
  integer,
  maxSize: fileLimit,
  accept: fileLimit,
  default: defaultValue,
  example,
  header,
  // `writeOnly` is JSON Schema's keyword for values that are sent but never shown.
  secret: (schema, tag, target) => {
    const { derivation, site, report } = target;
    if (isFlagWithText(tag)) reportInvalid(schema, tag, target, "nothing after it");
    if (derivation.direction === "input") return { ...schema, writeOnly: true };
    report("secret-returned", getTagRange(tag), { where: derivation.describeSite(site) });
    return schema;
  },
  title: (schema, tag, target) =>
    tag.text ? { ...schema, title: tag.text } : reportInvalid(schema, tag, target, "text"),
  deprecated: (schema) => ({ ...schema, deprecated: true }),
};

/** Tags that depend on the constrained type, and so are applied after the tags that constrain it. */
const LATE_TAGS: ReadonlySet<string> = new Set(["example", "default", "header"]);

/**
 * Adds a comment's description, constraints, default, and examples to a fragment. Every tag is checked against the
 * type, and reported if it does not fit.
 */
export function applyComment(
  fragment: SchemaFragment,
  comment: DocComment | undefined,
  type: ts.Type,
  site: TypeSite,
  derivation: Derivation,
): SchemaFragment {
  if (!comment || fragment === UNSUPPORTED || fragment === NEVER) return fragment;
  reportIgnoredTags(comment, derivation.report);
  const target: Target = { type, site, derivation, report: derivation.report };
  const isLate = ({ name }: DocTag): boolean => LATE_TAGS.has(name);
  const tags = [...comment.tags].sort((a, b) => Number(isLate(a)) - Number(isLate(b)));
  let current = fragment;
  for (const tag of tags) {
    reportUnusedTag(tag, derivation.report);
    if (!isSchemaTag(tag.name)) continue;
    const isForeign = isPackageFile(tag.file);
    if (isForeign && !isCertain(tag, current, type)) continue;
    current = applyTag(current, tag, tag.name, isForeign ? { ...target, report: () => undefined } : target);
  }
  let { schema } = current;
  if (comment.text || current.conversion !== fragment.conversion) {
    const text = [comment.text, ...(fragment.note === undefined ? [] : [fragment.note])].join("\n\n");
    const description = comment.text ? text : schema.description;
    schema = { ...schema, ...describeLimits(description, current, fragment) };
  }
  if (schema === fragment.schema) return current;
  checkBounds(schema, site, derivation);
  checkChoices(schema, site, derivation);
  // The default and examples of the type itself were checked without this comment's constraints.
  const { default: given, examples } = fragment.schema;
  if (given !== undefined || examples) schema = withFittingValues({ ...current, schema }, site.node, target);
  return { ...current, schema: wrapReference(schema) };
}

function applyTag(fragment: SchemaFragment, tag: DocTag, name: SchemaTag, target: Target): SchemaFragment {
  const converted =
    name === "format"
      ? applyValueFormat(fragment, tag, target)
      : (addBigintLimit(fragment, tag, target) ?? addFileLimit(fragment, tag, target));
  if (converted) return converted;
  const schema = CONSTRAINTS[name](fragment.schema, tag, target, fragment);
  return schema === fragment.schema ? fragment : { ...fragment, schema };
}

/** Moves a `$ref` into `anyOf` if it has siblings: next to a `$ref`, clients accept only a description. */
function wrapReference(schema: JsonSchema): JsonSchema {
  const { $ref, description, ...rest } = schema;
  if ($ref === undefined || Object.keys(rest).length === 0) return schema;
  return { ...(description !== undefined && { description }), anyOf: [{ $ref }], ...rest };
}

/** The pairs of limits between which there may be no value. */
const BOUNDS = [
  ["minimum", "maximum"],
  ["minimum", "exclusiveMaximum"],
  ["exclusiveMinimum", "maximum"],
  ["exclusiveMinimum", "exclusiveMaximum"],
  ["minLength", "maxLength"],
  ["minItems", "maxItems"],
] as const;

function checkBounds(schema: JsonSchema, site: TypeSite, derivation: Derivation): void {
  for (const [low, high] of BOUNDS) {
    const [lower, upper] = [schema[low], schema[high]];
    if (lower === undefined || upper === undefined) continue;
    const [excludesLower, excludesUpper] = [low, high].map((name) => name.startsWith("exclusive"));
    const isPossible =
      schema.type === "integer"
        ? (excludesLower ? Math.floor(lower) + 1 : Math.ceil(lower)) <=
          (excludesUpper ? Math.ceil(upper) - 1 : Math.floor(upper))
        : lower < upper || (lower === upper && !excludesLower && !excludesUpper);
    if (isPossible) continue;
    derivation.report("constraint-contradiction", site.node, {
      where: derivation.describeSite(site),
      lower: `${lower < upper ? "integer, " : ""}${low} ${lower}`,
      upper: `${high} ${upper}`,
    });
  }
}

/** Reports a limit that none of the choices satisfies. */
function checkChoices(
  { enum: choices, ...schema }: JsonSchema,
  site: TypeSite,
  derivation: Derivation,
): void {
  if (choices === undefined) return;
  const limit = LIMITS.find(
    (name) =>
      schema[name] !== undefined &&
      choices.every((choice) => {
        const own: JsonSchema = { [name]: schema[name] };
        return findValueProblems(choice, { schema: own }, {}).length > 0;
      }),
  );
  if (limit === undefined) return;
  derivation.report("constraint-contradiction", site.node, {
    where: derivation.describeSite(site),
    lower: choices.map((choice) => JSON.stringify(choice)).join(" | "),
    upper: `${limit} ${String(schema[limit])}`,
  });
}

/**
 * Warns about tags without an effect: misspelled tags, tags in running text, tags that a later one replaces, tags
 * of a comment that another one follows, and tags of a comment after the declaration.
 */
export function reportIgnoredTags(comment: DocComment, report: Report): void {
  for (const { name, reason, suggestion, ...range } of comment.ignoredTags) {
    if (isPackageFile(range.file)) continue;
    if (reason === "ignored") report("constraint-tag-ignored", range, { tag: name });
    else if (reason === "trailing" || reason === "plain")
      report("constraint-tag-ignored", range, { tag: name, position: reason });
    else if (reason === "replaced") report("constraint-tag-replaced", range, { tag: name });
    else if (reason === "earlier") report("constraint-tag-replaced", range, { tag: name, by: "comment" });
    else report("constraint-tag-unknown", range, { tag: name, suggestion });
  }
}

/** The values to which tags with a single use apply, by tag. */
const APPLIES_TO: Readonly<Record<string, string>> = {
  mimeType: "the content of a resource",
  param: "the parameters of a method",
  property: "types that are written in comments",
  prop: "types that are written in comments",
  enumNames: "the choices of a form, which `ctx.elicit` shows to the user",
};

/** Reports a tag that has no effect on a schema. */
export function reportUnusedTag(tag: DocTag, report: Report): void {
  const appliesTo = APPLIES_TO[tag.name];
  if (appliesTo !== undefined && !isPackageFile(tag.file))
    report("constraint-misplaced", getTagRange(tag), { tag: tag.name, appliesTo });
}
