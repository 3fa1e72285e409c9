import { error, warning } from "./catalog-entry.js";
import { formatNames } from "./format-list.js";

/** The messages about URIs of resources, and what their methods return. */
export const resourceMessages = {
  "resource-template-repeated": warning(
    (p: { uri: string; earlierUri: string; other: string }) =>
      `The template \`${p.uri}\` is never read, because it matches the same URIs as \`${p.earlierUri}\` (${p.other}).`,
    () => `Remove one of them, or change its URI. Names of variables do not distinguish URIs.`,
  ),
  "resource-result-missing": error(
    (p: { name: string; type: string }) =>
      `Resource \`${p.name}\` returns \`${p.type}\`, so each read of it fails with "not found".`,
    () =>
      `Return the contents: text, bytes, a file, or data. \`undefined\` means that a resource does not exist.`,
  ),
  "resource-uri-not-constant": error(
    (p: { resource: string }) =>
      `The URI of resource \`${p.resource}\` is known only at run time, but it is read when the project is built.`,
    () => `Use a string literal, with \`{variables}\` for the parts that vary.`,
  ),
  "resource-uri-invalid": error(
    (p: { uri: string }) => `\`${p.uri}\` is not a URI: a URI needs a scheme and cannot contain spaces.`,
    (p) =>
      `Write, for example, \`${/^[\w{}/.-]+$/.test(p.uri) ? `data://${p.uri.replace(/^\/+/, "")}` : "data://name"}\`.`,
  ),
  "resource-template-invalid": error(
    (p: { uri: string; expression: string; isAdjacent?: boolean }) => {
      if (p.isAdjacent)
        return `Nothing separates the variables in \`${p.expression}\` of \`${p.uri}\`, so a URI does not determine their values.`;
      return p.expression === p.uri
        ? `\`${p.uri}\` is not a valid URI template.`
        : `\`${p.expression}\` in \`${p.uri}\` is not a valid URI template expression.`;
    },
    (p) =>
      p.isAdjacent
        ? `Write a character between them, as in \`${p.expression.replace("}{", "}/{")}\`.`
        : `Write \`{name}\`, \`{+path}\`, or \`{?query}\` (RFC 6570).`,
  ),
  "resource-variable-unused": error(
    (p: { uri: string; variable: string; parameters: string[] }) =>
      `The variable \`{${p.variable}}\` of \`${p.uri}\` has no parameter of the same name` +
      (p.parameters.length > 0 ? ` (the method has ${formatNames(p.parameters)}).` : "."),
    (p) => `Add a parameter \`${p.variable}: string\`, or rename the variable.`,
  ),
  "resource-parameter-unknown": error(
    (p: { uri: string; parameter: string; variables: string[] }) =>
      `Parameter \`${p.parameter}\` is not a variable of \`${p.uri}\`, so it would never get a value.`,
    (p) => `Add \`{${p.parameter}}\` to the URI, or remove the parameter.`,
  ),
  "resource-variable-not-text": error(
    (p: { uri: string; variable: string }) =>
      `The variable \`${p.variable}\` of \`${p.uri}\` has a type that cannot be written in a URI.`,
    () => `Use a string, a number, a boolean, a union of literals, a \`Date\`, or an array of one of these.`,
  ),
  "resource-variable-not-list": error(
    (p: { uri: string; variable: string; operator: string }) =>
      `\`${p.variable}*\` in \`${p.uri}\` is a list of values, but the parameter \`${p.variable}\` is one value.`,
    (p) =>
      ["", "/"].includes(p.operator)
        ? `Declare \`${p.variable}: string[]\`, or write \`{+${p.variable}}\` for one string that may contain slashes.`
        : `Declare \`${p.variable}: string[]\`, or remove the \`*\`.`,
  ),
  "resource-variable-cut": error(
    (p: { uri: string; variable: string; modifier: string }) =>
      `\`${p.variable}${p.modifier}\` in \`${p.uri}\` is the beginning of a string, but the parameter \`${p.variable}\` is a list.`,
    (p) => `Write \`${p.variable}*\`, or declare \`${p.variable}: string\`.`,
  ),
};
