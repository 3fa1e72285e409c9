import type { JsonSchema } from "@tenon/runtime/manifest";

/**
 * What is wrong with what was typed into a field of a form, in words. The server has the last word; this is what would only
 * be typed again.
 */
export function textProblem(value: string, schema: JsonSchema): string | undefined {
  if (isNumeric(schema)) return numberProblem(value, schema);
  const { minLength = 0, maxLength = Infinity, format = "" } = schema;
  if (value === "") return "It is needed.";
  const length = [...value].length;
  if (length < minLength) return `It must have ${minLength} characters or more, and has ${length}.`;
  if (length > maxLength) return `It must have no more than ${maxLength} characters, and has ${length}.`;
  const known = FORMATS[format];
  return known && !known.isValid(value) ? `It must be ${known.name}.` : undefined;
}

/** What is wrong with how many choices were made. */
export function countProblem(
  count: number,
  { minItems = 0, maxItems = Infinity }: JsonSchema,
): string | undefined {
  if (count < minItems) return `Choose ${minItems} or more.`;
  return count > maxItems ? `Choose ${maxItems} or fewer.` : undefined;
}

export function isNumeric({ type }: JsonSchema): boolean {
  return type === "number" || type === "integer";
}

function numberProblem(value: string, { type, minimum, maximum }: JsonSchema): string | undefined {
  const number = Number(value);
  if (value.trim() === "" || Number.isNaN(number)) return "It must be a number.";
  if (type === "integer" && !Number.isInteger(number)) return "It must be a whole number.";
  if (minimum !== undefined && number < minimum) return `It must be ${minimum} or more.`;
  return maximum !== undefined && number > maximum ? `It must be ${maximum} or less.` : undefined;
}

/** The formats that forms may have. */
const FORMATS: Readonly<Record<string, { name: string; isValid(value: string): boolean }>> = {
  date: { name: "a date, such as 2030-01-31", isValid: isDate },
  "date-time": {
    name: "a date and a time, such as 2030-01-31T12:00:00Z",
    isValid: (value) =>
      isDate(value.slice(0, 10)) && /^.{10}T\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i.test(value),
  },
  email: { name: "an email address", isValid: (value) => /^[^@\s]+@[^@\s]+$/.test(value) },
  uri: { name: "a whole URL, such as https://example.com", isValid: (value) => URL.canParse(value) },
};

function isDate(value: string): boolean {
  const time = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === value;
}
