import { confirm, isCancel, log, multiselect, select, text } from "@clack/prompts";
import type { JsonSchema } from "@tenon/runtime/manifest";
import { printable } from "../remote/printable.js";
import { countProblem, isNumeric, textProblem } from "./field-problem.js";

/** A field, with the names that older revisions give to choices. */
export type FormField = JsonSchema & { enumNames?: readonly string[] };

/** Questions go where they are not mistaken for the answer of the call. */
const output = process.stderr;

/** The person at the terminal gives no more answers. */
export class NoAnswer extends Error {}

/** For what is left out. No field has it as a choice: it would be told from nothing by nobody. */
const NONE = "";

/**
 * Asks for one field of a form. Enter takes its default, or leaves it out.
 *
 * @returns undefined where it is left out
 * @throws NoAnswer when the person breaks off
 */
export async function askField(name: string, schema: FormField, isRequired: boolean): Promise<unknown> {
  const label = printable(schema.title ?? name);
  const about = schema.description === undefined ? "" : `: ${printable(schema.description)}`;
  const message = `${label}${isRequired ? "" : " (may be left out)"}${about}`;
  if (schema.type === "boolean") return askBoolean(message, schema, isRequired);
  const items = typeof schema.items === "object" ? (schema.items as FormField) : undefined;
  const choices = choicesOf(items ?? schema);
  if (items && choices) return askChoices(message, choices, schema, isRequired);
  if (choices) return askChoice(message, choices, schema.default, isRequired);
  return askText(message, schema, isRequired);
}

async function askBoolean(
  message: string,
  { default: given }: FormField,
  isRequired: boolean,
): Promise<unknown> {
  if (isRequired || typeof given === "boolean")
    return taken(await confirm({ message, output, initialValue: given === true }));
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
  given: unknown,
  isRequired: boolean,
): Promise<string | undefined> {
  const options = isRequired ? [...choices] : [...choices, { value: NONE, label: "none" }];
  const initialValue = choices.some(({ value }) => value === given) ? String(given) : NONE;
  const chosen = taken(await select({ message, options, initialValue, output }));
  return chosen === NONE ? undefined : chosen;
}

async function askChoices(
  message: string,
  options: Choice[],
  schema: FormField,
  isRequired: boolean,
): Promise<readonly string[] | undefined> {
  const given = Array.isArray(schema.default) ? schema.default.map(String) : [];
  for (;;) {
    const chosen = taken(
      await multiselect({ message, options, initialValues: given, required: false, output }),
    );
    if (chosen.length === 0 && !isRequired) return undefined;
    const problem = countProblem(chosen.length, schema);
    if (problem === undefined) return chosen;
    log.warn(problem, { output });
  }
}

async function askText(message: string, schema: FormField, isRequired: boolean): Promise<unknown> {
  const validate = (value = ""): string | undefined =>
    value === "" && !isRequired ? undefined : textProblem(value, schema);
  const placeholder =
    schema.format === "date" ? "2030-01-31" : schema.format === "date-time" ? "2030-01-31T12:00:00Z" : "";
  const typed = taken(
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

function choicesOf({ oneOf, anyOf, enum: values, enumNames }: FormField): Choice[] | undefined {
  const titled = (oneOf ?? anyOf) as { const?: unknown; title?: string }[] | undefined;
  const choices = titled?.map((each) => [each.const, each.title] as const);
  const all = choices ?? values?.map((value, index) => [value, enumNames?.[index]] as const);
  return all?.map(([value, title]) => ({ value: String(value), label: printable(title ?? String(value)) }));
}

/** @throws NoAnswer */
export function taken<T>(answer: T): Exclude<T, symbol> {
  if (isCancel(answer)) throw new NoAnswer();
  return answer as Exclude<T, symbol>;
}
