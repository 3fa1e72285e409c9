import { argumentsText, contentText, nextCallId, type ModelApi, type OfferedTool } from "./model-api.js";

interface Item {
  type?: string;
  role?: string;
  content?: unknown;
  output?: unknown;
}

interface ResponsesTool {
  type: string;
  name: string;
  description?: string;
  parameters?: unknown;
  /** The tools of a namespace, which Codex offers for each server. */
  tools?: ResponsesTool[];
}

/** Separates a namespace from the name of a tool. */
const NAMESPACE_END = "/";

/** The Responses API of OpenAI. Names of tools in a namespace are `namespace/name`. */
export const openaiResponses: ModelApi = {
  path: /^\/v1\/responses$/,
  read(body) {
    const {
      input,
      tools = [],
      instructions,
    } = body as unknown as {
      input: Item[];
      tools?: ResponsesTool[];
      instructions?: string;
    };
    return {
      prompt: contentText(input.find(({ role }) => role === "user")?.content),
      instructions,
      tools: tools.flatMap((tool) => readTool(tool)),
      results: input
        .filter(({ type }) => type === "function_call_output")
        .map(({ output }) => contentText(output)),
    };
  },
  write: (text, calls) => ({
    id: nextCallId(),
    object: "response",
    status: "completed",
    output: [
      ...(text
        ? [{ type: "message", id: nextCallId(), role: "assistant", content: [{ type: "output_text", text }] }]
        : []),
      ...calls.map((call) => ({
        type: "function_call",
        id: nextCallId(),
        call_id: nextCallId(),
        ...splitName(call.tool),
        arguments: argumentsText(call),
      })),
    ],
    usage: { input_tokens: 100, output_tokens: 10, total_tokens: 110 },
  }),
  stream(text, calls) {
    const response = this.write(text, calls) as { id: string; output: object[] };
    return [
      { type: "response.created", response: { id: response.id } },
      ...response.output.map((item, index) => ({
        type: "response.output_item.done",
        output_index: index,
        item,
      })),
      { type: "response.completed", response },
    ];
  },
};

function readTool(
  { type, name, description, parameters, tools }: ResponsesTool,
  namespace?: string,
): OfferedTool[] {
  if (type === "namespace") return (tools ?? []).flatMap((tool) => readTool(tool, name));
  // Others are tools of the API itself, such as a search of the web.
  if (type !== "function") return [];
  const fullName = namespace === undefined ? name : `${namespace}${NAMESPACE_END}${name}`;
  return [{ name: fullName, ...(description !== undefined && { description }), inputSchema: parameters }];
}

function splitName(fullName: string): { name: string; namespace?: string } {
  const [namespace, name] = fullName.split(NAMESPACE_END);
  return name === undefined ? { name: fullName } : { name, namespace: namespace ?? "" };
}
