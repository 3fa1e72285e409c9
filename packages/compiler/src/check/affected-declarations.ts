import type { DeclarationName, Diagnostic, SourceSpan } from "../diagnostics/diagnostic.js";
import type { Declaration } from "../model.js";
import type { Project } from "../project/project.js";
import { ts } from "../typescript/typescript.js";
import { createUsedPartsFinder, type Part, findPart, findReachedParts } from "./reached-parts.js";

/** The declarations that a set of errors affects. */
export interface AffectedDeclarations {
  /** The declarations with errors in their methods or in the code that these use, each with its errors. */
  declarations: { name: DeclarationName; errors: Diagnostic[] }[];
  /** The errors that belong to neither a declaration nor a skill. */
  others: Diagnostic[];
  /** All declarations that could be read from the source. */
  declared: DeclarationName[];
}

/**
 * Finds the declarations that errors affect: those that an error names, and those with methods that reach the position
 * of an error through the functions, classes, and types that they use.
 *
 * @param declarations the declarations, possibly of a source with syntax errors
 */
export function findAffected(
  diagnostics: readonly Diagnostic[],
  declarations: readonly Declaration[],
  project: Project,
): AffectedDeclarations {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const findUsedParts = createUsedPartsFinder(project, { imports: true });
  const partsByError = new Map(errors.map((each) => [each, each.span && findPartAt(each.span, project)]));
  const found = declarations.map((declaration) => {
    const reached = findReachedParts(declaration, findUsedParts);
    const own = errors.filter((each) => {
      if (each.declaration) return isSameName(each.declaration, declaration.name);
      const part = partsByError.get(each);
      return part !== undefined && reached.has(part);
    });
    return { name: declaration.name, errors: own };
  });
  const named = new Set(found.flatMap((each) => each.errors));
  return {
    declarations: found.filter((each) => each.errors.length > 0),
    others: errors.filter((each) => !named.has(each) && each.skill === undefined),
    declared: declarations.map(({ name }) => name),
  };
}

function isSameName(a: DeclarationName, b: DeclarationName): boolean {
  return a.kind === b.kind && a.name === b.name;
}

/** Returns the part at a position. */
function findPartAt({ file, start }: SourceSpan, { program, root }: Project): Part | undefined {
  const source = program.getSourceFile(`${root}/${file}`);
  if (!source) return undefined;
  const lines = source.getLineStarts();
  const offset = Math.min((lines[start.line - 1] ?? source.end) + start.column - 1, source.end);
  let innermost: ts.Node = source;
  const visit = (node: ts.Node): void => {
    if (offset < node.getFullStart() || offset > node.getEnd()) return;
    // At the border of two nodes, the error belongs to the first one, which is incomplete.
    if (offset === node.getFullStart() && innermost !== source && innermost !== node.parent) return;
    innermost = node;
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(source, visit);
  return innermost === source ? undefined : findPart(innermost);
}
