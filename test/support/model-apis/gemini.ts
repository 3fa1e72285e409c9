import { contentText, type ModelApi } from "./model-api.js";

interface Part {
  text?: string;
  functionResponse?: { response: Record<string, unknown> };
}

interface FunctionDeclaration {
  name: string;
  description?: string;
  parametersJsonSchema?: unknown;
  parameters?: unknown;
}

/** The API of Gemini. Its streams consist of whole messages. */
export const gemini: ModelApi = {
  path: /^\/v1beta\/models\/[^/]+:(?:stream)?[gG]enerateContent/,
  read(body) {
    const {
      contents,
      tools = [],
      systemInstruction,
    } = body as unknown as {
      contents: { role: string; parts: Part[] }[];
      tools?: { functionDeclarations?: FunctionDeclaration[] }[];
      systemInstruction?: { parts: Part[] };
    };
    return {
      prompt: contentText(contents.find(({ role }) => role === "user")?.parts),
      instructions: systemInstruction && contentText(systemInstruction.parts),
      tools: tools
        .flatMap(({ functionDeclarations = [] }) => functionDeclarations)
        .map(({ parametersJsonSchema, parameters, ...tool }) => ({
          ...tool,
          inputSchema: parametersJsonSchema ?? parameters,
        })),
      results: contents
        .flatMap(({ parts }) => parts)
        .flatMap(({ functionResponse }) => functionResponse ?? [])
        .map(({ response }) => readResult(response)),
    };
  },
  write: (text, calls) => ({
    candidates: [
      {
        index: 0,
        finishReason: "STOP",
        content: {
          role: "model",
          parts: [
            ...(text ? [{ text }] : []),
            ...calls.map((call) => ({ functionCall: { name: call.tool, args: call.arguments } })),
          ],
        },
      },
    ],
    usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 10, totalTokenCount: 110 },
  }),
  stream(text, calls) {
    return [this.write(text, calls)];
  },
};

/** Returns the only text of a result, or all of it as JSON. */
function readResult(response: Record<string, unknown>): string {
  const [only, ...others] = Object.values(response);
  return typeof only === "string" && others.length === 0 ? only : JSON.stringify(response);
}
