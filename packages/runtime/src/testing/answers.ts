/**
 * How a test answers what a server asks its client.
 * @module
 */
import type { ElicitAnswer } from "../api/context.js";
import type { JsonSchema } from "../protocol/json-schema.js";
import { isObject } from "../protocol/jsonrpc.js";
import type {
  ClientCapabilities,
  CreateMessageParams,
  CreateMessageResult,
  Root,
} from "../protocol/specification.js";

/** A form or a URL that the server wants put before the user. */
export interface Elicitation {
  message: string;
  mode?: "form" | "url";
  requestedSchema?: JsonSchema;
  url?: string;
}

/** How questions of the server are answered, in either era. */
export interface Answers {
  elicit?: (elicitation: Elicitation) => ElicitAnswer<object> | Promise<ElicitAnswer<object>>;
  sample?: (params: CreateMessageParams) => CreateMessageResult | Promise<CreateMessageResult>;
  roots?: Root[];
}

/** The capabilities of a client that can answer this much. */
export function capabilitiesFor({ elicit, sample, roots }: Answers = {}): ClientCapabilities {
  return {
    ...(elicit === undefined ? {} : { elicitation: { form: {}, url: {} } }),
    ...(sample === undefined ? {} : { sampling: { tools: {} } }),
    ...(roots === undefined ? {} : { roots: {} }),
  };
}

/** The answers to all questions of one round, by key. */
export async function answerAll(
  answers: Answers | undefined,
  inputRequests: unknown,
): Promise<Record<string, unknown>> {
  const questions = Object.entries(isObject(inputRequests) ? inputRequests : {});
  const answered = questions.map(async ([key, question]) => {
    const { method, params } = question as { method: string; params: unknown };
    return [key, await answerQuestion(answers, method, params)] as const;
  });
  return Object.fromEntries(await Promise.all(answered));
}

/** @throws Error when the test gave no answer to questions of this kind. */
export async function answerQuestion(
  { elicit, sample, roots }: Answers = {},
  method: string,
  params: unknown,
): Promise<unknown> {
  if (method === "elicitation/create" && elicit) return elicit(params as Elicitation);
  if (method === "sampling/createMessage" && sample) return sample(params as CreateMessageParams);
  if (method === "roots/list" && roots) return { roots };
  if (method === "ping") return {};
  throw new Error(`The test gave no answer to ${method}.`);
}
