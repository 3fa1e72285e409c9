import type { DocComment, DocTag } from "./doc-comment.js";

/** Returns the part of a function's comment about one of its parameters: `@param city City name`. */
export function findParameterComment(
  comment: DocComment | undefined,
  matches: (written: string) => boolean,
): DocComment | undefined {
  for (const tag of comment?.tags ?? []) {
    const documented = tag.name === "param" ? readParameterTag(tag) : undefined;
    if (documented && matches(documented.name))
      return { text: documented.text, tags: tag.tags, ignoredTags: [] };
  }
  return undefined;
}

/** Reads `{string} [city=Oslo] - City name`, without the type and default, which TypeScript already knows. */
export function readParameterTag(tag: DocTag): { name: string; text: string } | undefined {
  const match =
    /^(?:\{(?:[^{}]|\{[^{}]*\})*\}\s*)?(?:\[\s*([\p{ID_Continue}$.[\]]+?)\s*(?:=[^\]]*)?\]|`?(?:\.\.\.)?([\p{ID_Continue}$.[\]]+)`?)/u.exec(
      tag.text,
    );
  const name = match?.[1] ?? match?.[2];
  if (!match || name === undefined) return undefined;
  return {
    name,
    text: tag.text
      .slice(match[0].length)
      .replace(/^\s*(?:-|–|—|:)?[^\S\n]*\n?/, "")
      .trimEnd(),
  };
}
