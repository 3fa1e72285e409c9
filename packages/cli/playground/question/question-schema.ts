import type { JsonSchema } from "@tenon/runtime/manifest";
import type { Refusals } from "../form/refusals.js";

/** A field, with the names that older revisions give to choices. */
type FormField = JsonSchema & { enumNames?: string[] };

/**
 * The schema of a question in the way that forms of arguments know it: lists of choices are sets, and names of choices are
 * titles.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation#supported-schema-types
 */
export function questionSchema({ properties = {}, ...others }: JsonSchema): JsonSchema {
  const fields = Object.entries<FormField>(properties).map(
    ([name, field]) => [name, fieldSchema(field)] as const,
  );
  return { type: "object", ...others, properties: Object.fromEntries(fields) };
}

function fieldSchema(field: FormField): JsonSchema {
  if (field.type === "array") return { ...field, uniqueItems: true };
  const { enum: values, enumNames = [], ...others } = field;
  if (!values || enumNames.length !== values.length) return field;
  return {
    ...others,
    oneOf: values.map((value, index) => ({ const: value, title: enumNames[index] ?? "" })),
  };
}

/** With every field that has a default, since people see and change them before they are sent. */
export function withDefaults(schema: JsonSchema): JsonSchema {
  const { properties = {}, required = [] } = schema;
  const given = Object.keys(properties).filter((name) => properties[name]?.default !== undefined);
  return { ...schema, required: [...required, ...given] };
}

/** What has to be filled in and is not, for the fields of a form. */
export function missingIn(schema: JsonSchema, content: Record<string, unknown>, form: string): Refusals {
  const missing = (schema.required ?? []).filter((name) => {
    const value = content[name];
    return (
      value === undefined ||
      (Array.isArray(value) && value.length < (schema.properties?.[name]?.minItems ?? 0))
    );
  });
  return new Map(missing.map((name) => [`${form}-${name}`, "It is needed."]));
}
