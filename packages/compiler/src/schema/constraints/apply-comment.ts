import type { JsonSchema } from "@tenon/runtime/manifest";
import type { Report } from "../../diagnostics/diagnostic.js";
import type { DocComment, DocTag } from "../../jsdoc/doc-comment.js";
import type { SchemaTag } from "../../jsdoc/tags.js";
import { NEVER, UNSUPPORTED, type SchemaFragment } from "../../json-schema/fragment.js";
import type { ts } from "../../project/typescript.js";
import type { Derivation, TypeSite } from "../derivation.js";
import { ARRAYS, STRINGS, type Constraint, type Target } from "./constraint.js";
import { defaultValue, example, withFittingValues } from "./example-values.js";
import { header } from "./header.js";
import { isPackageFile } from "../../project/nodes.js";
import { isCertain } from "./certain-tags.js";
import { bigintLimit, describeLimits } from "./bigint-limits.js";
import { valueFormat } from "./value-format.js";
import { counting, format, integer, numeric, pattern, uniqueItems } from "./limits.js";

/** How each tag changes the schema of the type that it constrains. */
const CONSTRAINTS: Record<SchemaTag, Constraint> = {
  minimum: numeric,
  maximum: numeric,
  exclusiveMinimum: numeric,
  exclusiveMaximum: numeric,
  multipleOf: numeric,
  minLength: counting(STRINGS),
  maxLength: counting(STRINGS),
  minItems: counting(ARRAYS),
  maxItems: counting(ARRAYS),
  uniqueItems,
  integer,
  pattern,
  format,
  default: defaultValue,
  example,
  header,
  // JSON Schema's own word for what is sent and never shown again.
  secret: (schema, _tag, { derivation }) =>
    derivation.direction === "input" ? { ...schema, writeOnly: true } : schema,
  title: (schema, tag) => (tag.text ? { ...schema, title: tag.text } : schema),
  deprecated: (schema) => ({ ...schema, deprecated: true }),
};

function isSchemaTag(name: string): name is SchemaTag {
  return Object.hasOwn(CONSTRAINTS, name);
}

/** Tags about the constrained type: they come after those that constrain it. */
const LATE: ReadonlySet<string> = new Set(["example", "default", "header"]);

/**
 * A fragment with what a comment says about it: description, constraints, default, examples. Every tag is checked
 * against the type; one that does not fit is a diagnostic at the tag.
 */
export function applyComment(
  fragment: SchemaFragment,
  comment: DocComment | undefined,
  type: ts.Type,
  site: TypeSite,
  derivation: Derivation,
): SchemaFragment {
  if (!comment || fragment === UNSUPPORTED || fragment === NEVER) return fragment;
  reportUnreadTags(comment, derivation.report);
  const target: Target = { type, site, derivation, report: derivation.report };
  const isLate = ({ name }: DocTag): boolean => LATE.has(name);
  const tags = [...comment.tags].sort((a, b) => Number(isLate(a)) - Number(isLate(b)));
  let current = fragment;
  for (const tag of tags) {
    if (!isSchemaTag(tag.name)) continue;
    const isForeign = isPackageFile(tag.file);
    if (isForeign && !isCertain(tag, current, type)) continue;
    current = constrained(
      current,
      tag,
      tag.name,
      isForeign ? { ...target, report: () => undefined } : target,
    );
  }
  let { schema } = current;
  if (comment.text || current.conversion !== fragment.conversion) {
    schema = { ...schema, ...describeLimits(comment.text || schema.description, current, fragment) };
  }
  if (schema === fragment.schema) return current;
  checkBounds(schema, site, derivation);
  // The default and examples of the type itself were checked without the constraints of this comment.
  const { default: given, examples } = fragment.schema;
  if (given !== undefined || examples) schema = withFittingValues({ ...current, schema }, site.node, target);
  return { ...current, schema: besideRef(schema) };
}

function constrained(fragment: SchemaFragment, tag: DocTag, name: SchemaTag, target: Target): SchemaFragment {
  const ofValue = name === "format" ? valueFormat(fragment, tag, target) : bigintLimit(fragment, tag, target);
  if (ofValue) return ofValue;
  const schema = CONSTRAINTS[name](fragment.schema, tag, target, fragment);
  return schema === fragment.schema ? fragment : { ...fragment, schema };
}

/** Beside a `$ref`, clients take a description and nothing more. */
function besideRef(schema: JsonSchema): JsonSchema {
  const { $ref, description, ...rest } = schema;
  if ($ref === undefined || Object.keys(rest).length === 0) return schema;
  return { ...(description !== undefined && { description }), anyOf: [{ $ref }], ...rest };
}

type Least = Extract<SchemaTag, `min${string}`>;
type Most = Extract<SchemaTag, `max${string}`>;

/** For each tag that says the least there may be, the one for the most. */
const BOUNDS: Readonly<Record<Least, Most>> = {
  minimum: "maximum",
  minLength: "maxLength",
  minItems: "maxItems",
};

function checkBounds(schema: JsonSchema, site: TypeSite, derivation: Derivation): void {
  for (const [low, high] of Object.entries(BOUNDS) as [Least, Most][]) {
    const [least, most] = [schema[low], schema[high]];
    if (schema.prefixItems || least === undefined || most === undefined || least <= most) continue;
    derivation.report("constraint-contradiction", site.node, {
      where: derivation.where(site),
      lower: `${low} ${least}`,
      upper: `${high} ${most}`,
    });
  }
}

/** Warns of what is nearly a tag, and of tags without the text that they want: both were read as text. */
export function reportUnreadTags(comment: DocComment, report: Report): void {
  for (const { name, suggestion, ...range } of comment.unreadTags) {
    if (isPackageFile(range.file)) continue;
    if (suggestion === undefined) report("constraint-tag-unread", range, { tag: name });
    else report("constraint-tag-unknown", range, { tag: name, suggestion });
  }
}
