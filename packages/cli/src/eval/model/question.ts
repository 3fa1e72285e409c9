import type { Tool } from "@tenon/runtime/manifest";

/** A request to a model: one message of a user, with the tools of a server. */
export interface ModelQuestion {
  readonly prompt: string;
  /** The tools as the server lists them. */
  readonly tools: readonly Tool[];
  /** The server's instructions, which clients pass to models as a system prompt. */
  readonly instructions?: string | undefined;
}

/** A tool call in a model's response. */
export interface ModelCall {
  readonly tool: string;
  /** Absent if the model wrote arguments that are not a JSON object. */
  readonly arguments?: Readonly<Record<string, unknown>>;
  /** The text that is not a JSON object. */
  readonly invalidArguments?: string;
}

/** The numbers of tokens that an endpoint reports. 0 if it reports none. */
export interface TokenUsage {
  readonly input: number;
  readonly output: number;
}

/** The response of a model. */
export interface ModelAnswer {
  readonly calls: readonly ModelCall[];
  readonly text: string;
  readonly tokens: TokenUsage;
}

/** Why a response is incomplete: it reached the maximum number of tokens, or the endpoint's safety filter stopped it. */
export type EarlyEnd = "tokens" | "filter";

/** The format of the requests and responses of an API. */
export interface Dialect {
  /** The path of the request, added to the base URL. */
  readonly path: string;
  /** Returns the headers with the key. */
  createHeaders(key: string | undefined): Record<string, string>;
  createBody(model: string, question: ModelQuestion): object;
  /** Returns undefined if the body is not a response of this API. */
  readAnswer(body: unknown): ModelAnswer | undefined;
  /** Returns why a response ended before the model was done, so that its calls may be missing. Undefined if it is complete. */
  getEnd(body: unknown): EarlyEnd | undefined;
}

/** Returns the members of an object, or none for any other value. */
export function toMembers(value: unknown): Record<string, unknown> {
  return Object(value) as Record<string, unknown>;
}

/** Returns a count that an endpoint reports, or 0. */
export function toTokenCount(value: unknown): number {
  return typeof value === "number" && value >= 0 ? value : 0;
}

/** Converts a tool call. Its arguments may be an object, or the JSON of one; any others are kept as text. */
export function toModelCall(tool: unknown, given: unknown): ModelCall {
  const name = String(tool);
  const value = typeof given === "string" ? parseArguments(given) : given;
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return { tool: name, arguments: value as Record<string, unknown> };
  return { tool: name, invalidArguments: typeof given === "string" ? given : JSON.stringify(given ?? null) };
}

function parseArguments(text: string): unknown {
  // Some endpoints send no text for a call without arguments.
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
