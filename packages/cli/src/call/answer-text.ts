import type { JsonSchema } from "@tenon/runtime/manifest";
import type { Elicitation } from "@tenon/runtime/testing";
import { outlineText } from "../inspect/type-text.js";
import { printable, printableValue } from "../remote/printable.js";

/**
 * What may be answered to a question on the command line, in a sentence.
 *
 * @example
 * const requestedSchema = { type: "object", properties: { name: { type: "string" } } } as const;
 * acceptedAnswers({ message: "Who?", requestedSchema }) // `"Who?" takes { name?: string }. Write --answer '{"name":"…"}', or decline or cancel.`
 */
export function acceptedAnswers({ message, mode, requestedSchema = {} }: Elicitation): string {
  const question = `"${printable(message)}"`;
  if (mode === "url")
    return `${question} wants a page to be opened. Write --answer accept, decline or cancel.`;
  const { properties = {} } = printableValue(requestedSchema);
  if (Object.keys(properties).length === 0)
    return `${question} wants a yes or a no. Write --answer accept, decline or cancel.`;
  const type = outlineText(printableValue(requestedSchema));
  return `${question} takes ${type}. Write --answer '${JSON.stringify(example(requestedSchema))}', decline or cancel.`;
}

/** What the form needs, or its first field where it needs none. */
function example({ properties = {}, required = [] }: JsonSchema): object {
  const names = required.length > 0 ? required : Object.keys(properties).slice(0, 1);
  return Object.fromEntries(names.map((name) => [name, exampleValue(properties[name] ?? {})]));
}

function exampleValue(schema: JsonSchema): unknown {
  if (schema.default !== undefined) return schema.default;
  const [choice] = schema.enum ?? (schema.oneOf ?? schema.anyOf ?? []).map(({ const: value }) => value);
  if (choice !== undefined) return choice;
  const { type, items, format = "", minimum = 1 } = schema;
  if (type === "boolean") return true;
  if (type === "number" || type === "integer") return minimum;
  if (type === "array") return typeof items === "object" ? [exampleValue(items)] : [];
  return EXAMPLES[format] ?? "…";
}

const EXAMPLES: Readonly<Record<string, string>> = {
  date: "2030-01-31",
  "date-time": "2030-01-31T12:00:00Z",
  email: "ada@example.com",
  uri: "https://example.com",
};
