import type { JsonSchema } from "@tenon/runtime/manifest";
import type { FieldErrors } from "../form/parse-field-errors.js";

/** A field, with the names of choices in older revisions. */
type FormField = JsonSchema & { enumNames?: string[] };

/**
 * Converts the schema of a question for argument forms. Lists of choices become sets, and names of choices become titles.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation#supported-schema-types
 */
export function toFormSchema({ properties = {}, ...others }: JsonSchema): JsonSchema {
  const fields = Object.entries<FormField>(properties).map(
    ([name, field]) => [name, toFieldSchema(field)] as const,
  );
  return { type: "object", ...others, properties: Object.fromEntries(fields) };
}

function toFieldSchema(field: FormField): JsonSchema {
  if (field.type === "array") return { ...field, uniqueItems: true };
  const { enum: values, enumNames = [], ...others } = field;
  if (!values || enumNames.length !== values.length) return field;
  return {
    ...others,
    oneOf: values.map((value, index) => ({ const: value, title: enumNames[index] ?? "" })),
  };
}

/** Makes every field with a default required, so that the form shows the default before it is sent. */
export function requireDefaults(schema: JsonSchema): JsonSchema {
  const { properties = {}, required = [] } = schema;
  const withDefault = Object.keys(properties).filter((name) => properties[name]?.default !== undefined);
  return { ...schema, required: [...required, ...withDefault] };
}

/** Returns the messages for required fields that are empty. */
export function findMissingFields(
  schema: JsonSchema,
  content: Record<string, unknown>,
  form: string,
): FieldErrors {
  const missing = (schema.required ?? []).filter((name) => {
    const value = content[name];
    return (
      value === undefined ||
      (Array.isArray(value) && value.length < (schema.properties?.[name]?.minItems ?? 0))
    );
  });
  return new Map(missing.map((name) => [`${form}-${name}`, "This field is required."]));
}
