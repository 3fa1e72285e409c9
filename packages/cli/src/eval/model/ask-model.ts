import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../../terminal/failure.js";
import { describeConnectionError } from "./connection-error.js";
import type { Endpoint } from "./endpoint.js";
import { toMembers, type EarlyEnd, type ModelAnswer, type ModelQuestion } from "./question.js";

/** Thrown when one request has no usable response. Other requests may succeed. */
export class UnansweredError extends Error {
  override readonly name = "UnansweredError";
}

/** The options of a request to a model. */
export interface RequestOptions {
  readonly model: string;
  /** Maximum duration of one attempt, in milliseconds. */
  readonly timeoutMs: number;
  /** Cancels the request. */
  readonly signal: AbortSignal;
}

const MAX_ATTEMPTS = 5;
const INITIAL_RETRY_DELAY_MS = 1000;
/** Maximum time to wait before another attempt. If an endpoint requires a longer wait, the request fails. */
const MAX_RETRY_DELAY_MS = 60_000;
/** Maximum length of an endpoint's message in an error. */
const MAX_MESSAGE_CHARACTERS = 300;

/** Status codes of failures that are usually temporary. 529 is Anthropic's code for an overloaded service. */
const RETRIED: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504, 529]);

/**
 * Sends a question to a model. Repeats requests that the endpoint rejects temporarily, after the delay that it requires.
 *
 * @throws UnansweredError if this request has no usable response
 * @throws Failure if no request would have one, for example because the key is wrong. No message contains the key
 */
export async function askModel(
  endpoint: Endpoint,
  question: ModelQuestion,
  { model, timeoutMs, signal }: RequestOptions,
): Promise<ModelAnswer> {
  const { dialect, url, key } = endpoint;
  const body = JSON.stringify(dialect.createBody(model, question));
  const headers = { "content-type": "application/json", ...dialect.createHeaders(key) };
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted();
    const timeout = AbortSignal.timeout(timeoutMs);
    let response: Response;
    let text: string;
    try {
      response = await fetch(url, {
        method: "POST",
        headers,
        body,
        // A redirect would send the key to another server.
        redirect: "manual",
        signal: AbortSignal.any([signal, timeout]),
      });
      text = hideKey(await response.text(), key);
    } catch (error) {
      signal.throwIfAborted();
      if (timeout.aborted)
        throw new UnansweredError(`The model did not respond within ${timeoutMs / 1000} seconds.`, {
          cause: error,
        });
      const { message, hint, isLasting } = describeConnectionError(error, endpoint);
      if (isLasting) throw new Failure(message, { cause: error, ...(hint !== undefined && { hint }) });
      if (attempt === MAX_ATTEMPTS) throw new UnansweredError(message, { cause: error });
      await sleep(getRetryDelay(attempt), undefined, { signal });
      continue;
    }
    if (response.ok) return readAnswer(endpoint, text, response);
    const failure = toFailure(endpoint, model, response, text);
    if (!(failure instanceof UnansweredError)) throw failure;
    const delay = getRetryDelay(attempt, response.headers.get("retry-after"));
    if (delay > MAX_RETRY_DELAY_MS)
      throw new UnansweredError(
        `${failure.message} It accepts requests again in ${Math.ceil(delay / 1000)} seconds.`,
      );
    if (attempt === MAX_ATTEMPTS) throw failure;
    await sleep(delay, undefined, { signal });
  }
}

const END_TEXTS: Readonly<Record<EarlyEnd, string>> = {
  tokens: "The model reached its maximum number of tokens before its response was complete.",
  filter: "The endpoint's safety filter stopped the response.",
};

/** Hides the key in a response: an endpoint may repeat it in an error, and a model in an argument. */
function hideKey(text: string, key: string | undefined): string {
  return key === undefined ? text : text.replaceAll(key, "(key)");
}

function readAnswer(
  { dialect, shownUrl, variables }: Endpoint,
  text: string,
  { headers }: Response,
): ModelAnswer {
  const body = parseJson(text);
  const end = dialect.getEnd(body);
  if (end !== undefined) throw new UnansweredError(END_TEXTS[end]);
  const answer = dialect.readAnswer(body);
  if (answer) return answer;
  const { message } = readError(text);
  const detail =
    message === undefined ? (headers.get("content-type") ?? "no content type") : shorten(message);
  throw new Failure(`${shownUrl} did not respond with a model's message (${detail}).`, {
    hint: `Check ${variables.baseUrl} and --api. A proxy may also respond in place of the endpoint.`,
  });
}

/** Returns the error for a status code: `UnansweredError` if another attempt may succeed. */
function toFailure(
  endpoint: Endpoint,
  model: string,
  response: Response,
  text: string,
): Failure | UnansweredError {
  const { shownUrl, variables, key } = endpoint;
  const { status } = response;
  const { code, message } = readError(text);
  const detail = message === undefined ? "" : ` ${shorten(message)}`;
  if (code === "insufficient_quota")
    return new Failure(`The account of ${variables.key} has no quota left (${status}).`, {
      hint: "Check its plan and its billing.",
    });
  if (RETRIED.has(status))
    return new UnansweredError(
      status === 429
        ? `${shownUrl} limits the rate of requests (429). Lower --concurrency.`
        : `${shownUrl} failed with status ${status}.`,
    );
  if (status === 401)
    // Endpoints repeat parts of a wrong key in their message.
    return new Failure(
      key === undefined
        ? `${shownUrl} requires a key (401).`
        : `${shownUrl} rejected the key in ${variables.key} (401).`,
      { hint: `Set ${variables.key} to a key of this endpoint.` },
    );
  if (status === 403)
    return new Failure(
      `${shownUrl} does not allow the model \`${model}\` for the key in ${variables.key} (403).`,
      {
        hint: "Check the permissions of the key.",
      },
    );
  if (status === 404)
    return new Failure(`${shownUrl} does not serve the model \`${model}\` (404).${detail}`, {
      hint: `Check --model and ${variables.baseUrl}.`,
    });
  if (status >= 300 && status < 400)
    return new Failure(`${shownUrl} redirects to another URL (${status}).`, {
      hint: `Set ${variables.baseUrl} to the URL of the endpoint itself.`,
    });
  return new Failure(`${shownUrl} rejected the request (${status}).${detail}`, {
    hint: "Some endpoints reject certain tool names or schema keywords: `tenon check` lists known limits.",
  });
}

/** Reads the error of a response. Both APIs send `{ error: { message } }`. */
function readError(text: string): { code?: unknown; message?: string } {
  const { error } = toMembers(parseJson(text));
  const { code, message } = toMembers(error);
  return { code, ...(typeof message === "string" && { message }) };
}

/**
 * Returns the delay before the next attempt, in milliseconds.
 *
 * @param retryAfter seconds, or a date
 */
function getRetryDelay(attempt: number, retryAfter: string | null = null): number {
  const seconds = Number(retryAfter ?? Number.NaN);
  if (retryAfter !== null && retryAfter.trim() !== "" && seconds >= 0) return seconds * 1000;
  const until = Date.parse(retryAfter ?? "") - Date.now();
  if (until > 0) return until;
  return INITIAL_RETRY_DELAY_MS * 2 ** (attempt - 1);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > MAX_MESSAGE_CHARACTERS ? `${line.slice(0, MAX_MESSAGE_CHARACTERS)}…` : line;
}
