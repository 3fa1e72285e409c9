import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { FOREIGN } from "../wire/recorder.mjs";

/** A request that the model received, in the terms of both APIs. */
export interface ScriptedRequest {
  api: "openai" | "anthropic";
  model: string;
  prompt: string;
  instructions: string | undefined;
  tools: { name: string; description?: string; inputSchema: unknown }[];
  headers: IncomingHttpHeaders;
  /** The body as sent. */
  body: Record<string, unknown>;
  /** The number of earlier requests with the same prompt. */
  earlier: number;
}

/** A response of the model: calls of tools, text, or anything that a broken endpoint sends. */
export interface ScriptedResponse {
  calls?: { tool: string; arguments: object | string }[];
  text?: string;
  status?: number;
  headers?: Record<string, string>;
  /** The whole body, instead of a message of the model. */
  raw?: string;
  delayMs?: number;
  /** Whether to end the connection without a response. */
  isDropped?: boolean;
}

/** A server that responds as models do, over the APIs of OpenAI and Anthropic. */
export interface ScriptedModel {
  /** The origin, such as `http://127.0.0.1:41234`. */
  url: string;
  /** The variables with which `tenon eval` finds it. */
  env: Record<"openai" | "anthropic", Record<string, string>>;
  requests: ScriptedRequest[];
  close(): Promise<void>;
}

/** The key that the environment contains. The model accepts any. */
export const SCRIPTED_KEY = "sk-test-3f9a1c7e5b2d4860";

/** Starts a model that responds as the script requires. */
export async function startScriptedModel(
  script: (request: ScriptedRequest) => ScriptedResponse | Promise<ScriptedResponse>,
): Promise<ScriptedModel> {
  const requests: ScriptedRequest[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const received = await readRequest(request, requests);
      if (received === undefined) return void response.writeHead(404).end("{}");
      requests.push(received);
      const scripted = await script(received);
      if (scripted.delayMs !== undefined) await new Promise((done) => setTimeout(done, scripted.delayMs));
      if (scripted.isDropped === true) return void response.destroy();
      const body = scripted.raw ?? JSON.stringify(writeMessage(received.api, scripted));
      response
        .writeHead(scripted.status ?? 200, { "content-type": "application/json", ...scripted.headers })
        .end(body);
    })();
  });
  // Its messages are not part of the protocol.
  Object.assign(server, { [FOREIGN]: true });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    env: {
      openai: { OPENAI_API_KEY: SCRIPTED_KEY, OPENAI_BASE_URL: `${url}/v1` },
      anthropic: { ANTHROPIC_API_KEY: SCRIPTED_KEY, ANTHROPIC_BASE_URL: url },
    },
    requests,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

interface Message {
  role: string;
  content: string;
}

async function readRequest(
  request: IncomingMessage,
  earlier: readonly ScriptedRequest[],
): Promise<ScriptedRequest | undefined> {
  let text = "";
  for await (const part of request) text += String(part);
  const { headers, url } = request;
  const body = JSON.parse(text) as Record<string, unknown>;
  const { model, messages, tools = [] } = body as { model: string; messages: Message[]; tools?: unknown[] };
  const prompt = messages.find(({ role }) => role === "user")?.content ?? "";
  const common = {
    model,
    prompt,
    headers,
    body,
    earlier: earlier.filter((each) => each.prompt === prompt).length,
  };
  if (url === "/v1/chat/completions")
    return {
      ...common,
      api: "openai",
      instructions: messages.find(({ role }) => role === "system")?.content,
      tools: tools.map((each) => {
        const { name, description, parameters } = (each as { function: Record<string, unknown> }).function;
        return { name: String(name), description: description as string, inputSchema: parameters };
      }),
    };
  if (url === "/v1/messages")
    return {
      ...common,
      api: "anthropic",
      instructions: body["system"] as string | undefined,
      tools: tools.map((each) => {
        const { name, description, input_schema: inputSchema } = each as Record<string, unknown>;
        return { name: String(name), description: description as string, inputSchema };
      }),
    };
  return undefined;
}

function writeMessage(api: ScriptedRequest["api"], { calls = [], text = "" }: ScriptedResponse): object {
  if (api === "openai")
    return {
      object: "chat.completion",
      choices: [
        {
          index: 0,
          finish_reason: calls.length > 0 ? "tool_calls" : "stop",
          message: {
            role: "assistant",
            content: text || null,
            ...(calls.length > 0 && {
              tool_calls: calls.map((call, index) => ({
                id: `call_${index}`,
                type: "function",
                function: {
                  name: call.tool,
                  arguments:
                    typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments),
                },
              })),
            }),
          },
        },
      ],
      usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
    };
  return {
    type: "message",
    role: "assistant",
    stop_reason: calls.length > 0 ? "tool_use" : "end_turn",
    content: [
      ...(text ? [{ type: "text", text }] : []),
      ...calls.map((call, index) => ({
        type: "tool_use",
        id: `toolu_${index}`,
        name: call.tool,
        input: call.arguments,
      })),
    ],
    usage: { input_tokens: 60, cache_read_input_tokens: 40, output_tokens: 10 },
  };
}
