import { Node } from "ts-morph";
import type { ts } from "../project/typescript.js";
import { catalogue, type DiagnosticCode, type ParametersOf } from "./catalogue.js";

export type { DiagnosticCode } from "./catalogue.js";

/** One thing the author should know, as plain data. Collected, never thrown. */
export interface Diagnostic {
  /** Permanent; explained in ERRORS.md. `typescript` for TypeScript's own errors. */
  code: DiagnosticCode;
  severity: "error" | "warning";
  /** What is wrong and why, in the author's words. */
  message: string;
  /** The edit to make. */
  hint?: string;
  /** What the problem belongs to, where it belongs to one declaration. */
  declaration?: DeclarationName;
  span?: SourceSpan;
}

export interface DeclarationName {
  kind: "tool" | "prompt" | "resource" | "resource template";
  name: string;
}

/** A range of source text, with the lines around it so that it can be shown without the file. */
export interface SourceSpan {
  /** Relative to the project folder, with forward slashes. */
  file: string;
  /** Line and column count from 1; columns count UTF-16 units, as editors do. `end` is exclusive. */
  start: { line: number; column: number };
  end: { line: number; column: number };
  /** The spanned lines with up to two lines of context on either side; `firstLine` counts from 1. */
  excerpt: { firstLine: number; lines: string[] };
}

/** A range of a file that is no node of its own, such as a tag in a comment. */
export interface SourceRange {
  file: ts.SourceFile;
  start: number;
  /** Exclusive. */
  end: number;
}

/** What a diagnostic can point at. Nodes may be ts-morph's or the compiler's own. */
export type SourceLocation = Node | ts.Node | SourceRange | SourceSpan;

/**
 * Collects diagnostics for one declaration (or for none). `code` decides which parameters are wanted; a
 * wrong name is a compile error.
 *
 * @example
 * report("type-not-serializable", node, { path: "forecast → since", type: "Map<string, Date>" })
 */
export type Report = <Code extends DiagnosticCode>(
  code: Code,
  at: SourceLocation | undefined,
  parameters: ParametersOf<Code>,
) => void;

/** The same, without the diagnostics of one code: what they say is no matter here. */
export function withoutCode(report: Report, code: DiagnosticCode): Report {
  return (each, at, parameters) => {
    if (each !== code) report(each, at, parameters);
  };
}

/** Where the reports of one compilation end up. */
export interface DiagnosticCollector {
  readonly diagnostics: Diagnostic[];
  /** Declarations with an error of their own, which cannot be served. Two may have one name, so they are compared by identity. */
  readonly refused: ReadonlySet<DeclarationName>;
  /** A `Report` whose diagnostics carry the declaration's name. */
  reporter(declaration?: DeclarationName): Report;
}

/** `root` is the project folder (absolute); spans are relative to it. */
export function createCollector(root: string): DiagnosticCollector {
  const diagnostics: Diagnostic[] = [];
  const refused = new Set<DeclarationName>();
  const seen = new Set<string>();
  return {
    diagnostics,
    refused,
    reporter: (declaration) => (code, at, parameters) => {
      // The catalogue's functions take exactly the parameters of their own code; TypeScript cannot relate the two.
      const entry = catalogue[code] as {
        severity: "error" | "warning";
        message: (parameters: unknown) => string;
        hint?: (parameters: unknown) => string | undefined;
      };
      const diagnostic: Diagnostic = { code, severity: entry.severity, message: entry.message(parameters) };
      const hint = entry.hint?.(parameters);
      if (hint) diagnostic.hint = hint;
      if (declaration) diagnostic.declaration = declaration;
      if (declaration && entry.severity === "error") refused.add(declaration);
      if (at) diagnostic.span = spanAt(at, root);
      // The same type reached twice is one problem to its author. A warning about a shared type names the first
      // declaration that uses it; an error is reported for each, since each is refused.
      const told = entry.severity === "warning" && diagnostic.span ? "" : diagnostic.message;
      const key = JSON.stringify([code, told, diagnostic.span?.file, diagnostic.span?.start]);
      if (seen.has(key) || isExplained(diagnostic, diagnostics)) return;
      seen.add(key);
      diagnostics.push(diagnostic);
    },
  };
}

const ABOUT_IMPORTS: ReadonlySet<DiagnosticCode> = new Set([
  "import-not-found",
  "import-not-exported",
  "runtime-not-installed",
]);

/** A type that is not found because of an import is told where the import is, once. */
function isExplained({ code, span }: Diagnostic, earlier: readonly Diagnostic[]): boolean {
  if (code !== "type-not-found" || !span) return false;
  return earlier.some(
    (each) =>
      ABOUT_IMPORTS.has(each.code) &&
      each.span?.file === span.file &&
      each.span.start.line === span.start.line &&
      each.span.start.column === span.start.column,
  );
}

function spanAt(at: SourceLocation, root: string): SourceSpan {
  if (Node.isNode(at)) return spanOf(at.compilerNode, root);
  if ("excerpt" in at) return at;
  return "kind" in at ? spanOf(at, root) : spanOfRange(at.file, at.start, at.end, root);
}

/** The span of a node, without leading comments. */
export function spanOf(node: ts.Node, root: string): SourceSpan {
  const file = node.getSourceFile();
  return spanOfRange(file, node.getStart(file), node.getEnd(), root);
}

/** The span between two offsets of a file. */
export function spanOfRange(file: ts.SourceFile, start: number, end: number, root: string): SourceSpan {
  const from = file.getLineAndCharacterOfPosition(start);
  const to = file.getLineAndCharacterOfPosition(end);
  const lines = file.text.split(/\r\n|\r|\n/);
  const firstLine = Math.max(0, from.line - 2);
  return {
    file: relativePath(root, file.fileName),
    start: { line: from.line + 1, column: from.character + 1 },
    end: { line: to.line + 1, column: to.character + 1 },
    excerpt: { firstLine: firstLine + 1, lines: lines.slice(firstLine, to.line + 3) },
  };
}

/** TypeScript's file names use forward slashes everywhere. */
function relativePath(root: string, fileName: string): string {
  const prefix = root.replaceAll("\\", "/").replace(/\/?$/, "/");
  return fileName.startsWith(prefix) ? fileName.slice(prefix.length) : fileName;
}
