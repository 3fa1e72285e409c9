/**
 * Checks of the tags in a method's comment that would otherwise be ignored silently.
 * @module
 */
import type { JsonSchema } from "@tenon/runtime/manifest";
import { findNearestName } from "@tenon/runtime/nearest-name";
import { isMimeType } from "@tenon/runtime/option-rules";
import { ts } from "../../typescript/typescript.js";
import { readParameterTag } from "../../jsdoc/parameter-tags.js";
import { reportIgnoredTags, reportUnusedTag } from "../constraints/apply-comment.js";
import type { Report } from "../../diagnostics/diagnostic.js";
import { getTagRange } from "../constraints/constraint.js";
import type { DerivationState } from "../derivation-state.js";
import { isConstraintTag, isSchemaTag } from "../../jsdoc/tags.js";
import type { DocComment, DocTag } from "../../jsdoc/doc-comment.js";
import { isLibraryNode } from "../../typescript/nodes.js";
import { withoutUndefined } from "../../typescript/type-identity.js";

/**
 * Reports constraint tags, which belong to parameters and properties, and `@param` tags for unknown parameters.
 *
 * @param method the declaration with the comment
 * @param parameters the method's parameters; a destructured one is named by its properties
 * @param only the parameter whose properties are the arguments, and may be named as well
 */
export function checkMethodTags(
  method: ts.Node,
  parameters: readonly ts.Symbol[],
  only: ts.Symbol | undefined,
  state: DerivationState,
): void {
  const comment = state.cache.comments.getComment(method);
  if (!comment) return;
  const { report } = state;
  reportIgnoredTags(comment, report);
  const documented = new Set<string>();
  for (const tag of comment.tags) {
    if (tag.name === "mimeType" && state.subject?.kind.startsWith("resource") === true)
      checkMimeType(tag, report);
    else if (tag.name !== "param") reportUnusedTag(tag, report);
    if (isConstraintTag(tag.name)) report("constraint-misplaced", getTagRange(tag), { tag: tag.name });
    if (tag.name !== "param") continue;
    checkParameterTag(tag, parameters, only, state);
    const name = readParameterTag(tag)?.name;
    if (name === undefined) continue;
    if (documented.has(name))
      report("constraint-tag-replaced", getTagRange(tag), { tag: `param ${name}`, by: "earlier" });
    documented.add(name);
  }
}

function checkMimeType(tag: DocTag, report: Report): void {
  const value = tag.text.trim();
  if (isMimeType(value)) return;
  report("constraint-value-invalid", getTagRange(tag), {
    tag: tag.name,
    value,
    expected: "a MIME type, such as `text/markdown`",
  });
}

/** Reports a `@param` that names neither a parameter nor a property of one, such as `@param args.city`. */
function checkParameterTag(
  tag: DocTag,
  parameters: readonly ts.Symbol[],
  only: ts.Symbol | undefined,
  state: DerivationState,
): void {
  const written = readParameterTag(tag)?.name;
  if (written === undefined) {
    const [parameter = ""] = tag.text.split(/\s/);
    return reportUnknown(tag, { parameter, names: parameters.map(({ name }) => name) }, state);
  }
  const [first = "", ...path] = written.split(".");
  const destructured = parameters.filter((each) => isDestructured(each));
  const own = parameters.filter((each) => !destructured.includes(each));
  const names = [...own, ...listProperties(destructured, state)].map(({ name }) => name);
  if (path.length > 0) {
    const parameter = own.find(({ name }) => name === first);
    const owners = parameter ? [parameter] : destructured;
    const paths = listProperties(owners, state).map(({ name }) => `${first}.${name}`);
    if (paths.includes(written)) return;
    if (owners.length > 0) {
      const known = names.includes(first) && !parameter ? [first] : paths;
      reportUnknown(tag, { parameter: written, names: known, isProperty: true }, state);
      return;
    }
  }
  const members = listProperties(only && own.includes(only) ? [only] : [], state).map(({ name }) => name);
  if (names.includes(first) || members.includes(first)) return;
  const property = destructured.flatMap((each) => findRenamed(each, first) ?? [])[0];
  if (property !== undefined) {
    reportUnknown(tag, { parameter: first, names: [property], nearest: property }, state);
    return;
  }
  // A destructured parameter may have any name in the comment: `@param options`, `@param options.city`.
  if (destructured.length > 0 && findNearestName(first, names) === undefined) return;
  reportUnknown(tag, { parameter: first, names: members.length > 0 ? members : names }, state);
}

/** Returns the property that a destructured parameter reads into a variable: `city` in `{ city: place }`. */
function findRenamed({ valueDeclaration }: ts.Symbol, variable: string): string | undefined {
  const pattern = (valueDeclaration as ts.ParameterDeclaration).name;
  const elements: readonly (ts.BindingElement | ts.OmittedExpression)[] = ts.isIdentifier(pattern)
    ? []
    : pattern.elements;
  const found = elements.find((each) => ts.isBindingElement(each) && each.name.getText() === variable);
  return found && ts.isBindingElement(found) ? found.propertyName?.getText() : undefined;
}

function listProperties(parameters: readonly ts.Symbol[], { checker }: DerivationState): ts.Symbol[] {
  return parameters
    .flatMap((each) => withoutUndefined(checker.getTypeOfSymbol(each)).getProperties())
    .filter(({ declarations }) => declarations?.some((declaration) => isLibraryNode(declaration)) !== true);
}

function reportUnknown(
  tag: DocTag,
  unknown: { parameter: string; names: readonly string[]; nearest?: string; isProperty?: true },
  { report }: DerivationState,
): void {
  // A property inside another one exists, but only the outer one can be described here.
  const isNested = unknown.names.some((name) => unknown.parameter.startsWith(`${name}.`));
  const nearest =
    unknown.nearest ?? (isNested ? undefined : findNearestName(unknown.parameter, unknown.names));
  report("constraint-parameter-unknown", getTagRange(tag), {
    ...unknown,
    ...(nearest !== undefined && { nearest }),
  });
}

/**
 * Reports a `@default` that the initializer of its parameter replaces. An override may replace that of the method that it
 * overrides.
 *
 * @param schemas the schema with the tag, and the one with the initializer
 */
export function checkDefaultTag(
  comment: DocComment | undefined,
  { parent: method }: ts.ParameterDeclaration,
  [tagged, initialized]: readonly [JsonSchema, JsonSchema],
  { report }: DerivationState,
): void {
  const tag = comment?.tags.find(({ name }) => name === "default");
  if (
    !tag ||
    tagged.default === undefined ||
    JSON.stringify(tagged.default) === JSON.stringify(initialized.default)
  )
    return;
  const isOwn = tag.file === method.getSourceFile() && tag.start >= method.pos && tag.end <= method.end;
  if (isOwn) report("constraint-tag-replaced", getTagRange(tag), { tag: tag.name, by: "initializer" });
}

/** Reports tags of a parameter that the server passes, such as `Context`, which clients do not see. */
export function reportInjectedTags(comment: DocComment | undefined, { report }: DerivationState): void {
  for (const tag of comment?.tags ?? [])
    if (isSchemaTag(tag.name))
      report("constraint-misplaced", getTagRange(tag), { tag: tag.name, appliesTo: "arguments" });
}

function isDestructured({ valueDeclaration }: ts.Symbol): boolean {
  return (
    valueDeclaration !== undefined &&
    ts.isParameter(valueDeclaration) &&
    !ts.isIdentifier(valueDeclaration.name)
  );
}
