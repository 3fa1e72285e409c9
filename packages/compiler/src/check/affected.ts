import type { DeclarationName, Diagnostic, SourceSpan } from "../diagnostics/diagnostic.js";
import type { Declaration } from "../model.js";
import type { Project } from "../project/project.js";
import { ts } from "../project/typescript.js";
import { createUses, type Part, partOf, reachedParts } from "./reached-parts.js";

/** What a set of errors is about. */
export interface Affected {
  /** The declarations whose methods, or what these use, have errors; each with those errors. */
  declarations: { name: DeclarationName; errors: Diagnostic[] }[];
  /** The errors that belong to none of them. */
  others: Diagnostic[];
  /** All that is declared, as far as the source can be read. */
  declared: DeclarationName[];
}

/**
 * Tells which declarations errors are about: those that an error names, and those whose methods reach the place of an error,
 * by way of whatever they call, make or name as a type.
 *
 * @param declarations also of a source that cannot be parsed to its end
 */
export function affectedBy(
  diagnostics: readonly Diagnostic[],
  declarations: readonly Declaration[],
  project: Project,
): Affected {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const uses = createUses(project, { imports: true });
  const places = new Map(errors.map((each) => [each, each.span && partAt(each.span, project)]));
  const found = declarations.map((declaration) => {
    const reached = reachedParts(declaration, uses);
    const own = errors.filter((each) => {
      if (each.declaration) return isSameName(each.declaration, declaration.name);
      const place = places.get(each);
      return place !== undefined && reached.has(place);
    });
    return { name: declaration.name, errors: own };
  });
  const named = new Set(found.flatMap((each) => each.errors));
  return {
    declarations: found.filter((each) => each.errors.length > 0),
    others: errors.filter((each) => !named.has(each)),
    declared: declarations.map(({ name }) => name),
  };
}

function isSameName(a: DeclarationName, b: DeclarationName): boolean {
  return a.kind === b.kind && a.name === b.name;
}

/** The part at a place. */
function partAt({ file, start }: SourceSpan, { program, root }: Project): Part | undefined {
  const source = program.getSourceFile(`${root}/${file}`);
  if (!source) return undefined;
  const lines = source.getLineStarts();
  const offset = Math.min((lines[start.line - 1] ?? source.end) + start.column - 1, source.end);
  let innermost: ts.Node = source;
  const visit = (node: ts.Node): void => {
    if (offset < node.getFullStart() || offset > node.getEnd()) return;
    // Between two nodes, the one that ends there is what is not complete.
    if (offset === node.getFullStart() && innermost !== source && innermost !== node.parent) return;
    innermost = node;
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(source, visit);
  return innermost === source ? undefined : partOf(innermost);
}
