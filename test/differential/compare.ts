import type { Sent } from "./requests.js";

/** A response, reduced to the properties on which both servers must agree. */
export interface Received {
  status: number;
  /** `result`, `error <code>`, `nothing`, or a description of the response. */
  answer: string;
  /** Origin of the ID in the response. */
  id: "the request's" | "null" | "none";
  result?: unknown;
  /** Data of an error. */
  data?: unknown;
}

/** A path at which the responses to one request differ. */
export interface Difference {
  sent: Sent;
  /** Such as `status` or `result.tools.0.title`. */
  path: string;
  ours: unknown;
  theirs: unknown;
}

interface Message {
  id?: unknown;
  result?: object;
  error?: { code: number; data?: unknown };
}

/** Sends a request and reads the whole response, JSON or an event stream. */
export async function exchange(url: string, sent: Sent, session?: string): Promise<Received> {
  const response = await fetch(url, {
    method: sent.verb,
    headers: { ...sent.headers, ...(session === undefined ? {} : { "mcp-session-id": session }) },
    ...(sent.verb === "HEAD" ? {} : { body: sent.body }),
  });
  const text = await response.text();
  const isEvents = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  const parts = isEvents ? text.split("\n").map((line) => /^data:(.*)/.exec(line)?.[1] ?? "") : [text];
  // An event without data begins a stream that can be resumed.
  const texts = parts.filter((each) => each.trim() !== "");
  const [only, ...more] = texts;
  const { status } = response;
  if (only === undefined) return { status, answer: "nothing", id: "none" };
  if (more.length > 0) return { status, answer: `${texts.length} messages`, id: "none" };
  return { status, ...reduce(parse(only)) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Reduces a message to its kind, ID, and data. The texts of errors are not compared, in JSON-RPC errors or in results
 * with `isError`.
 */
function reduce(message: unknown): Omit<Received, "status"> {
  if (typeof message !== "object" || message === null || Array.isArray(message)) {
    return { answer: "no JSON-RPC message", id: "none" };
  }
  const { id: given, result, error } = message as Message;
  const id = given === undefined ? "none" : given === null ? "null" : "the request's";
  if (error !== undefined) return { answer: `error ${error.code}`, id, data: error.data };
  if (result === undefined) return { answer: "no JSON-RPC response", id };
  const isError = "isError" in result && result.isError === true;
  return isError
    ? { answer: "result with isError", id, result: { ...result, content: "(words)" } }
    : { answer: "result", id, result };
}

/** Returns every path at which two responses differ. Their contents are compared only if they are of the same kind. */
export function findDifferences(sent: Sent, ours: Received, theirs: Received): Difference[] {
  const { result: ourResult, data: ourData, ...our } = ours;
  const { result: theirResult, data: theirData, ...their } = theirs;
  const outside = compareValues(sent, our, their, []);
  if (ours.answer !== theirs.answer) return outside;
  return [
    ...outside,
    ...compareValues(sent, ourResult, theirResult, ["result"]),
    ...compareValues(sent, ourData, theirData, ["data"]),
  ];
}

function compareValues(sent: Sent, ours: unknown, theirs: unknown, path: string[]): Difference[] {
  if (isTree(ours) && isTree(theirs)) {
    const keys = new Set([...Object.keys(ours), ...Object.keys(theirs)]);
    return [...keys].flatMap((key) => compareValues(sent, ours[key], theirs[key], [...path, key]));
  }
  return Object.is(ours, theirs) ? [] : [{ sent, path: path.join("."), ours, theirs }];
}

function isTree(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
