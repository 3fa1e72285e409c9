import type { JsonSchema, JsonTypeName } from "@tenon/runtime/manifest";
import type { Report, SourceRange } from "../../diagnostics/diagnostic.js";
import type { DocTag } from "../../jsdoc/doc-comment.js";
import type { SchemaFragment } from "../../json-schema/fragment.js";
import type { ts } from "../../typescript/typescript.js";
import type { Derivation, TypeSite } from "../derivation/derivation.js";

/** The constrained type, for diagnostics. */
export interface Target {
  type: ts.Type;
  site: TypeSite;
  derivation: Derivation;
  /** The function that reports diagnostics about the tag. It ignores those in packages, which authors cannot fix. */
  report: Report;
}

/** The function that applies one tag to the schema of a fragment. */
export type Constraint = (
  schema: JsonSchema,
  tag: DocTag,
  target: Target,
  fragment: SchemaFragment,
) => JsonSchema;

/** The types that a tag applies to, with their names in JSON Schema and in diagnostics. */
export interface FittingTypes {
  types: readonly JsonTypeName[];
  plural: string;
}

export const NUMBERS: FittingTypes = { types: ["number", "integer"], plural: "numbers" };
export const STRINGS: FittingTypes = { types: ["string"], plural: "strings" };
export const ARRAYS: FittingTypes = { types: ["array"], plural: "arrays" };
/** The limits of files are not keywords: see `file-limits.ts`. */
export const FILES: FittingTypes = { types: [], plural: "files" };

/** Adds keywords to the schema if it has one of the types, or else to its alternatives that have one. */
export function constrain(
  schema: JsonSchema,
  { types, plural }: FittingTypes,
  keywords: JsonSchema | ((branch: JsonSchema) => JsonSchema),
  tag: DocTag,
  { type, site, derivation, report }: Target,
  fragment: SchemaFragment,
): JsonSchema {
  const matches = (branch: JsonSchema): boolean => hasType(branch, types, fragment);
  const add = (branch: JsonSchema): JsonSchema => ({
    ...branch,
    ...(typeof keywords === "function" ? keywords(branch) : keywords),
  });
  if (matches(schema)) return add(schema);
  if (schema.anyOf?.some((branch) => matches(branch))) {
    // In `"none" | string[]` and `0 | Port`, constraints do not apply to a choice next to open values of its type.
    const isOpen = (branch: JsonSchema): boolean => matches(branch) && branch.enum === undefined;
    const constrained = schema.anyOf.some((branch) => isOpen(branch)) ? isOpen : matches;
    return { ...schema, anyOf: schema.anyOf.map((branch) => (constrained(branch) ? add(branch) : branch)) };
  }
  report("constraint-does-not-fit", getTagRange(tag), {
    tag: tag.name,
    where: derivation.describeSite(site),
    type: derivation.formatType(type),
    fits: plural,
  });
  return schema;
}

/** Returns whether {@link constrain} can add keywords for these types to the schema, or to one of its alternatives. */
export function canConstrain(schema: JsonSchema, { types }: FittingTypes, fragment: SchemaFragment): boolean {
  return [schema, ...(schema.anyOf ?? [])].some((branch) => hasType(branch, types, fragment));
}

function hasType(
  schema: JsonSchema,
  types: readonly JsonTypeName[],
  { conversion }: SchemaFragment,
): boolean {
  // A `Date` is a string on the wire, but not to the author.
  const isConverted = types.includes("string") && conversion !== undefined && conversion.kind !== "union";
  return !isConverted && [schema.type ?? []].flat().some((name) => types.includes(name));
}

/** Reports a tag with an invalid value, and returns the schema unchanged. */
export function reportInvalid(
  schema: JsonSchema,
  tag: DocTag,
  { report }: Target,
  expected: string,
): JsonSchema {
  report("constraint-value-invalid", getTagRange(tag), { tag: tag.name, value: tag.text, expected });
  return schema;
}

/** Returns the range of a tag in its file, for a diagnostic. */
export function getTagRange(tag: DocTag): SourceRange {
  return { file: tag.file, start: tag.start, end: tag.end };
}
