import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { FOREIGN } from "../wire/recorder.mjs";
import { anthropic } from "./model-apis/anthropic.js";
import { gemini } from "./model-apis/gemini.js";
import type { ModelApi, ModelApiName, ScriptedCall, ScriptedRequest } from "./model-apis/model-api.js";
import { openai } from "./model-apis/openai.js";
import { openaiResponses } from "./model-apis/openai-responses.js";

export type { ScriptedRequest } from "./model-apis/model-api.js";

/** A response of the model: tool calls, text, or anything that a broken endpoint sends. */
export interface ScriptedResponse {
  calls?: ScriptedCall[];
  text?: string;
  status?: number;
  headers?: Record<string, string>;
  /** The whole body, instead of a message of the model. */
  raw?: string;
  delayMs?: number;
  /** Whether to end the connection without a response. */
  isDropped?: boolean;
}

/** A server that responds as models do, over the APIs of several providers. */
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
      const { raw, status = 200, text = "", calls = [] } = scripted;
      const api = APIS[received.api];
      const isStreamed = raw === undefined && isStreamRequested(request, received);
      const body = isStreamed
        ? api.stream(text, calls).map(writeEvent).join("")
        : (raw ?? JSON.stringify(api.write(text, calls)));
      const type = isStreamed ? "text/event-stream" : "application/json";
      response.writeHead(status, { "content-type": type, ...scripted.headers }).end(body);
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

const APIS: Record<ModelApiName, ModelApi> = {
  openai,
  "openai-responses": openaiResponses,
  anthropic,
  gemini,
};

async function readRequest(
  request: IncomingMessage,
  earlier: readonly ScriptedRequest[],
): Promise<ScriptedRequest | undefined> {
  let text = "";
  for await (const part of request.setEncoding("utf8")) text += String(part);
  const { headers, url = "" } = request;
  const found = Object.entries(APIS).find(([, { path }]) => path.test(url));
  if (found === undefined || request.method !== "POST") return undefined;
  const body = JSON.parse(text) as Record<string, unknown>;
  const read = found[1].read(body);
  return {
    ...read,
    api: found[0] as ModelApiName,
    model: String(body["model"]),
    headers,
    body,
    earlier: earlier.filter(({ prompt }) => prompt === read.prompt).length,
  };
}

function isStreamRequested({ url = "" }: IncomingMessage, { body }: ScriptedRequest): boolean {
  return body["stream"] === true || url.includes(":streamGenerateContent");
}

function writeEvent(event: object | string): string {
  const { type } = event as { type?: string };
  const data = typeof event === "string" ? event : JSON.stringify(event);
  return `${type === undefined ? "" : `event: ${type}\n`}data: ${data}\n\n`;
}
