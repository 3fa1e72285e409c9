import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import type { CommentCache } from "../jsdoc/comment-cache.js";
import { findCommentRanges, findTrailingComments } from "../jsdoc/comment-ranges.js";
import { parseComment } from "../jsdoc/doc-comment.js";
import { isTenonTag } from "../jsdoc/tags.js";
import { isPackageFile } from "../typescript/nodes.js";
import { ts } from "../typescript/typescript.js";

/**
 * Reports tags inside a declaration that nothing has read, although the comment of the declaration itself was read. They are
 * at a position where a comment describes no value, such as before the first type of a union inside `NonNullable<…>`, a type
 * parameter, or a member of an enum whose other members are valid too.
 */
export function reportUnreadTags(comments: CommentCache, collector: DiagnosticCollector): void {
  const nodes = comments.listNodes();
  const spans = nodes.flatMap((node) => listSpans(node)).filter((span) => mayHaveComment(span));
  if (spans.length === 0) return;
  const read = findReadComments(nodes, new Set(spans.map(({ file }) => file)));
  const report = collector.createReport();
  for (const span of spans) {
    for (const { pos, end } of listComments(span)) {
      const id = toId(span.file, pos);
      if (read.has(id)) continue;
      read.add(id);
      const tags = parseComment(span.file, pos, end).tags.flatMap((tag) => [tag, ...tag.tags]);
      for (const { name, start, end: tagEnd } of tags)
        // Editors show a deprecated member of an enum.
        if (
          (isTenonTag(name) || (span.isHead && name === "param")) &&
          !(name === "deprecated" && span.isEnum)
        )
          report(
            "constraint-tag-ignored",
            { file: span.file, start, end: tagEnd },
            { tag: name, position: span.isHead ? "head" : "inside" },
          );
    }
  }
}

/** A part of a declaration in which comments may describe nothing. */
interface Span {
  readonly file: ts.SourceFile;
  readonly pos: number;
  readonly end: number;
  /** The parts in which comments are read separately. */
  readonly parts?: readonly ts.Node[];
  readonly isEnum?: boolean;
  /** Whether the part is between a decorator or modifier and what follows it. */
  readonly isHead?: boolean;
}

function listSpans(node: ts.Node): Span[] {
  const file = node.getSourceFile();
  return isPackageFile(file) ? [] : [...listHeads(node, file), ...listTypeSpans(node, file)];
}

/** Lists the spaces after the decorators and modifiers of a declaration, up to its name. */
function listHeads(node: ts.Node, file: ts.SourceFile): Span[] {
  const { modifiers = [], name } = node as { modifiers?: readonly ts.Node[]; name?: ts.Node };
  return modifiers.flatMap(({ end }, index) => {
    const next = modifiers[index + 1] ?? name;
    return next ? [{ file, pos: end, end: next.getStart(file), isHead: true }] : [];
  });
}

/** Lists the text of a declaration from its start to the end of its type, of a method from its name, without its parameters. */
function listTypeSpans(node: ts.Node, file: ts.SourceFile): Span[] {
  const { type, typeParameters } = node as Partial<ts.SignatureDeclarationBase>;
  const parts = type ? listSeparateParts(type) : [];
  if (ts.isFunctionLike(node)) {
    const { name, parameters } = node;
    const { body } = node as Partial<ts.FunctionLikeDeclaration>;
    const end = type?.end ?? body?.getStart(file) ?? node.end;
    return [{ file, pos: name?.end ?? parameters.pos, end, parts: [...parameters, ...parts] }];
  }
  if (type) return [{ file, pos: node.getStart(file), end: type.end, parts }];
  const isEnum = ts.isEnumDeclaration(node);
  const list = isEnum ? node.members : typeParameters;
  return list ? [{ file, pos: list.pos, end: list.end, isEnum }] : [];
}

function mayHaveComment({ file, pos, end }: Span): boolean {
  return file.text.slice(pos, end).includes("/**");
}

function findReadComments(nodes: readonly ts.Node[], files: ReadonlySet<ts.SourceFile>): Set<string> {
  const read = new Set<string>();
  for (const node of nodes) {
    const file = node.getSourceFile();
    if (!files.has(file)) continue;
    for (const { pos } of [...findCommentRanges(node, file), ...findTrailingComments(node, file)])
      read.add(toId(file, pos));
  }
  return read;
}

function toId({ fileName }: ts.SourceFile, position: number): string {
  return `${fileName}:${position}`;
}

/** Lists the documentation comments of a span, except those inside its members and branches, which may be unused. */
function listComments({ file, pos, end, parts = [] }: Span): { pos: number; end: number }[] {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, false, file.languageVariant, file.text);
  scanner.setText(file.text, pos, end - pos);
  const found = [];
  while (scanner.scan() !== ts.SyntaxKind.EndOfFileToken) {
    const at = scanner.getTokenStart();
    const isInside = parts.some((part) => part.pos <= at && at < part.end);
    if (!isInside && /^\/\*\*[^/]/.test(scanner.getTokenText()))
      found.push({ pos: at, end: scanner.getTokenEnd() });
  }
  return found;
}

function listSeparateParts(node: ts.Node): ts.Node[] {
  if (ts.isTypeElement(node) || ts.isFunctionLike(node) || ts.isConditionalTypeNode(node)) return [node];
  const parts: ts.Node[] = [];
  ts.forEachChild(node, (child) => void parts.push(...listSeparateParts(child)));
  return parts;
}
