import type { JsonSchema, JsonTypeName } from "@tenon/runtime/manifest";
import type { Report, SourceRange } from "../../diagnostics/diagnostic.js";
import type { DocTag } from "../../jsdoc/doc-comment.js";
import type { SchemaFragment } from "../../json-schema/fragment.js";
import type { ts } from "../../project/typescript.js";
import type { Derivation, TypeSite } from "../derivation.js";

/** The type that a tag constrains, for diagnostics. */
export interface Target {
  type: ts.Type;
  site: TypeSite;
  derivation: Derivation;
  /** Where diagnostics about the tag go: nobody can mend a comment of a package. */
  report: Report;
}

/** What one tag makes of the schema of a fragment. */
export type Constraint = (
  schema: JsonSchema,
  tag: DocTag,
  target: Target,
  fragment: SchemaFragment,
) => JsonSchema;

/** The types that a tag is for, as JSON Schema and as diagnostics name them. */
export interface FittingTypes {
  types: readonly JsonTypeName[];
  plural: string;
}

export const NUMBERS: FittingTypes = { types: ["number", "integer"], plural: "numbers" };
export const STRINGS: FittingTypes = { types: ["string"], plural: "strings" };
export const ARRAYS: FittingTypes = { types: ["array"], plural: "arrays" };

/** Adds keywords to the schema, or to those of its alternatives, that are of one of the types. */
export function constrain(
  schema: JsonSchema,
  { types, plural }: FittingTypes,
  keywords: JsonSchema | ((branch: JsonSchema) => JsonSchema),
  tag: DocTag,
  { type, site, derivation, report }: Target,
  fragment: SchemaFragment,
): JsonSchema {
  // A `Date` is a string on the wire, but not to the author.
  const isConverted =
    types.includes("string") && fragment.conversion !== undefined && fragment.conversion.kind !== "union";
  const matches = (branch: JsonSchema): boolean =>
    !isConverted && !branch.prefixItems && [branch.type ?? []].flat().some((name) => types.includes(name));
  const add = (branch: JsonSchema): JsonSchema => ({
    ...branch,
    ...(typeof keywords === "function" ? keywords(branch) : keywords),
  });
  if (matches(schema)) return add(schema);
  if (schema.anyOf?.some((branch) => matches(branch))) {
    // `"none" | string[]`, `0 | Port`: a choice beside other values of its type is not to be constrained with them.
    const isOpen = (branch: JsonSchema): boolean => matches(branch) && branch.enum === undefined;
    const constrained = schema.anyOf.some((branch) => isOpen(branch)) ? isOpen : matches;
    return { ...schema, anyOf: schema.anyOf.map((branch) => (constrained(branch) ? add(branch) : branch)) };
  }
  report("constraint-does-not-fit", rangeOf(tag), {
    tag: tag.name,
    where: derivation.where(site),
    type: derivation.show(type),
    fits: plural,
  });
  return schema;
}

/** Reports a tag whose text is not what it takes, and leaves the schema as it is. */
export function invalid(schema: JsonSchema, tag: DocTag, { report }: Target, expected: string): JsonSchema {
  report("constraint-value-invalid", rangeOf(tag), { tag: tag.name, value: tag.text, expected });
  return schema;
}

/** A tag in its file, for a diagnostic. */
export function rangeOf(tag: DocTag): SourceRange {
  return { file: tag.file, start: tag.start, end: tag.end };
}
