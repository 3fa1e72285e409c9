/**
 * Tags in comments that do not begin with `/**`, and are therefore not documentation. They have no effect.
 * @module
 */
import { ts } from "../typescript/typescript.js";
import { findCommentedNode, isDocComment, listEnds, MAX_SPACES } from "./comment-ranges.js";
import { isConstraintTag } from "./tags.js";

/** A tag that has no effect: the `@` and the name. */
interface PlainTag {
  name: string;
  reason: "plain";
  file: ts.SourceFile;
  start: number;
  end: number;
}

/** Finds the constraint tags at the start of a line in the plain comments before and after a declaration. */
export function findPlainTags(node: ts.Node, file: ts.SourceFile): PlainTag[] {
  return findPlainComments(node, file).flatMap(({ pos, end }) =>
    [...file.text.slice(pos, end).matchAll(/(?<=^[\s/*]*)@([a-zA-Z]+)\b/gm)].flatMap(
      ({ 0: { length }, 1: name = "", index }): PlainTag[] =>
        isConstraintTag(name)
          ? [{ name, reason: "plain", file, start: pos + index, end: pos + index + length }]
          : [],
    ),
  );
}

function findPlainComments(node: ts.Node, file: ts.SourceFile): ts.CommentRange[] {
  if (ts.isTypeNode(node)) return [];
  const { text } = file;
  const { pos, end } = findCommentedNode(node);
  const ranges = [
    ...(pos >= 0 && /^\s*\/[/*]/.test(text.slice(pos, end))
      ? (ts.getLeadingCommentRanges(text, pos) ?? [])
      : []),
    ...listEnds(node, text).flatMap((at) =>
      /^[ \t]*\/[/*]/.test(text.slice(at, at + MAX_SPACES))
        ? (ts.getTrailingCommentRanges(text, at) ?? [])
        : [],
    ),
  ];
  return ranges.filter((range) => !isDocComment(text, range));
}
