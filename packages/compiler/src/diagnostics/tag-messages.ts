import { error, warning } from "./catalog-entry.js";
import { formatCode, lowerFirst } from "./format-text.js";

/** The messages about tags in comments that are wrong or have no effect, and about secrets. */
export const tagMessages = {
  "constraint-does-not-fit": error(
    (p: { tag: string; where: string; type: string; fits: string }) =>
      `\`@${p.tag}\` is for ${p.fits}, but ${lowerFirst(p.where)} has type ${formatCode(p.type)}.`,
    (p) =>
      p.type.endsWith("[]") && p.fits !== "arrays"
        ? `To constrain the items, write the tag on a type alias of the item type.`
        : `Remove the tag, or change the type.`,
  ),
  "constraint-value-invalid": error(
    (p: { tag: string; value: string; expected: string }) =>
      p.value
        ? `\`@${p.tag}\` needs ${p.expected}, not ${formatCode(p.value)}.`
        : `\`@${p.tag}\` needs ${p.expected}, but has no value.`,
    (p) =>
      p.expected.startsWith("nothing")
        ? "Put the text before the tag, or remove one of them."
        : `${p.value ? "Change" : "Write"} the value, or remove the tag.`,
  ),
  "constraint-contradiction": error(
    (p: { where: string; lower: string; upper: string }) =>
      `No value of ${lowerFirst(p.where)} can satisfy both ${formatCode(p.lower)} and ${formatCode(p.upper)}.`,
    () => `Change one of them.`,
  ),
  "constraint-default-does-not-fit": error(
    (p: {
      where: string;
      value: string;
      type: string;
      problem?: string;
      isText?: boolean;
      isRecursive?: true;
    }) =>
      `The default ${formatCode(p.value)} of ${lowerFirst(p.where)} is not a valid ${formatCode(p.type)}${because(p.problem)}.`,
    (p) => {
      if (p.isText)
        return `Put text in quotes. If your code computes the default, describe it in the text of the comment instead.`;
      if (p.isRecursive)
        return `Write the default in the comment of each property or parameter of this type.`;
      return p.problem === undefined ? `Write the default as JSON.` : `Change the default or the constraint.`;
    },
  ),
  "constraint-example-does-not-fit": warning(
    (p: { where: string; value: string; type: string; problem?: string; isText?: boolean }) =>
      `The example ${formatCode(p.value)} of ${lowerFirst(p.where)} is not a valid ${formatCode(p.type)}${because(p.problem)}. It is omitted.`,
    (p) => (p.problem === undefined ? `Write the example as JSON.` : `Change the example or the constraint.`),
  ),
  "constraint-format-unknown": warning(
    (p: { format: string; nearest?: string }) =>
      `${formatCode(p.format)} is not a known format, so values are not validated against it.`,
    (p) => (p.nearest ? `Did you mean \`@format ${p.nearest}\`?` : `Use \`@pattern\` to check values.`),
  ),
  "constraint-date-format": error(
    (p: { format: string; where: string; type: string }) =>
      `\`@format ${p.format}\` does not fit ${lowerFirst(p.where)}, which has type ${formatCode(p.type)}: a \`Date\` is a point in time, or a day with \`@format date\`.`,
    (p) =>
      p.format === "time"
        ? `Declare it as \`string\`: a \`Date\` cannot be only a time of day.`
        : `Use \`@format date\`, or remove the tag.`,
  ),
  "constraint-misplaced": warning(
    (p: { tag: string; parameter?: string; appliesTo?: string; method?: string }) => {
      if (p.method !== undefined)
        return `\`@${p.tag}\` has no effect in the comment of a class: it applies to the parameters of \`${p.method}\`.`;
      if (p.appliesTo !== undefined) return `\`@${p.tag}\` has no effect here: it applies to ${p.appliesTo}.`;
      return p.parameter === undefined
        ? `\`@${p.tag}\` is in the comment of a method, but it constrains a value.`
        : `\`@${p.tag}\` has no effect on ${formatCode(p.parameter)}, because its members are the arguments.`;
    },
    (p) => {
      if (p.method !== undefined) return `Move it to the comment of the method.`;
      if (/^(?:param|prop|property)$/.test(p.tag))
        return `Write the text and the tags in the comment of each member.`;
      if (p.appliesTo !== undefined) return `Remove it, or state it in the description.`;
      return p.parameter === undefined
        ? `Write it after the \`@param\` that it belongs to, or in a comment before the parameter.`
        : `Write it in the comment of a member.`;
    },
  ),
  "constraint-parameter-unknown": warning(
    (p: { parameter: string; names: readonly string[]; nearest?: string; isProperty?: true }) => {
      if (p.isProperty)
        return `${formatCode(p.parameter)} is not a direct property of a parameter, so this \`@param\` describes nothing.`;
      return p.parameter === ""
        ? "This `@param` lacks the name of a parameter, so it describes nothing."
        : `There is no parameter ${formatCode(p.parameter)}, so this \`@param\` describes nothing.`;
    },
    (p) => {
      if (p.nearest !== undefined) return `Did you mean ${formatCode(p.nearest)}?`;
      if (p.isProperty) return `Write the text in a comment before the property.`;
      if (p.names.length === 0)
        return `Describe the method in the text before the tags: it has no arguments.`;
      return `Use the name of an argument: ${p.names.map((name) => formatCode(name)).join(", ")}.`;
    },
  ),
  "constraint-tag-lost": warning(
    (p: { where: string; tag: string; alias: string; isOfPart?: boolean }) =>
      p.isOfPart
        ? `${p.where} loses \`@${p.tag}\` of ${formatCode(p.alias)}: the tags of a type do not apply to text that is made from it.`
        : `${p.where} may lose \`@${p.tag}\` of ${formatCode(p.alias)}: TypeScript can evaluate this type, but Tenon cannot follow the tags of the types in it.`,
    (p) =>
      p.isOfPart
        ? `Write ${p.tag === "secret" ? "`@secret`" : "the tag for the whole text, or a `@pattern`,"} in the comment of the value.`
        : `Write ${formatCode(p.alias)} instead, or repeat the tag in the comment of the value.`,
  ),
  "constraint-tag-ignored": warning(
    (p: { tag: string; position?: "trailing" | "inside" | "head" | "plain" }) => {
      if (p.position === "plain")
        return `This \`@${p.tag}\` has no effect, because its comment does not begin with \`/**\`.`;
      if (p.position === "trailing")
        return `This \`@${p.tag}\` has no effect, because its comment follows the declaration.`;
      if (p.position === "head")
        return `This \`@${p.tag}\` has no effect, because its comment follows a decorator or a modifier.`;
      return p.position === "inside"
        ? `This \`@${p.tag}\` has no effect, because its comment is not that of a parameter, a property, or the type of a value.`
        : `\`@${p.tag}\` is treated as text, because it follows other text on its line.`;
    },
    (p) => {
      if (p.position === undefined)
        return `Put it at the start of a line, or in backticks if it is meant as text.`;
      if (p.position === "plain")
        return `Write a documentation comment before the declaration: \`/** @${p.tag} … */\`.`;
      return p.position === "trailing" || p.position === "head"
        ? `Put the comment before the declaration.`
        : `Put the comment before the declaration, or declare a type with it: \`/** @${p.tag} … */ type Name = …\`.`;
    },
  ),
  "constraint-tag-unknown": warning(
    (p: { tag: string; suggestion: string | undefined }) =>
      `\`@${p.tag}\` is not a known tag, so it is treated as text.`,
    (p) =>
      p.suggestion === undefined
        ? `Remove it, or put it in backticks.`
        : `Did you mean \`@${p.suggestion}\`?`,
  ),
  "secret-returned": warning(
    (p: { where: string }) =>
      `${p.where} is secret, but clients and models receive results as they are, and telemetry may record them.`,
    () => `Omit it from the result, or remove \`@secret\` if clients may read it.`,
  ),
  "secret-default": warning(
    (p: { path: string }) =>
      `\`${p.path}\` is secret, but its default value is in the schema, which every client receives.`,
    () =>
      `Make it optional without a default, and read the value for an absent argument from the environment.`,
  ),
  "constraint-tag-replaced": warning(
    (p: { tag: string; by?: "initializer" | "comment" | "earlier" }) =>
      p.by === "initializer"
        ? `This \`@${p.tag}\` has no effect, because the parameter has a different default value in the code.`
        : p.by === "comment"
          ? `This \`@${p.tag}\` has no effect, because another comment follows, and only the last one counts.`
          : `This \`@${p.tag}\` has no effect, because another one ${p.by === "earlier" ? "precedes it" : "follows"} in the same comment.`,
    (p) => (p.by === "comment" ? `Merge the comments.` : `Remove one of them.`),
  ),
};

function because(problem: string | undefined): string {
  return problem === undefined ? "" : `: ${problem}`;
}
