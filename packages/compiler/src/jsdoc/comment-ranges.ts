import { ts } from "../typescript/typescript.js";

/** Finds the documentation comments directly before a node, in the order in which they are written. */
export function findCommentRanges(node: ts.Node, file: ts.SourceFile): ts.CommentRange[] {
  const commented = findCommentedNode(node);
  if (commented.pos < 0) return [];
  for (const [pos, start] of getCommentSpaces(commented, file)) {
    const found = findDocComments(file.text, pos, start, isAfterOpening(commented, file));
    if (found.length > 0) return found;
  }
  return [];
}

/**
 * Finds the documentation comments between a declaration and the end of its line or of the list that it is in, as in
 * `count: number; /** Days *\/`. They describe nothing: TypeScript assigns them neither to this declaration nor to the
 * next one.
 */
export function findTrailingComments(node: ts.Node, { text }: ts.SourceFile): ts.CommentRange[] {
  if (ts.isTypeNode(node)) return [];
  return listEnds(node, text).flatMap((end) => {
    // Most declarations have no comment after them, and searching the text is faster than scanning it.
    if (!/^[ \t]*\/\*\*/.test(text.slice(end, end + MAX_SPACES))) return [];
    return (ts.getTrailingCommentRanges(text, end) ?? []).filter(
      (range) => isDocComment(text, range) && /^\s*(?:[\r\n,;)}\]]|$)/.test(text.slice(range.end)),
    );
  });
}

/** Maximum number of characters in which a comment after a declaration begins. */
export const MAX_SPACES = 100;

/** Returns where a declaration ends, before and after its semicolon or comma, which belongs to a member but not to a parameter. */
export function listEnds(node: ts.Node, text: string): number[] {
  const comma = /^\s{0,100},/.exec(text.slice(node.end, node.end + MAX_SPACES))?.[0].length;
  if (comma !== undefined) return [node.end, node.end + comma];
  if (!/[;,]/.test(text.charAt(node.end - 1))) return [node.end];
  let last = node;
  ts.forEachChild(node, (child) => void (last = child));
  return [last.end, node.end];
}

/** Returns the node that a comment precedes: for a variable, its statement. */
export function findCommentedNode(node: ts.Node): ts.Node {
  if (!ts.isVariableDeclaration(node)) return node;
  return ts.isVariableStatement(node.parent.parent) ? node.parent.parent : node;
}

/** Returns the documentation comments between two positions, the second of which is the start of a node. */
function findDocComments(text: string, pos: number, start: number, mayEndLine: boolean): ts.CommentRange[] {
  // Most nodes have no comment, and searching the text is faster than scanning it.
  const opening = text.indexOf("/**", pos);
  if (opening === -1 || opening >= start) return [];
  const leading = ts.getLeadingCommentRanges(text, pos) ?? [];
  // `{ city: string; /** Days */ days: number }`: TypeScript treats a comment on the line of its member as a trailing comment.
  const sameLine = (ts.getTrailingCommentRanges(text, pos) ?? []).filter(
    // At the start of a file, one comment is both trailing and leading.
    ({ pos: at, end }) =>
      (mayEndLine || !/[\r\n]/.test(text.slice(end, start))) && leading.every((each) => each.pos !== at),
  );
  const ranges = [...sameLine, ...leading];
  return ranges.filter((range) => isDocComment(text, range));
}

/** Returns whether a comment that ends the line before a node can only describe the node, as in `days: /** … *\/` or `({ /** … *\/`. */
function isAfterOpening(node: ts.Node, { text }: ts.SourceFile): boolean {
  const before = text.charAt(node.pos - 1);
  return "{([<".includes(before) || (ts.isTypeNode(node) && ":=|&".includes(before));
}

/** Returns whether a comment is documentation. */
export function isDocComment(text: string, { pos }: ts.CommentRange): boolean {
  return text.startsWith("/**", pos) && text[pos + 3] !== "/";
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
