import type { JsonSchema } from "@tenon/runtime/manifest";
import { toPrintable } from "../terminal/printable.js";
import { confirm, isCancel, log, multiselect, select, text } from "../terminal/prompts.js";
import { findCountProblem, isNumeric, findTextProblem } from "./field-problem.js";

/** A field of a form, with the names of choices in older revisions. */
export type FormField = JsonSchema & { enumNames?: readonly string[] };

/** Prompts go to stderr, so that stdout contains only the result of the call. */
const output = process.stderr;

/** Thrown when the user cancels a prompt. */
export class PromptCancelledError extends Error {}

/** The value of the choice to omit a field. */
const NONE = "";

/**
 * Prompts for one field of a form. Enter accepts its default, or omits it.
 *
 * @returns the value, or undefined if the user omits the field
 * @throws PromptCancelledError if the user cancels
 */
export async function askField(name: string, schema: FormField, isRequired: boolean): Promise<unknown> {
  const label = toPrintable(schema.title ?? name);
  const suffix = schema.description === undefined ? "" : `: ${toPrintable(schema.description)}`;
  const message = `${label}${isRequired ? "" : " (optional)"}${suffix}`;
  if (schema.type === "boolean") return askBoolean(message, schema, isRequired);
  const items = typeof schema.items === "object" ? (schema.items as FormField) : undefined;
  const choices = getChoices(items ?? schema);
  if (items && choices) return askChoices(message, choices, schema, isRequired);
  if (choices) return askChoice(message, choices, schema.default, isRequired);
  return askText(message, schema, isRequired);
}

async function askBoolean(
  message: string,
  { default: defaultValue }: FormField,
  isRequired: boolean,
): Promise<unknown> {
  if (isRequired || typeof defaultValue === "boolean")
    return unwrap(await confirm({ message, output, initialValue: defaultValue === true }));
  const choices = [
    { value: "yes", label: "Yes" },
    { value: "no", label: "No" },
  ];
  const chosen = await askChoice(message, choices, undefined, false);
  return chosen === undefined ? undefined : chosen === "yes";
}

async function askChoice(
  message: string,
  choices: readonly Choice[],
  defaultValue: unknown,
  isRequired: boolean,
): Promise<string | undefined> {
  const options = isRequired ? [...choices] : [...choices, { value: NONE, label: "None" }];
  const initialValue = choices.some(({ value }) => value === defaultValue) ? String(defaultValue) : NONE;
  const chosen = unwrap(await select({ message, options, initialValue, output }));
  return chosen === NONE ? undefined : chosen;
}

async function askChoices(
  message: string,
  options: Choice[],
  schema: FormField,
  isRequired: boolean,
): Promise<readonly string[] | undefined> {
  const defaultValue = Array.isArray(schema.default) ? schema.default.map(String) : [];
  for (;;) {
    const chosen = unwrap(
      await multiselect({ message, options, initialValues: defaultValue, required: false, output }),
    );
    if (chosen.length === 0 && !isRequired) return undefined;
    const problem = findCountProblem(chosen.length, schema);
    if (problem === undefined) return chosen;
    log.warn(problem, { output });
  }
}

async function askText(message: string, schema: FormField, isRequired: boolean): Promise<unknown> {
  const validate = (value = ""): string | undefined =>
    value === "" && !isRequired ? undefined : findTextProblem(value, schema);
  const placeholder =
    schema.format === "date" ? "2030-01-31" : schema.format === "date-time" ? "2030-01-31T12:00:00Z" : "";
  const typed = unwrap(
    await text({
      message,
      output,
      validate,
      placeholder,
      ...(schema.default !== undefined && { initialValue: String(schema.default) }),
    }),
  );
  if (typed === "" && !isRequired) return undefined;
  return isNumeric(schema) ? Number(typed) : typed;
}

interface Choice {
  value: string;
  label: string;
}

function getChoices({ oneOf, anyOf, enum: values, enumNames }: FormField): Choice[] | undefined {
  const titled = (oneOf ?? anyOf) as { const?: unknown; title?: string }[] | undefined;
  const choices = titled?.map((each) => [each.const, each.title] as const);
  const all = choices ?? values?.map((value, index) => [value, enumNames?.[index]] as const);
  return all?.map(([value, title]) => ({ value: String(value), label: toPrintable(title ?? String(value)) }));
}

/**
 * Returns the answer to a prompt.
 *
 * @throws PromptCancelledError if the user cancelled it
 */
export function unwrap<T>(answer: T): Exclude<T, symbol> {
  if (isCancel(answer)) throw new PromptCancelledError();
  return answer as Exclude<T, symbol>;
}
