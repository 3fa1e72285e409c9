import type { JsonSchema } from "@tenon/runtime/manifest";

/**
 * Returns the reason why a typed value is invalid, or undefined if it is valid. The server validates the form, too;
 * this check lets the user correct the value immediately.
 */
export function findTextProblem(value: string, schema: JsonSchema): string | undefined {
  if (isNumeric(schema)) return findNumberProblem(value, schema);
  const { minLength = 0, maxLength = Infinity, format = "" } = schema;
  if (value === "") return "Enter a value.";
  const length = [...value].length;
  if (length < minLength) return `Enter at least ${minLength} characters (got ${length}).`;
  if (length > maxLength) return `Enter at most ${maxLength} characters (got ${length}).`;
  const known = FORMATS[format];
  return known && !known.isValid(value) ? `Enter ${known.name}.` : undefined;
}

/** Returns the reason why a number of choices is invalid, or undefined if it is valid. */
export function findCountProblem(
  count: number,
  { minItems = 0, maxItems = Infinity }: JsonSchema,
): string | undefined {
  if (count < minItems) return `Choose at least ${minItems}.`;
  return count > maxItems ? `Choose at most ${maxItems}.` : undefined;
}

/** Returns whether a schema describes a number. */
export function isNumeric({ type }: JsonSchema): boolean {
  return type === "number" || type === "integer";
}

function findNumberProblem(value: string, { type, minimum, maximum }: JsonSchema): string | undefined {
  const number = Number(value);
  if (value.trim() === "" || Number.isNaN(number)) return "Enter a number.";
  if (type === "integer" && !Number.isInteger(number)) return "Enter an integer.";
  if (minimum !== undefined && number < minimum) return `Enter ${minimum} or more.`;
  return maximum !== undefined && number > maximum ? `Enter ${maximum} or less.` : undefined;
}

/** The formats that forms may have. */
const FORMATS: Readonly<Record<string, { name: string; isValid(value: string): boolean }>> = {
  date: { name: "a date, such as 2030-01-31", isValid: isDate },
  "date-time": {
    name: "a date and time, such as 2030-01-31T12:00:00Z",
    isValid: (value) =>
      isDate(value.slice(0, 10)) && /^.{10}T\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i.test(value),
  },
  email: { name: "an email address", isValid: (value) => /^[^@\s]+@[^@\s]+$/.test(value) },
  uri: { name: "a complete URL, such as https://example.com", isValid: (value) => URL.canParse(value) },
};

function isDate(value: string): boolean {
  const time = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === value;
}
