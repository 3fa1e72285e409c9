import { setTimeout as sleep } from "node:timers/promises";
import { ToolError } from "@tenon/runtime";

/** Maximum size of a response. */
const MAX_RESPONSE_BYTES = 10 * 1024 * 1024;

/** Maximum number of characters of an error response that an error message quotes. */
const MAX_ERROR_CHARACTERS = 1000;

const MAX_REDIRECTS = 5;

const MAX_RETRIES = 2;

/** Maximum `Retry-After` for which a call waits. */
const MAX_RETRY_DELAY_SECONDS = 5;

/**
 * Fetches a response. A busy API is called again if its `Retry-After` is short.
 *
 * @throws ToolError if the API is unreachable
 */
export async function fetchWithRetries(url: URL, init: RequestInit): Promise<Response> {
  for (let retries = 0; ; retries++) {
    const response = await fetchWithRedirects(url, init);
    const seconds = retries < MAX_RETRIES ? getRetryDelaySeconds(response, init.method) : undefined;
    if (seconds === undefined) return response;
    await response.body?.cancel();
    await sleep(seconds * 1000, undefined, init.signal ? { signal: init.signal } : {});
  }
}

/**
 * Returns the time to wait before the call is repeated; undefined if it must not be repeated. After 503, only idempotent
 * calls are repeated, since others may have had an effect.
 */
function getRetryDelaySeconds({ status, headers }: Response, method = "GET"): number | undefined {
  const isBusy = status === 429 || (status === 503 && method !== "POST" && method !== "PATCH");
  const delay = headers.get("retry-after") ?? "";
  const seconds = /^\d+$/.test(delay) ? Number(delay) : Infinity;
  return isBusy && seconds <= MAX_RETRY_DELAY_SECONDS ? seconds : undefined;
}

/** Follows redirects within one origin, so that no other origin receives the request and its credentials. */
async function fetchWithRedirects(url: URL, firstInit: RequestInit): Promise<Response> {
  let current = url;
  let init = firstInit;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const response = await fetch(current, { ...init, redirect: "manual" }).catch((error: unknown) => {
      if (init.signal?.aborted === true) throw error;
      throw new ToolError(`${url.host} is unreachable.`, { cause: error });
    });
    const location = response.headers.get("location");
    const isFollowed = init.method === "GET" || [303, 307, 308].includes(response.status);
    if (response.status < 300 || response.status > 399 || location === null || !isFollowed) return response;
    await response.body?.cancel();
    const next = new URL(location, current);
    if (next.origin !== url.origin)
      throw new ToolError(
        `The API redirects to ${next.origin}${next.pathname}, which is not followed because its origin differs.`,
      );
    current = next;
    if (response.status === 303) init = toResultRequest(init);
  }
  throw new ToolError(`${url.host} redirects more than ${MAX_REDIRECTS} times.`);
}

/** Creates the request for the result of another request, to which the status 303 refers. */
function toResultRequest({ headers, ...init }: RequestInit): RequestInit {
  const others = new Headers(headers);
  others.delete("content-type");
  return { ...init, method: "GET", headers: others, body: null };
}

/**
 * Reads the body of a response.
 *
 * @throws ToolError if it is too long
 */
export async function readBytes(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.byteLength;
    if (length > MAX_RESPONSE_BYTES)
      throw new ToolError("The API's response exceeds 10 MiB. Request less data.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Reads the body of a response as text, in the character encoding that its media type names (default: UTF-8). */
export async function readText(response: Response): Promise<string> {
  const bytes = await readBytes(response);
  const [, label] = /;\s*charset="?([^\s";]+)/i.exec(response.headers.get("content-type") ?? "") ?? [];
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    // The label is unknown.
    return new TextDecoder().decode(bytes);
  }
}

/** Finds an integer in JSON that JavaScript rounds, such as an ID beyond 2^53. Returns its rounded value. */
export function findRoundedInteger(json: string): number | undefined {
  // Reading every number is slow, and few responses contain one with so many digits before the point.
  if (!/(?<![.\d])\d{16}/.test(json)) return undefined;
  let found: number | undefined;
  JSON.parse(json, (_name, value: unknown) => {
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) found ??= value as number;
    return value;
  });
  return found;
}

/** Creates an error for a model, with the status of an error response and the beginning of its body. */
export async function createToolError(response: Response, call: string): Promise<ToolError> {
  const text = await readText(response).catch(() => "");
  const isPage = response.headers.get("content-type")?.includes("html") === true;
  const body = (isPage ? text.replaceAll(/<[^>]*>/g, " ") : text).replaceAll(/\s+/g, " ").trim();
  const delay = response.headers.get("retry-after");
  return new ToolError(
    `${call} returned ${`${response.status} ${response.statusText}`.trim()}` +
      `${delay === null ? "" : ` (retry after ${delay})`}` +
      `${body === "" ? "" : `: ${body.length > MAX_ERROR_CHARACTERS ? `${body.slice(0, MAX_ERROR_CHARACTERS)}…` : body}`}`,
  );
}
