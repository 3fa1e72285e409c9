import {
  toMembers,
  toModelCall,
  toTokenCount,
  type Dialect,
  type EarlyEnd,
  type ModelAnswer,
} from "./question.js";

/**
 * The Chat Completions API of OpenAI, which other services and local programs also serve.
 *
 * @see https://platform.openai.com/docs/api-reference/chat/create
 */
export const OPENAI: Dialect = {
  path: "chat/completions",
  createHeaders: (key) => (key === undefined ? {} : { authorization: `Bearer ${key}` }),
  createBody: (model, { prompt, tools, instructions }) => ({
    model,
    messages: [
      ...(instructions === undefined ? [] : [{ role: "system", content: instructions }]),
      { role: "user", content: prompt },
    ],
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, inputSchema }) => ({
        type: "function",
        function: { name, ...(description !== undefined && { description }), parameters: inputSchema },
      })),
    }),
  }),
  readAnswer,
  getEnd: (body) => EARLY_ENDS.get(readChoice(body)["finish_reason"]),
};

/** The values of `finish_reason` for a response that is incomplete. */
const EARLY_ENDS: ReadonlyMap<unknown, EarlyEnd> = new Map([
  ["length", "tokens"],
  ["content_filter", "filter"],
]);

function readChoice(body: unknown): Record<string, unknown> {
  const { choices } = toMembers(body);
  return toMembers(Array.isArray(choices) ? choices[0] : undefined);
}

function readAnswer(body: unknown): ModelAnswer | undefined {
  const { usage } = toMembers(body);
  const { message } = readChoice(body);
  if (typeof message !== "object" || message === null) return undefined;
  const { content, tool_calls: calls } = toMembers(message);
  const { prompt_tokens: input, completion_tokens: output } = toMembers(usage);
  return {
    text: typeof content === "string" ? content : "",
    calls: (Array.isArray(calls) ? calls : []).map((call) => {
      const { name, arguments: given } = toMembers(toMembers(call)["function"]);
      return toModelCall(name, given);
    }),
    tokens: { input: toTokenCount(input), output: toTokenCount(output) },
  };
}
