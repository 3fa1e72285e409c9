import {
  toMembers,
  toModelCall,
  toTokenCount,
  type Dialect,
  type EarlyEnd,
  type ModelAnswer,
} from "./question.js";

/** The version of the API whose format this module writes. */
const API_VERSION = "2023-06-01";

/** Maximum number of tokens of a response, which the API requires. A tool call needs far fewer. */
const MAX_OUTPUT_TOKENS = 4096;

/**
 * The Messages API of Anthropic.
 *
 * @see https://docs.anthropic.com/en/api/messages
 */
export const ANTHROPIC: Dialect = {
  path: "v1/messages",
  createHeaders: (key) => ({
    "anthropic-version": API_VERSION,
    ...(key !== undefined && { "x-api-key": key }),
  }),
  createBody: (model, { prompt, tools, instructions }) => ({
    model,
    max_tokens: MAX_OUTPUT_TOKENS,
    ...(instructions !== undefined && { system: instructions }),
    messages: [{ role: "user", content: prompt }],
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, inputSchema }) => ({
        name,
        ...(description !== undefined && { description }),
        input_schema: inputSchema,
      })),
    }),
  }),
  readAnswer,
  getEnd: (body) => EARLY_ENDS.get(toMembers(body)["stop_reason"]),
};

/** The values of `stop_reason` for a response that is incomplete. */
const EARLY_ENDS: ReadonlyMap<unknown, EarlyEnd> = new Map([
  ["max_tokens", "tokens"],
  ["model_context_window_exceeded", "tokens"],
  ["refusal", "filter"],
]);

function readAnswer(body: unknown): ModelAnswer | undefined {
  const { content, usage } = toMembers(body);
  if (!Array.isArray(content)) return undefined;
  const blocks = content.map(toMembers);
  // Tokens read from a cache, or written to one, are not part of `input_tokens`.
  const {
    input_tokens: input,
    output_tokens: output,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: written,
  } = toMembers(usage);
  return {
    text: blocks.flatMap(({ type, text }) => (type === "text" ? String(text) : [])).join("\n"),
    calls: blocks.flatMap(({ type, name, input: given }) =>
      type === "tool_use" ? toModelCall(name, given) : [],
    ),
    tokens: {
      input: toTokenCount(input) + toTokenCount(read) + toTokenCount(written),
      output: toTokenCount(output),
    },
  };
}
