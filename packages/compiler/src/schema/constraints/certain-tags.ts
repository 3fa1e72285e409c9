/**
 * Comments in packages are written for people and other tools: `@default process.cwd()` describes their code, and
 * `@pattern singleton` does not name a regular expression. A tag there counts only if its meaning is unambiguous.
 * @module
 */
import type { JsonSchema } from "@tenon/runtime/manifest";
import type { DocTag } from "../../jsdoc/doc-comment.js";
import { readLiteral, readNumber } from "../../jsdoc/tag-values.js";
import { isKnownFormat } from "../../json-schema/formats.js";
import type { SchemaFragment } from "../../json-schema/fragment.js";
import type { ts } from "../../typescript/typescript.js";
import { findEnumMember } from "./example-values.js";

/** Returns whether a tag in a package's comment means the same as it would in a comment of the author. */
export function isCertain({ name, text }: DocTag, { schema }: SchemaFragment, type: ts.Type): boolean {
  switch (name) {
    case "default":
    case "example":
      return isLiteralOrChoice(text, schema) || findEnumMember(text, type) !== undefined;
    case "pattern":
      return /^(?:\^|\/.*\/$|`\^)|\$$/s.test(text);
    case "format":
      return isKnownFormat(text);
    case "integer":
    case "uniqueItems":
    case "secret":
      return text === "";
    case "header":
    case "maxSize":
    case "accept":
      return false;
    case "title":
    case "deprecated":
      return true;
    default:
      return readNumber(text) !== undefined;
  }
}

/** Returns whether a string is a literal of the type, or one of its choices. */
function isLiteralOrChoice(text: string, schema: JsonSchema): boolean {
  const literal = readLiteral(text);
  const alternatives = [schema, ...(schema.anyOf ?? [])];
  if (!literal) return alternatives.some((each) => each.enum?.includes(text) === true);
  // On a string, `@default 5` in prose may refer to its length or to a count.
  const { value } = literal;
  return typeof value === "string" || !alternatives.every((each) => each.type === "string");
}
