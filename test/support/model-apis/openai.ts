import { argumentsText, contentText, nextCallId, type ModelApi, type ScriptedCall } from "./model-api.js";

interface Message {
  role: string;
  content: unknown;
}

interface FunctionTool {
  function: { name: string; description?: string; parameters: unknown };
}

const USAGE = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };

/** The chat completions API of OpenAI, which many others offer too. */
export const openai: ModelApi = {
  path: /^\/v1\/chat\/completions$/,
  read(body) {
    const { messages, tools = [] } = body as unknown as { messages: Message[]; tools?: FunctionTool[] };
    const contents = (role: string): string[] =>
      messages.filter((each) => each.role === role).map(({ content }) => contentText(content));
    return {
      prompt: contents("user")[0] ?? "",
      instructions: contents("system")[0],
      tools: tools.map(({ function: { parameters, ...tool } }) => ({ ...tool, inputSchema: parameters })),
      results: contents("tool"),
    };
  },
  write: (text, calls) => ({
    object: "chat.completion",
    choices: [{ index: 0, finish_reason: finishReason(calls), message: writeMessage(text, calls) }],
    usage: USAGE,
  }),
  stream(text, calls) {
    const chunk = { id: nextCallId(), object: "chat.completion.chunk", created: 0, model: "scripted" };
    const { tool_calls: toolCalls, ...message } = writeMessage(text, calls);
    const delta = {
      ...message,
      ...(toolCalls && { tool_calls: toolCalls.map((call, index) => ({ index, ...call })) }),
    };
    return [
      { ...chunk, choices: [{ index: 0, delta, finish_reason: null }] },
      { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: finishReason(calls) }], usage: USAGE },
      "[DONE]",
    ];
  },
};

function finishReason(calls: readonly ScriptedCall[]): string {
  return calls.length > 0 ? "tool_calls" : "stop";
}

interface WrittenMessage {
  role: "assistant";
  content: string | null;
  tool_calls?: { id: string; type: "function"; function: { name: string; arguments: string } }[];
}

function writeMessage(text: string, calls: readonly ScriptedCall[]): WrittenMessage {
  const toolCalls = calls.map((call) => ({
    id: nextCallId(),
    type: "function" as const,
    function: { name: call.tool, arguments: argumentsText(call) },
  }));
  return {
    role: "assistant",
    content: text || null,
    ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
  };
}
