import { ts } from "../typescript/typescript.js";

/** Finds the documentation comments directly before a node, in the order in which they are written. */
export function findCommentRanges(node: ts.Node, file: ts.SourceFile): ts.CommentRange[] {
  const commented = findCommentedNode(node);
  if (commented.pos < 0) return [];
  for (const [pos, start] of getCommentSpaces(commented, file)) {
    const found = findDocComments(file.text, pos, start);
    if (found.length > 0) return found;
  }
  return [];
}

/** Returns the node that a comment precedes: for a variable, its statement. */
function findCommentedNode(node: ts.Node): ts.Node {
  if (!ts.isVariableDeclaration(node)) return node;
  return ts.isVariableStatement(node.parent.parent) ? node.parent.parent : node;
}

/** Returns the documentation comments between two positions, the second of which is the start of a node. */
function findDocComments(text: string, pos: number, start: number): ts.CommentRange[] {
  // Most nodes have no comment, and searching the text is faster than scanning it.
  const opening = text.indexOf("/**", pos);
  if (opening === -1 || opening >= start) return [];
  const leading = ts.getLeadingCommentRanges(text, pos) ?? [];
  // `{ city: string; /** Days */ days: number }`: TypeScript treats a comment on the line of its member as a trailing comment.
  const sameLine = (ts.getTrailingCommentRanges(text, pos) ?? []).filter(
    // At the start of a file, one comment is both trailing and leading.
    ({ pos: at, end }) => !/[\r\n]/.test(text.slice(end, start)) && leading.every((each) => each.pos !== at),
  );
  const ranges = [...sameLine, ...leading];
  return ranges.filter((range) => text.startsWith("/**", range.pos) && text[range.pos + 3] !== "/");
}

/**
 * Returns the ranges that may contain the comment of a node, the first of which has precedence. For the members of a mapped type, the
 * comment may be before the member, or inside the brackets: `{ [K in Name]: string }`.
 */
function getCommentSpaces(node: ts.Node, file: ts.SourceFile): [pos: number, start: number][] {
  const own: [number, number] = [node.pos, node.getStart(file)];
  const { parent } = node;
  if (parent !== undefined && ts.isMappedTypeNode(parent) && parent.typeParameter === node) {
    const member: [number, number] = [
      parent.getStart(file) + 1,
      parent.readonlyToken?.getStart(file) ?? node.pos - 1,
    ];
    return [member, own];
  }
  return [own];
}
