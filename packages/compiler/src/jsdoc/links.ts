/**
 * Converts links in comments to their text, because readers of a schema cannot follow links to declarations.
 * @module
 */
import type { DocComment, DocTag } from "./doc-comment.js";
import { isSchemaTag } from "./tags.js";

/** Replaces links in the text of a comment. Values, such as those of `@example` and `@pattern`, stay unchanged. */
export function withPlainLinks(comment: DocComment): DocComment {
  const isUnchanged =
    !hasLink(comment.text) &&
    !comment.tags.flatMap((tag) => [tag, ...tag.tags]).some(({ text }) => hasLink(text));
  if (isUnchanged) return comment;
  return { ...comment, text: toPlainLinks(comment.text), tags: comment.tags.map(withPlainTag) };
}

function withPlainTag(tag: DocTag): DocTag {
  const isValue = isSchemaTag(tag.name) && !["title", "deprecated"].includes(tag.name);
  return { ...tag, text: isValue ? tag.text : toPlainLinks(tag.text), tags: tag.tags.map(withPlainTag) };
}

function hasLink(text: string): boolean {
  return text.includes("{@link");
}

/**
 * Replaces links in a string with the text that they show. The address of a page follows its label. Code stays unchanged.
 *
 * @example
 * toPlainLinks("See {@link parse | the parser} and {@link https://json.org JSON}.")
 * // "See the parser and JSON (https://json.org)."
 */
function toPlainLinks(text: string): string {
  if (!hasLink(text)) return text;
  return text.replaceAll(
    CODE_OR_LINK,
    (found, code: string | undefined, before = "", target = "", after = "") => {
      if (code !== undefined) return found;
      const label = (before || after).replaceAll(/\s+/g, " ");
      if (!label) return target;
      return /^https?:\/\//.test(target) && label !== target ? `${label} (${target})` : label;
    },
  );
}

/** Code, or a link: `{@link target}`, `{@link target label}`, `{@link target | label}`, `[label]{@link target}`. */
const CODE_OR_LINK =
  /(```[^]*?```|~~~[^]*?~~~|`[^`\n]*`)|(?:\[([^\][]+)\])?\{@link(?:code|plain)?\s+([^\s|{}]+)(?:\s*\|\s*|\s+)?([^\s{}][^{}]*?)?\s*\}/g;
