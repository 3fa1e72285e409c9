/**
 * Comments in packages are written for people and for other tools: `@default process.cwd()` says what their code does,
 * and `@pattern singleton` is no regular expression. A tag there counts only where it can mean nothing else.
 * @module
 */
import type { JsonSchema } from "@tenon/runtime/manifest";
import type { DocTag } from "../../jsdoc/doc-comment.js";
import { readLiteral, readNumber } from "../../jsdoc/tag-values.js";
import { isKnownFormat } from "../../json-schema/formats.js";
import type { SchemaFragment } from "../../json-schema/fragment.js";
import type { ts } from "../../project/typescript.js";
import { enumMember } from "./example-values.js";

/** Whether a tag in the comment of a package says what it would say in one of the author's. */
export function isCertain({ name, text }: DocTag, { schema }: SchemaFragment, type: ts.Type): boolean {
  switch (name) {
    case "default":
    case "example":
      return isValue(text, schema) || enumMember(text, type) !== undefined;
    case "pattern":
      return /^(?:\^|\/.*\/$|`\^)|\$$/s.test(text);
    case "format":
      return isKnownFormat(text);
    case "integer":
    case "uniqueItems":
    case "secret":
      return text === "";
    case "header":
      return false;
    case "title":
    case "deprecated":
      return true;
    default:
      return readNumber(text) !== undefined;
  }
}

/** A literal of the type itself, or one of the choices that it has. */
function isValue(text: string, schema: JsonSchema): boolean {
  const literal = readLiteral(text);
  const alternatives = [schema, ...(schema.anyOf ?? [])];
  if (!literal) return alternatives.some((each) => each.enum?.includes(text) === true);
  // `@default 5` on a string is prose for its length, or for how often.
  const { value } = literal;
  return typeof value === "string" || !alternatives.every((each) => each.type === "string");
}
