import type { JsonSchema } from "../../protocol/json-schema.js";
import { findForm } from "./forms.js";
import { readAction, readFormAnswer, readRoots } from "./questions.js";
import { readMessage } from "./sampling.js";
import type { Forms } from "./served-form.js";

/** A question without the handler that asked it. */
export interface StoredQuestion {
  readonly method: string;
  readonly params: object;
  /** See `Question`. */
  readonly form?: string | undefined;
}

/**
 * Reads an answer to a question that another process asked.
 *
 * @throws AnswerError for an answer that does not fit the question
 */
export function readStoredAnswer(
  { method, params, form }: StoredQuestion,
  answer: unknown,
  forms: Forms,
): unknown {
  if (method === "sampling/createMessage") return readMessage(answer);
  if (method === "roots/list") return readRoots(answer);
  const { mode, requestedSchema } = params as { mode?: string; requestedSchema?: JsonSchema };
  if (mode === "url") return readAction(answer);
  // A process of another version of the server may have asked with a form that this one lacks, or that differs here.
  const own = form === undefined ? undefined : forms.derived.get(form);
  const isSame = own !== undefined && JSON.stringify(own.requestedSchema) === JSON.stringify(requestedSchema);
  return readFormAnswer(findForm(forms, form, isSame ? undefined : requestedSchema), answer);
}
