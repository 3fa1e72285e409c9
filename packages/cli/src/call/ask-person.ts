import { confirm, isCancel, log, multiselect, select, text } from "@clack/prompts";
import type { JsonSchema } from "@tenon/runtime/manifest";
import type { Answers } from "@tenon/runtime/testing";
import { printable, printableValue } from "../remote/printable.js";

type Elicit = NonNullable<Answers["elicit"]>;

/** Questions go where they are not mistaken for the answer of the call. */
const output = process.stderr;

/** The person at the terminal gives no more answers. */
class NoAnswer extends Error {}

/** Puts what a server asks to the person at the terminal. Ctrl-C and Esc cancel the question, not the call. */
export const askPerson: Elicit = async (question) => {
  const { message, requestedSchema, url } = shown(question);
  log.message(message, { output });
  try {
    if (url !== undefined) {
      log.message(url, { output });
      const isDone = taken(await confirm({ message: "Done?", output }));
      return isDone ? { action: "accept", content: {} } : { action: "decline" };
    }
    const content: Record<string, unknown> = {};
    for (const [name, schema] of Object.entries(requestedSchema?.properties ?? {})) {
      const isRequired = requestedSchema?.required?.includes(name) ?? false;
      const answer = await askField(name, schema as JsonSchema, isRequired);
      if (answer !== undefined) content[name] = answer;
    }
    const isSent = taken(await confirm({ message: "Send this answer?", output }));
    return isSent ? { action: "accept", content } : { action: "decline" };
  } catch (error) {
    if (error instanceof NoAnswer) return { action: "cancel" };
    throw error;
  }
};

/** What a server asks may be anybody's text; names of fields are what is sent back, and stay. */
function shown(question: Parameters<Elicit>[0]): Parameters<Elicit>[0] {
  const { requestedSchema, ...others } = question;
  return { ...printableValue(others), ...(requestedSchema && { requestedSchema }) };
}

async function askField(name: string, schema: JsonSchema, isRequired: boolean): Promise<unknown> {
  const label = printable(schema.title ?? name);
  const message = `${label}${isRequired ? "" : " (may be left out)"}${schema.description ? `: ${printable(schema.description)}` : ""}`;
  if (schema.type === "boolean") {
    return taken(await confirm({ message, output, initialValue: schema.default === true }));
  }
  const items = typeof schema.items === "object" ? (schema.items as JsonSchema) : undefined;
  const choices = choicesOf(items ?? schema);
  if (items && choices)
    return taken(await multiselect({ message, options: choices, required: isRequired, output }));
  if (choices) {
    const none = isRequired ? [] : [{ value: "", label: "none" }];
    return taken(await select({ message, options: [...choices, ...none], output })) || undefined;
  }
  const validate = (value = ""): string | undefined =>
    value === "" && !isRequired ? undefined : fieldProblem(value, schema);
  const typed = taken(
    await text({
      message,
      output,
      validate,
      ...(schema.default !== undefined && { initialValue: String(schema.default) }),
    }),
  );
  if (typed === "" && !isRequired) return undefined;
  return isNumeric(schema) ? Number(typed) : typed;
}

function choicesOf(schema: JsonSchema): { value: string; label: string }[] | undefined {
  const titled = (schema.oneOf ?? schema.anyOf) as { const?: unknown; title?: string }[] | undefined;
  if (titled)
    return titled.map((each) => ({
      value: String(each.const),
      label: printable(each.title ?? String(each.const)),
    }));
  return schema.enum?.map((value) => ({ value: String(value), label: printable(String(value)) }));
}

/** The server has the last word; this is what would only be typed again. */
function fieldProblem(value: string, schema: JsonSchema): string | undefined {
  if (!isNumeric(schema)) return value === "" ? "It is needed." : undefined;
  const number = Number(value);
  if (value.trim() === "" || Number.isNaN(number)) return "It must be a number.";
  if (schema.type === "integer" && !Number.isInteger(number)) return "It must be a whole number.";
  if (schema.minimum !== undefined && number < schema.minimum) return `It must be ${schema.minimum} or more.`;
  if (schema.maximum !== undefined && number > schema.maximum) return `It must be ${schema.maximum} or less.`;
  return undefined;
}

function isNumeric({ type }: JsonSchema): boolean {
  return type === "number" || type === "integer";
}

function taken<T>(answer: T | symbol): T {
  if (isCancel(answer)) throw new NoAnswer();
  return answer as T;
}
