/**
 * The names that `@enumNames One, Two` gives to the choices of a field.
 * @module
 */
import { ts } from "../typescript/typescript.js";
import type { DocTag } from "../jsdoc/doc-comment.js";
import type { DiagnosticParameters } from "../diagnostics/catalog.js";
import type { Report, SourceLocation } from "../diagnostics/diagnostic.js";
import { NO_BINDINGS, type TypeSyntax } from "../syntax/type-syntax.js";

/**
 * Finds the tag with the names of choices: in the comment of the field, or of the type of its choices.
 *
 * @param choices the type of the choices, without `undefined`
 */
export function findChoiceNames(
  field: ts.Symbol,
  choices: ts.Type | undefined,
  syntax: TypeSyntax,
): DocTag | undefined {
  const node = (field.valueDeclaration as { type?: ts.TypeNode } | undefined)?.type;
  const comments = [
    syntax.getMemberComment(field) ?? [],
    choices ? syntax.getOwnComments(choices) : [],
    choices && node ? syntax.getWrittenComments(choices, { node, bindings: NO_BINDINGS }) : [],
  ].flat();
  return comments.flatMap(({ tags }) => tags).find(({ name }) => name === "enumNames");
}

/** Returns the names of choices in the order in which they are written. */
export function readChoiceNames(tag: DocTag): string[] {
  return tag.text.split(",").map((name) => name.trim());
}

/** A report, and what remains to be reported after the fields have read their tags. */
export interface MisplacedNames {
  readonly report: Report;
  /** Reports each tag that no field has used. */
  reportUnused(used: readonly DocTag[]): void;
}

/** Postpones reports of `@enumNames`: whether a choice uses the tag is known only after the field is derived. */
export function postponeMisplacedNames(report: Report): MisplacedNames {
  const found: [SourceLocation | undefined, DiagnosticParameters<"constraint-misplaced">][] = [];
  return {
    report: (code, at, parameters) => {
      const misplaced = parameters as DiagnosticParameters<"constraint-misplaced">;
      if (code === "constraint-misplaced" && misplaced.tag === "enumNames") found.push([at, misplaced]);
      else report(code, at, parameters);
    },
    reportUnused(used) {
      for (const [at, parameters] of found) {
        if (at && used.some((tag) => "start" in at && tag.file === at.file && tag.start === at.start))
          continue;
        report("constraint-misplaced", at, parameters);
      }
    },
  };
}
