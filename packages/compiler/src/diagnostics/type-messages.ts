import { error, warning } from "./catalogue-entry.js";

/** What can keep a type from becoming a schema, and what a schema cannot say as exactly as the type does. */
export const typeMessages = {
  "type-not-serializable": error(
    (p: { where: string; type: string; reason: string; edit: string }) =>
      `${p.where} is ${p.type}, ${p.reason}.`,
    (p) => p.edit,
  ),
  "type-function": error(
    (p: { where: string; type: string }) =>
      `${p.where} is a function (${code(p.type)}), which JSON cannot carry.`,
    () => `Remove it from the type, for example with \`Omit<…>\`.`,
  ),
  "type-principal": error(
    (p: { where: string; type: string }) =>
      `${p.where} is ${code(p.type)}. Who calls is known to the server, but as part of an argument it would be whatever the client says.`,
    () =>
      `Take it as a parameter of its own (\`user: Principal\`), with claims of yours as \`Principal<Claims>\`.`,
  ),
  "type-behaviour": error(
    (p: { where: string; type: string; method: string; isText?: boolean }) =>
      `${p.where} is ${code(p.type)}, an object with methods (${code(p.method)}), but JSON can carry only data.`,
    (p) =>
      p.isText
        ? `JSON has it as a text. Take a \`string\`, and make a ${code(p.type)} of it in the method.`
        : `Use an interface with the properties to send.`,
  ),
  "type-promise": error(
    (p: { where: string; type: string; awaited: string }) =>
      `${p.where} is ${code(p.type)}: a promise inside a value is never awaited.`,
    (p) => `Await it, and declare ${code(p.awaited)}.`,
  ),
  "type-symbol": error(
    (p: { where: string }) => `${p.where} is a symbol, which exists only inside one process.`,
    () => `Use a string literal type instead.`,
  ),
  "type-never": error(
    (p: { where: string; type: string; because?: string }) =>
      `${p.where} has type ${code(p.type)}, which no value can have${p.because ? `: ${p.because}` : ""}.`,
    () => `Change the type so that it has at least one value.`,
  ),
  "type-unresolved": error(
    (p: { where: string; type: string }) =>
      `${p.where} has type ${code(p.type)}, which depends on a type parameter whose type is not known.`,
    () => `Give the type parameter a constraint (\`T extends …\`), or write the concrete type.`,
  ),
  "type-not-found": error(
    (p: { where: string; text: string }) =>
      `${p.where} has the type ${code(p.text)}, which TypeScript cannot find.`,
    () => `Install the package it comes from, or correct the import.`,
  ),
  "type-recursive-endless": error(
    (p: { where: string; type: string }) =>
      `${p.where} has type ${code(p.type)}, which contains ever new types, so no finite schema can describe it.`,
    () => `Let the type refer to itself with the same type arguments.`,
  ),
  "type-too-large": error(
    (p: { where: string; limit: number }) =>
      `The schema of ${lowerFirst(p.where)} has more than ${p.limit} parts.`,
    () => `Split the declaration, or use a simpler type: models cannot use a schema of this size.`,
  ),
  "type-any": warning(
    (p: { where: string }) => `${p.where} has type \`any\`, so every value is accepted.`,
    () => `Write the real type, or \`unknown\` to accept every value.`,
  ),
  "type-member-left-out": warning(
    (p: { where: string; type: string }) =>
      `${p.where} is an optional function (${code(p.type)}), which JSON cannot carry. It is left out.`,
    () => `Remove it from the type, for example with \`Omit<…>\`.`,
  ),
  "type-methods-missing": warning(
    (p: { where: string; type: string; method: string }) =>
      `${p.where} is the class ${code(p.type)}, but clients send plain data, without its method ${code(p.method)}.`,
    (p) => `Use an interface, or create the instance of ${code(p.type)} in the handler.`,
  ),
  "type-members-missing": warning(
    (p: { where: string; type: string; member: string; isAccessor: boolean }) =>
      `${p.where} is the class ${code(p.type)}, but clients send plain data, without its ${
        p.isAccessor ? "accessor" : "private member"
      } ${code(p.member)}.`,
    (p) => `Use an interface, or create the instance of ${code(p.type)} in the handler.`,
  ),
  "type-order-not-checked": warning(
    (p: { where: string; type: string }) =>
      `${p.where} is the tuple ${code(p.type)}. JSON Schema cannot describe elements after a rest element, so their order is not checked.`,
    () => `Put the rest element last, or use an object.`,
  ),
  "type-union-alike": warning(
    (p: { where: string; first: string; second: string }) =>
      `${p.where} is ${code(p.first)} or ${code(p.second)}, which are the same as JSON. What can be either is given to the handler as ${code(p.first)}.`,
    () => `Use one of the two types, or objects with a member such as \`kind\` that tells them apart.`,
  ),
  "type-property-name": warning(
    (p: { where: string; name: string }) =>
      `${p.where} has the property ${code(JSON.stringify(p.name))}. Several clients accept only names of 1 to 64 letters, digits, dots, dashes and underscores.`,
    () => `Rename the property.`,
  ),
  "type-enum-of-numbers": warning(
    (p: { where: string }) =>
      `${p.where} is one of several number literals. Some clients, such as Gemini, accept only enumerations of strings.`,
    () => `Use string literals, or \`number\` with \`@minimum\` and \`@maximum\`.`,
  ),
  "type-enum-not-constant": error(
    (p: { where: string; member: string }) =>
      `${p.where} may be ${code(p.member)}, whose value is known only when the program runs.`,
    () => `Write the value of the member as a literal.`,
  ),
  "type-parameter-unnamed": error(
    (p: { position: number }) =>
      `Parameter ${p.position} is destructured, so its argument would have no name.`,
    () => `Give it a name, or make it the only parameter: its properties are then the arguments.`,
  ),
  "constraint-does-not-fit": error(
    (p: { tag: string; where: string; type: string; fits: string }) =>
      `\`@${p.tag}\` is for ${p.fits}, but ${lowerFirst(p.where)} has type ${code(p.type)}.`,
    (p) =>
      p.type.endsWith("[]") && p.fits !== "arrays"
        ? `To constrain the items, write the tag on a type alias of the item type.`
        : `Remove the tag, or change the type.`,
  ),
  "constraint-value-invalid": error((p: { tag: string; value: string; expected: string }) =>
    p.value
      ? `\`@${p.tag}\` needs ${p.expected}, not ${code(p.value)}.`
      : `\`@${p.tag}\` needs ${p.expected}, but has no value.`,
  ),
  "constraint-contradiction": error(
    (p: { where: string; lower: string; upper: string }) =>
      `No value of ${lowerFirst(p.where)} can satisfy both ${code(p.lower)} and ${code(p.upper)}.`,
  ),
  "constraint-default-does-not-fit": error(
    (p: { where: string; value: string; type: string; problem?: string }) =>
      `The default ${code(p.value)} of ${lowerFirst(p.where)} is not a valid ${code(p.type)}${because(p.problem)}.`,
    (p) => (p.problem === undefined ? `Write the default as JSON.` : `Change the default or the constraint.`),
  ),
  "constraint-example-does-not-fit": warning(
    (p: { where: string; value: string; type: string; problem?: string }) =>
      `The example ${code(p.value)} of ${lowerFirst(p.where)} is not a valid ${code(p.type)}${because(p.problem)}. It is left out.`,
    (p) => (p.problem === undefined ? `Write the example as JSON.` : `Change the example or the constraint.`),
  ),
  "constraint-format-unknown": warning(
    (p: { format: string; nearest?: string }) =>
      `${code(p.format)} is not a known format, so values are not checked for it.`,
    (p) => (p.nearest ? `Did you mean \`@format ${p.nearest}\`?` : `Use \`@pattern\` to check values.`),
  ),
  "constraint-date-format": error(
    (p: { format: string; where: string; type: string }) =>
      `\`@format ${p.format}\` is on ${lowerFirst(p.where)}, which has type ${code(p.type)}: a \`Date\` is a moment, or with \`@format date\` a day.`,
    (p) =>
      p.format === "time"
        ? `Declare it as \`string\`: a time of day alone is no \`Date\`.`
        : `Use \`@format date\`, or remove the tag.`,
  ),
  "constraint-misplaced": warning(
    (p: { tag: string }) => `\`@${p.tag}\` is in the comment of a method, but it constrains a value.`,
    () => `Write it after the \`@param\` that it belongs to, or in a comment before the parameter.`,
  ),
  "constraint-parameter-unknown": warning(
    (p: { parameter: string; names: readonly string[]; nearest?: string }) =>
      `There is no parameter ${code(p.parameter)}, so this \`@param\` describes nothing.`,
    (p) => {
      if (p.nearest !== undefined) return `Did you mean ${code(p.nearest)}?`;
      if (p.names.length === 0)
        return `The method takes no arguments: describe it in the text before the tags.`;
      return `The method takes ${p.names.map((name) => code(name)).join(", ")}.`;
    },
  ),
  "constraint-tag-unread": warning(
    (p: { tag: string }) =>
      `\`@${p.tag}\` is read as text: behind other text on its line, it is a tag only where the words around it leave no doubt.`,
    () => `Begin a line with it, or put it in backticks where it is meant as text.`,
  ),
  "constraint-tag-unknown": warning(
    (p: { tag: string; suggestion: string }) => `\`@${p.tag}\` is not a known tag, so it is read as text.`,
    (p) => `Did you mean \`@${p.suggestion}\`?`,
  ),
};

function because(problem: string | undefined): string {
  return problem === undefined ? "" : `: ${problem}`;
}

function code(text: string): string {
  return `\`${text}\``;
}

/** `Argument …` in the middle of a sentence. */
function lowerFirst(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
