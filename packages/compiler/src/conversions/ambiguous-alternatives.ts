import {
  BIGINT_PATTERN,
  isScalarConversion,
  type JsonSchema,
  type ScalarKind,
} from "@tenon/runtime/manifest";
import { withoutAnnotations } from "../json-schema/annotations.js";
import type { SchemaFragment } from "../json-schema/fragment.js";
import { includes } from "../json-schema/includes.js";
import { mapSchema } from "../json-schema/walk.js";

/**
 * Kinds of values that the same text can represent. Each pair is listed under one of its kinds: most strings are
 * valid patterns, and the digits of a bigint are valid base64. A kind without a row is a compile error.
 */
const AMBIGUOUS_KINDS: Record<ScalarKind, readonly ScalarKind[]> = {
  regexp: ["date", "day", "url", "bigint", "bytes"],
  bytes: ["bigint"],
  file: ["date", "day", "url", "bigint", "bytes", "regexp"],
  date: [],
  day: [],
  url: [],
  bigint: [],
};

/**
 * Finds the first two alternatives that the same JSON can represent, such as `string[]` and `Set<string>`, or text and
 * `Date`.
 *
 * @returns their indexes, first the one whose value the handler receives; undefined if JSON distinguishes all of them, or
 *   may do so
 */
export function findAmbiguousAlternatives(
  fragments: readonly SchemaFragment[],
): [number, number] | undefined {
  const text = fragments.findIndex(isText);
  if (text >= 0) {
    const other = fragments.findIndex(({ conversion }) => conversion && isScalarConversion(conversion));
    // Plain text absorbs the other alternative. With a constraint, the first one that fits is used.
    if (other >= 0) return isPlain(fragments[text]) || text < other ? [text, other] : [other, text];
  }
  const forms = fragments.map(toForm);
  for (const [index, first] of forms.entries()) {
    const other = forms.findIndex(
      (second, at) => at > index && (areAmbiguousStrings(first, second) || haveSameJson(first, second)),
    );
    if (other >= 0) return [index, other];
  }
  return undefined;
}

/** Returns whether a schema allows any string, with at most a limit on its length. */
function isText({ schema, conversion }: SchemaFragment): boolean {
  const { type = [], enum: values, pattern, format } = schema;
  return !conversion && [type].flat().includes("string") && !values && pattern === undefined && !format;
}

function isPlain(fragment: SchemaFragment | undefined): boolean {
  return fragment !== undefined && Object.keys(withoutAnnotations(fragment.schema)).length === 1;
}

/** An alternative in the forms in which it is compared with each of the others. */
interface Form extends SchemaFragment {
  converted: string | undefined;
  json: JsonSchema;
  text: string;
  plainText: string;
}

function toForm(fragment: SchemaFragment): Form {
  const json = toJsonForm(fragment.schema);
  return {
    ...fragment,
    converted: JSON.stringify(fragment.conversion),
    json,
    text: JSON.stringify(json),
    plainText: JSON.stringify(toPlainTexts(json)),
  };
}

function areAmbiguousStrings({ conversion: first }: Form, { conversion: second }: Form): boolean {
  if (!first || !second) return false;
  const rows: Readonly<Record<string, readonly string[]>> = AMBIGUOUS_KINDS;
  const has = (kind: string, other: string): boolean => rows[kind]?.includes(other) === true;
  return has(first.kind, second.kind) || has(second.kind, first.kind);
}

/**
 * Returns whether two alternatives have different conversions, although JSON does not distinguish them: the first accepts
 * all JSON of the second, or they differ only in their strings, such as `Date[]` and `string[]`.
 */
function haveSameJson(first: Form, second: Form): boolean {
  if (first.converted === second.converted) return false;
  return includes(first.json, second.json) || first.plainText === second.text;
}

function toJsonForm(schema: JsonSchema): JsonSchema {
  return mapSchema(withoutAnnotations(schema), ({ uniqueItems: _unique, ...each }) => each);
}

/** Replaces the schemas of dates, bytes, and other values that are written as text with that of text. */
function toPlainTexts(schema: JsonSchema): JsonSchema {
  return mapSchema(schema, (each) =>
    TEXT_FORMATS.has(each.format ?? "") ||
    each.contentEncoding !== undefined ||
    each.pattern === BIGINT_PATTERN
      ? TEXT
      : each,
  );
}

const TEXT: JsonSchema = { type: "string" };

const TEXT_FORMATS: ReadonlySet<string> = new Set(["date-time", "date", "uri", "byte", "regex"]);
