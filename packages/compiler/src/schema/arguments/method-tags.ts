/**
 * Checks of the tags in the comment of a method, which would otherwise be ignored silently.
 * @module
 */
import { nearestName } from "@tenon/runtime/nearest-name";
import { ts } from "../../project/typescript.js";
import { readParameterTag } from "../../jsdoc/member-comments.js";
import { reportUnreadTags } from "../constraints/apply-comment.js";
import { rangeOf } from "../constraints/constraint.js";
import type { DerivationState } from "../derivation-state.js";
import { isConstraintTag } from "../../jsdoc/tags.js";
import type { DocTag } from "../../jsdoc/doc-comment.js";
import { onlyPresent } from "../type-identity.js";

/**
 * Reports constraint tags, which belong to parameters and properties, and `@param` tags that name no parameter.
 *
 * @param method the declaration with the comment
 * @param parameters those of the method; one that is destructured goes by the names of its properties
 */
export function checkMethodTags(
  method: ts.Node,
  parameters: readonly ts.Symbol[],
  state: DerivationState,
): void {
  const comment = state.cache.comments.commentOf(method);
  if (!comment) return;
  const { report } = state;
  reportUnreadTags(comment, report);
  for (const tag of comment.tags) {
    if (isConstraintTag(tag.name)) report("constraint-misplaced", rangeOf(tag), { tag: tag.name });
    if (tag.name === "param") checkParameterTag(tag, parameters, state);
  }
}

/** A `@param` has to name a parameter, or a property of one: `@param args.city`. */
function checkParameterTag(tag: DocTag, parameters: readonly ts.Symbol[], state: DerivationState): void {
  const written = readParameterTag(tag)?.name.split(".")[0];
  if (written === undefined) return;
  const destructured = parameters.filter((each) => isDestructured(each));
  const properties = destructured.flatMap((each) =>
    onlyPresent(state.checker.getTypeOfSymbol(each)).getProperties(),
  );
  const own = parameters.filter((each) => !destructured.includes(each));
  const names = [...own, ...properties].map(({ name }) => name);
  if (names.includes(written)) return;
  const meant = nearestName(written, names);
  // A parameter without a name may be called anything: `@param options`, `@param options.city`.
  if (destructured.length > 0 && meant === undefined) return;
  state.report("constraint-parameter-unknown", rangeOf(tag), {
    parameter: written,
    names,
    ...(meant !== undefined && { nearest: meant }),
  });
}

function isDestructured({ valueDeclaration }: ts.Symbol): boolean {
  return (
    valueDeclaration !== undefined &&
    ts.isParameter(valueDeclaration) &&
    !ts.isIdentifier(valueDeclaration.name)
  );
}
