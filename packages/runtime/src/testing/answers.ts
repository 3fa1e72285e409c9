/**
 * Answers of a client to the requests of a server: from a test, a person at a terminal, or a web page.
 * @module
 */
import type { ElicitResult } from "../api/context.js";
import type { JsonSchema } from "../protocol/json-schema.js";
import { isObject } from "../protocol/jsonrpc.js";
import type {
  ClientCapabilities,
  CreateMessageParams,
  CreateMessageResult,
  Root,
} from "../protocol/specification.js";

/** Form or URL that the server asks the client to show to the user. */
export interface Elicitation {
  message: string;
  mode?: "form" | "url";
  requestedSchema?: JsonSchema;
  url?: string;
}

/** Sources of the answers to a server's requests, in either era. */
export interface Answers {
  elicit?: ((elicitation: Elicitation) => ElicitResult<object> | Promise<ElicitResult<object>>) | undefined;
  sample?: ((params: CreateMessageParams) => CreateMessageResult | Promise<CreateMessageResult>) | undefined;
  roots?: Root[] | undefined;
}

/** Returns the capabilities of a client that has these answers. */
export function getClientCapabilities({ elicit, sample, roots }: Answers = {}): ClientCapabilities {
  return {
    ...(elicit === undefined ? {} : { elicitation: { form: {}, url: {} } }),
    ...(sample === undefined ? {} : { sampling: { tools: {} } }),
    ...(roots === undefined ? {} : { roots: {} }),
  };
}

/** Answers all requests of one round of 2026-07-28, by key. */
export async function answerAll(
  answers: Answers | undefined,
  inputRequests: unknown,
): Promise<Record<string, unknown>> {
  const requests = Object.entries(isObject(inputRequests) ? inputRequests : {});
  const answered = requests.map(async ([key, request]) => {
    const { method, params } = request as { method: string; params: unknown };
    return [key, await answerRequest(answers, method, params)] as const;
  });
  return Object.fromEntries(await Promise.all(answered));
}

/**
 * Answers one request of a server.
 *
 * @returns the result, or a promise of it. A known result is returned synchronously, so that the client's next
 *   request cannot overtake it: the server may need its roots for that request
 * @throws Error if there is no answer for this method
 * @example
 * await answerRequest({ roots: [{ uri: "file:///work" }] }, "roots/list", {}) // { roots: [{ uri: "file:///work" }] }
 */
export function answerRequest(
  { elicit, sample, roots }: Answers = {},
  method: string,
  params: unknown,
): unknown {
  if (method === "elicitation/create" && elicit)
    return checkAnswer("elicit", elicit(params as Elicitation), "{ action, content }");
  if (method === "sampling/createMessage" && sample)
    return checkAnswer("sample", sample(params as CreateMessageParams), "{ role, content, model }");
  if (method === "roots/list" && roots) return { roots };
  if (method === "ping") return {};
  throw new Error(`No answer to ${method} is configured in \`answers\`.`);
}

/**
 * Returns an answer.
 *
 * @throws Error if it is not an object: a server would ask for an absent answer endlessly
 */
function checkAnswer(name: keyof Answers, answer: unknown, expected: string): unknown {
  if (answer instanceof Promise) return answer.then((each) => checkAnswer(name, each, expected));
  if (isObject(answer)) return answer;
  throw new Error(`\`answers.${name}\` returned ${String(answer)}. Return ${expected}.`);
}
