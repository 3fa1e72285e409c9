import type { JsonSchema } from "@tenon/runtime/manifest";
import type { Elicitation } from "@tenon/runtime/testing";
import { formatOutline } from "../inspect/type-text.js";
import { toPrintable, toPrintableValue } from "../terminal/printable.js";

/**
 * Describes the answers that `--answer` accepts for a request for input.
 *
 * @example
 * const requestedSchema = { type: "object", properties: { name: { type: "string" } } } as const;
 * formatAcceptedAnswers({ message: "Who?", requestedSchema }) // `"Who?" accepts { name?: string }. Use --answer '{"name":"…"}', or decline or cancel.`
 */
export function formatAcceptedAnswers({ message, mode, requestedSchema = {} }: Elicitation): string {
  const question = `"${toPrintable(message)}"`;
  if (mode === "url") return `${question} asks you to open a page. Use --answer accept, decline, or cancel.`;
  const { properties = {} } = toPrintableValue(requestedSchema);
  if (Object.keys(properties).length === 0)
    return `${question} asks for confirmation. Use --answer accept, decline, or cancel.`;
  const type = formatOutline(toPrintableValue(requestedSchema));
  return `${question} accepts ${type}. Use --answer '${JSON.stringify(createExample(requestedSchema))}', decline, or cancel.`;
}

/** Creates an example with the required fields of a form, or with its first field. */
function createExample({ properties = {}, required = [] }: JsonSchema): object {
  const names = required.length > 0 ? required : Object.keys(properties).slice(0, 1);
  return Object.fromEntries(names.map((name) => [name, createExampleValue(properties[name] ?? {})]));
}

function createExampleValue(schema: JsonSchema): unknown {
  if (schema.default !== undefined) return schema.default;
  const [choice] = schema.enum ?? (schema.oneOf ?? schema.anyOf ?? []).map(({ const: value }) => value);
  if (choice !== undefined) return choice;
  const { type, items, format = "", minimum = 1 } = schema;
  if (type === "boolean") return true;
  if (type === "number" || type === "integer") return minimum;
  if (type === "array") return typeof items === "object" ? [createExampleValue(items)] : [];
  return EXAMPLES[format] ?? "…";
}

const EXAMPLES: Readonly<Record<string, string>> = {
  date: "2030-01-31",
  "date-time": "2030-01-31T12:00:00Z",
  email: "ada@example.com",
  uri: "https://example.com",
};
