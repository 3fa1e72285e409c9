import { argumentsText, contentText, nextCallId, type ModelApi } from "./model-api.js";

interface Block {
  type: string;
  text?: string;
  content?: unknown;
}

interface Message {
  role: string;
  content: string | Block[];
}

interface AnthropicTool {
  name: string;
  description?: string;
  input_schema: unknown;
}

const USAGE = { input_tokens: 60, cache_read_input_tokens: 40, output_tokens: 10 };

/** The Messages API of Anthropic. */
export const anthropic: ModelApi = {
  path: /^\/v1\/messages(?:\?|$)/,
  read(body) {
    const {
      messages,
      tools = [],
      system,
    } = body as unknown as {
      messages: Message[];
      tools?: AnthropicTool[];
      system?: unknown;
    };
    const blocks = messages.flatMap(({ content }) => (typeof content === "string" ? [] : content));
    return {
      prompt: contentText(messages.find(({ role }) => role === "user")?.content),
      instructions: system === undefined ? undefined : contentText(system),
      tools: tools.map(({ input_schema: inputSchema, ...tool }) => ({ ...tool, inputSchema })),
      results: blocks.filter(({ type }) => type === "tool_result").map(({ content }) => contentText(content)),
    };
  },
  write: (text, calls) => ({
    type: "message",
    role: "assistant",
    stop_reason: calls.length > 0 ? "tool_use" : "end_turn",
    content: [
      ...(text ? [{ type: "text", text }] : []),
      ...calls.map((call) => ({
        type: "tool_use",
        id: nextCallId(),
        name: call.tool,
        input: call.arguments,
      })),
    ],
    usage: USAGE,
  }),
  stream(text, calls) {
    const blocks = [
      ...(text ? [{ start: { type: "text", text: "" }, delta: { type: "text_delta", text } }] : []),
      ...calls.map((call) => ({
        start: { type: "tool_use", id: nextCallId(), name: call.tool, input: {} },
        delta: { type: "input_json_delta", partial_json: argumentsText(call) },
      })),
    ];
    const message = {
      type: "message",
      id: nextCallId(),
      role: "assistant",
      model: "scripted",
      content: [],
      usage: USAGE,
    };
    const stop = calls.length > 0 ? "tool_use" : "end_turn";
    return [
      { type: "message_start", message: { ...message, stop_reason: null, stop_sequence: null } },
      ...blocks.flatMap(({ start, delta }, index) => [
        { type: "content_block_start", index, content_block: start },
        { type: "content_block_delta", index, delta },
        { type: "content_block_stop", index },
      ]),
      {
        type: "message_delta",
        delta: { stop_reason: stop, stop_sequence: null },
        usage: { output_tokens: 10 },
      },
      { type: "message_stop" },
    ];
  },
};
