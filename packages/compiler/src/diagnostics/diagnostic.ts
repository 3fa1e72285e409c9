import { isAbsolute, relative } from "node:path";
import { Node, type ts } from "../typescript/typescript.js";
import { catalog, type DiagnosticCode, type DiagnosticParameters } from "./catalog.js";

export type { DiagnosticCode } from "./catalog.js";

/** A problem in the project, as plain data. Diagnostics are collected, never thrown. */
export interface Diagnostic {
  /** Permanent; explained in ERRORS.md. `typescript` for TypeScript's own errors. */
  code: DiagnosticCode;
  severity: "error" | "warning";
  /** The problem, with the value and, where it is not obvious, the reason. */
  message: string;
  /** The edit to make, as an imperative. */
  hint?: string;
  /** The declaration with the problem. Undefined if it concerns several or none. */
  declaration?: DeclarationName;
  /** The skill with the problem: the path of its folder in `skills/`. */
  skill?: string;
  span?: SourceSpan;
}

/** The name of a declaration, as clients see it. */
export interface DeclarationName {
  kind: "tool" | "prompt" | "resource" | "resource template";
  name: string;
}

/** A range of source text, with the lines around it so that it can be displayed without the file. */
export interface SourceSpan {
  /** Relative to the project folder, with forward slashes. */
  file: string;
  /** Line and column count from 1; columns count UTF-16 units, as editors do. `end` is exclusive. */
  start: { line: number; column: number };
  end: { line: number; column: number };
  /** The spanned lines with up to two lines of context on either side; `firstLine` counts from 1. */
  excerpt: { firstLine: number; lines: string[] };
}

/** A range of a file that is not a node, such as a tag in a comment. */
export interface SourceRange {
  file: ts.SourceFile | ts.SourceMapSource;
  start: number;
  /** Exclusive. */
  end: number;
}

/** The locations a diagnostic can point at. Nodes may be ts-morph's or TypeScript's own. */
export type SourceLocation = Node | ts.Node | SourceRange | SourceSpan;

/**
 * A function that reports a diagnostic about one declaration or about the project. The code determines the type of the parameters.
 *
 * @example
 * report("type-function", node, { where: "Argument `since` of tool `forecast`", type: "() => Date" })
 */
export type Report = <Code extends DiagnosticCode>(
  code: Code,
  at: SourceLocation | undefined,
  parameters: DiagnosticParameters<Code>,
) => void;

/** Returns a `Report` that ignores the diagnostics of one code. */
export function withoutCode(report: Report, code: DiagnosticCode): Report {
  return (each, at, parameters) => {
    if (each !== code) report(each, at, parameters);
  };
}

/** Returns a `Report` that ignores all diagnostics except those of one code. */
export function withOnlyCode(report: Report, code: DiagnosticCode): Report {
  return (each, at, parameters) => {
    if (each === code) report(each, at, parameters);
  };
}

/** Collects the diagnostics of one compilation. */
export interface DiagnosticCollector {
  readonly diagnostics: Diagnostic[];
  /** Declarations with errors, which cannot be served. They are compared by identity, since two may have the same name. */
  readonly rejected: ReadonlySet<DeclarationName>;
  /** Creates a `Report` whose diagnostics carry the name of the declaration or the path of the skill. */
  createReport(declaration?: DeclarationName, skill?: string): Report;
}

/** Maximum number of diagnostics with one code about one type of a declaration, since a type of a package may have hundreds. */
const MAX_PER_TYPE = 3;

/**
 * Creates a collector without diagnostics.
 *
 * @param root absolute path of the project folder, to which spans are relative
 */
export function createCollector(root: string): DiagnosticCollector {
  const diagnostics: Diagnostic[] = [];
  const rejected = new Set<DeclarationName>();
  const seen = new Map<string, Diagnostic>();
  const byType = new Map<string, Diagnostic[]>();
  return {
    diagnostics,
    rejected,
    createReport: (declaration, skill) => (code, at, parameters) => {
      // The catalog's functions take exactly the parameters of their own code; TypeScript cannot relate the two.
      const entry = catalog[code] as {
        severity: "error" | "warning";
        message: (parameters: unknown) => string;
        hint?: (parameters: unknown) => string | undefined;
      };
      const diagnostic: Diagnostic = { code, severity: entry.severity, message: entry.message(parameters) };
      const hint = entry.hint?.(parameters);
      if (hint) diagnostic.hint = hint;
      if (declaration) diagnostic.declaration = declaration;
      if (skill !== undefined) diagnostic.skill = skill;
      if (declaration && entry.severity === "error") rejected.add(declaration);
      if (at) diagnostic.span = toSpan(at, root);
      // A type that is reached twice is reported once. A warning about a shared type names the first declaration that uses it. An
      // error is reported for each declaration, since each is rejected, but not for each part of a package's type.
      const { where, ...others } = parameters as { where?: unknown };
      const text =
        where === undefined || !at
          ? diagnostic.message
          : JSON.stringify([declaration?.kind, declaration?.name, others]);
      const isShared = entry.severity === "warning" && diagnostic.span;
      const key = JSON.stringify([
        code,
        isShared ? others : text,
        diagnostic.span?.file,
        diagnostic.span?.start,
      ]);
      const first = seen.get(key);
      if (first && !isShared && first.message !== diagnostic.message) addSamePart(first, hint);
      if (first || isExplained(diagnostic, diagnostics)) return;
      seen.set(key, diagnostic);
      if (where !== undefined && diagnostic.span) {
        const { file, start } = diagnostic.span;
        const typeKey = JSON.stringify([code, declaration?.kind, declaration?.name, file, start]);
        const shown = byType.get(typeKey) ?? [];
        const last = shown[MAX_PER_TYPE - 1];
        if (last) return addSamePart(last, last.hint);
        byType.set(typeKey, [...shown, diagnostic]);
      }
      diagnostics.push(diagnostic);
    },
  };
}

const SAME_PARTS = "Other parts of this type have the same problem.";

/** Adds to a hint that the diagnostic also concerns other parts of the type. */
function addSamePart(diagnostic: Diagnostic, hint = ""): void {
  if (!diagnostic.hint?.endsWith(SAME_PARTS)) diagnostic.hint = `${hint} ${SAME_PARTS}`.trim();
}

const IMPORT_CODES: ReadonlySet<DiagnosticCode> = new Set([
  "import-not-found",
  "import-not-exported",
  "runtime-not-installed",
]);

/** Returns whether a missing type follows from an import that is already reported at the same position. */
function isExplained({ code, span }: Diagnostic, earlier: readonly Diagnostic[]): boolean {
  if (code !== "type-not-found" || !span) return false;
  return earlier.some(
    (each) =>
      IMPORT_CODES.has(each.code) &&
      each.span?.file === span.file &&
      each.span.start.line === span.start.line &&
      each.span.start.column === span.start.column,
  );
}

function toSpan(at: SourceLocation, root: string): SourceSpan {
  if (Node.isNode(at)) return toNodeSpan(at.compilerNode, root);
  if ("excerpt" in at) return at;
  return "kind" in at ? toNodeSpan(at, root) : toRangeSpan(at.file, at.start, at.end, root);
}

/** Returns the span of a node, without leading comments. */
export function toNodeSpan(node: ts.Node, root: string): SourceSpan {
  const file = node.getSourceFile();
  return toRangeSpan(file, node.getStart(file), node.getEnd(), root);
}

/** Returns the span between two offsets of a file. */
export function toRangeSpan(
  file: ts.SourceFile | ts.SourceMapSource,
  start: number,
  end: number,
  root: string,
): SourceSpan {
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

/**
 * Returns the path of a file relative to the project folder, with forward slashes. Files of other packages in the
 * workspace begin with `../`, as in the errors of `tsc`.
 */
function relativePath(root: string, fileName: string): string {
  return isAbsolute(fileName) ? relative(root, fileName).replaceAll("\\", "/") : fileName;
}
