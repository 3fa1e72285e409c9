import type { IncomingHttpHeaders } from "node:http";

/** The names of the APIs of models that the scripted model serves. */
export type ModelApiName = "openai" | "openai-responses" | "anthropic" | "gemini";

/** A tool that a request offers to the model. */
export interface OfferedTool {
  /** The name by which a response calls the tool. */
  name: string;
  description?: string;
  inputSchema: unknown;
}

/** The parts of a request that each API writes in its own way. */
export interface ReadRequest {
  /** The text of the first message of the user. */
  prompt: string;
  instructions: string | undefined;
  tools: OfferedTool[];
  /** The results of the calls so far, as the model reads them. */
  results: string[];
}

/** A request that the model received, in the terms of all APIs. */
export interface ScriptedRequest extends ReadRequest {
  api: ModelApiName;
  model: string;
  headers: IncomingHttpHeaders;
  /** The body as sent. */
  body: Record<string, unknown>;
  /** The number of earlier requests with the same prompt. */
  earlier: number;
}

/** A tool call in a response of the model. A string is sent as it is, even if it is not JSON. */
export interface ScriptedCall {
  tool: string;
  arguments: object | string;
}

/** An API of models: how it writes requests and responses. */
export interface ModelApi {
  /** Matches the path of its requests. */
  path: RegExp;
  read(body: Record<string, unknown>): ReadRequest;
  /** Returns a response in one message. */
  write(text: string, calls: readonly ScriptedCall[]): object;
  /** Returns the events of a response that is sent as a stream. */
  stream(text: string, calls: readonly ScriptedCall[]): (object | string)[];
}

/** Returns the text of content, which is a string or a list of parts with a text. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part: { text?: string }) => part.text ?? "").join("");
}

/** Returns the arguments of a call as JSON text. */
export function argumentsText({ arguments: args }: ScriptedCall): string {
  return typeof args === "string" ? args : JSON.stringify(args);
}

let calls = 0;

/** Returns an ID that no other call of the scripted model has. */
export function nextCallId(): string {
  return `call_${calls++}`;
}
