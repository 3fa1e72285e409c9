import type { ScalarKind } from "@tenon/runtime/manifest";
import { withoutAnnotations } from "../json-schema/annotations.js";
import type { SchemaFragment } from "../json-schema/fragment.js";
import { mapSchema } from "../json-schema/walk.js";

/**
 * Kinds of values that one text can stand for, each pair under one of its two: most texts are patterns, and the digits of
 * a bigint are base64. A kind that has no row here does not compile.
 */
const ALIKE: Record<ScalarKind, readonly ScalarKind[]> = {
  regexp: ["date", "day", "url", "bigint", "bytes"],
  bytes: ["bigint"],
  date: [],
  day: [],
  url: [],
  bigint: [],
};

/**
 * The first two alternatives of which the same JSON would be read as one value or as another, such as `string[]` and
 * `Set<string>`. Beside text, what is written as text stays text, so that nothing has to be told apart.
 *
 * @returns their places; undefined when JSON tells all of them apart, as far as is certain
 */
export function alikeAlternatives(fragments: readonly SchemaFragment[]): [number, number] | undefined {
  const hasText = fragments.some(
    ({ schema, conversion }) => !conversion && schema.type === "string" && !schema.enum,
  );
  for (const [index, first] of fragments.entries()) {
    const other = fragments.findIndex(
      (second, at) => at > index && (areTexts(first, second) ? !hasText : haveOneForm(first, second)),
    );
    if (other >= 0) return [index, other];
  }
  return undefined;
}

function areTexts({ conversion: first }: SchemaFragment, { conversion: second }: SchemaFragment): boolean {
  if (!first || !second) return false;
  const rows: Readonly<Record<string, readonly string[]>> = ALIKE;
  const has = (kind: string, other: string): boolean => rows[kind]?.includes(other) === true;
  return has(first.kind, second.kind) || has(second.kind, first.kind);
}

/** The same schema, but for what says only how often a value may occur, and not the same conversion. */
function haveOneForm(first: SchemaFragment, second: SchemaFragment): boolean {
  const [a, b] = [first, second].map(({ conversion }) => JSON.stringify(conversion));
  return a !== b && formOf(first) === formOf(second);
}

function formOf({ schema }: SchemaFragment): string {
  return JSON.stringify(mapSchema(withoutAnnotations(schema), ({ uniqueItems: _unique, ...each }) => each));
}
