/**
 * Parcel Service API: where it is, who calls, and how values travel.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type Content, ToolError } from "@tenon/runtime";

/** What the environment says, and no model does. */
export interface ApiSettings {
  readonly url: string;
  readonly apiKey?: string | undefined;
}

/** An empty variable says as much as none. */
export function settingsOfEnvironment(): ApiSettings {
  return {
    /** Where the API is. */
    url: process.env["PARCEL_SERVICE_URL"] || "http://127.0.0.1:8090/v1",
    /** The key that is sent as header `X-Api-Key`. */
    apiKey: process.env["PARCEL_SERVICE_API_KEY"] || undefined,
  };
}

/** No answer is read any further. */
const MOST_BYTES = 10 * 1024 * 1024;
/** So much of an error answer is told. */
const MOST_CHARACTERS = 1000;
const MOST_REDIRECTS = 5;
/** An API that is busy is asked again so often, if it says that it is for no longer. */
const MOST_RETRIES = 2;
const LONGEST_WAIT_SECONDS = 5;

/** Ways to prove who calls, by their names in the document: alternatives, each with all that it needs. */
export type Security = readonly (readonly "apiKey"[])[];

const SECURITY: Security = [["apiKey"]];

/** By name; what is undefined is not sent. */
type Values = Readonly<Record<string, unknown>>;

/** What a call sends besides its method and path. */
export interface ApiRequest {
  readonly query?: Values;
  /** A body of JSON. */
  readonly json?: unknown;
  /** What is asked for. Default: JSON. */
  readonly accept?: string;
  readonly security?: Security;
  readonly signal: AbortSignal;
}

/** Calls the API: the base URL and the credentials are those of the settings, whatever the arguments are. */
export class ApiClient {
  readonly #settings: ApiSettings;

  constructor(settings: ApiSettings = settingsOfEnvironment()) {
    this.#settings = settings;
  }

  /** Asks for data. It is as the document says: what is not, is refused before it reaches a client. */
  async json<T>(method: string, path: string, request: ApiRequest): Promise<T> {
    const text = await this.text(method, path, request);
    try {
      return (text.trim() === "" ? null : JSON.parse(text)) as T;
    } catch {
      throw new ToolError(`${method} ${path} did not answer with JSON.`);
    }
  }

  async text(method: string, path: string, request: ApiRequest): Promise<string> {
    return new TextDecoder().decode(await bytesOf(await this.#send(method, path, request)));
  }

  /** Asks for an image, a recording or any other file. */
  async content(method: string, path: string, request: ApiRequest): Promise<Content> {
    const response = await this.#send(method, path, request);
    const [mimeType = ""] = (response.headers.get("content-type") ?? "application/octet-stream").split(";");
    const data = Buffer.from(await bytesOf(response)).toString("base64");
    if (mimeType.startsWith("image/")) return { type: "image", data, mimeType };
    if (mimeType.startsWith("audio/")) return { type: "audio", data, mimeType };
    const { origin, pathname } = new URL(response.url);
    return { type: "resource", resource: { uri: `${origin}${pathname}`, mimeType, blob: data } };
  }

  /** Asks for something to be done. */
  async done(method: string, path: string, request: ApiRequest): Promise<void> {
    await (await this.#send(method, path, request)).body?.cancel();
  }

  /**
   * @throws ToolError for an answer that is an error, with its status and the beginning of its body
   */
  async #send(method: string, path: string, request: ApiRequest): Promise<Response> {
    const url = new URL(this.#settings.url.replace(/\/+$/, "") + path);
    const proof = await this.#proofFor(request.security ?? SECURITY);
    url.search = written(pairsOf(request.query), "&");
    const headers = new Headers({ accept: request.accept ?? "application/json" });
    for (const [name, value] of Object.entries(proof.headers ?? {})) headers.set(name, value);
    let body: string | undefined;
    if (request.json !== undefined) {
      headers.set("content-type", "application/json");
      body = JSON.stringify(request.json);
    }
    const response = await fetched(url, { method, headers, body: body ?? null, signal: request.signal });
    if (response.ok) return response;
    throw await failureOf(response, `${method} ${path}`);
  }

  /** By the first alternative for which the environment has all credentials; by none where none is asked for. */
  async #proofFor(security: Security): Promise<Proof> {
    for (const names of security.filter((each) => each.length > 0)) {
      const found = names.map((name) => this.#proof(name));
      const proofs = found.filter((each) => each !== undefined);
      if (proofs.length === names.length)
        return { headers: Object.assign({}, ...proofs.map((proof) => proof.headers)) };
    }
    if (security.length === 0 || security.some((each) => each.length === 0)) return {};
    const missing = security.map((names) => names.map((name) => VARIABLES[name]).join(" and "));
    throw new ToolError(
      `The server has no credentials for the API. Its environment has to set ${missing.join(", or ")}.`,
    );
  }

  #proof(name: Security[number][number]): Proof | undefined {
    const settings = this.#settings;
    switch (name) {
      case "apiKey":
        return settings.apiKey === undefined ? undefined : { headers: { "X-Api-Key": settings.apiKey } };
    }
  }
}

/** What a request carries to prove who calls. */
interface Proof {
  readonly headers?: Readonly<Record<string, string>>;
}

/** What has to be set for each. */
const VARIABLES: Readonly<Record<Security[number][number], string>> = {
  apiKey: "PARCEL_SERVICE_API_KEY",
};

/**
 * A path with values in it. Each stays one step of the way, whatever it holds.
 *
 * @throws ToolError for a value that would lead elsewhere
 * @example
 * path`/pets/${"a/b"}` // "/pets/a%2Fb"
 */
export function path(texts: TemplateStringsArray, ...values: readonly unknown[]): string {
  const written = values.map((value) => partsOf(value).map(encodeURIComponent).join(","));
  const whole = String.raw({ raw: texts }, ...written);
  if (!written.includes("") && !/\/\.{1,2}(?:\/|$)/.test(whole)) return whole;
  throw new ToolError(`${whole} is no path of the API: a part of it is empty, or leads elsewhere.`);
}

/**
 * Members of objects under names of their own: `filter[color]=red`.
 *
 * @param names whose members are written so; all, unless given
 */
export function deepObject(
  values: object | null | undefined,
  names?: readonly string[],
): Record<string, unknown> {
  const members = (name: string, value: unknown): [string, unknown][] => {
    if (typeof value !== "object" || value === null) return [[name, value]];
    return Object.entries(value).flatMap(([key, each]) => members(`${name}[${key}]`, each));
  };
  const entries = Object.entries(values ?? {}).flatMap(([name, value]): [string, unknown][] =>
    names === undefined || names.includes(name) ? members(name, value) : [[name, value]],
  );
  return Object.fromEntries(entries);
}

/** Names and values as texts; of a list, each entry. */
function pairsOf(values: object = {}): [name: string, value: string][] {
  return Object.entries(values).flatMap(([name, value]: [string, unknown]) => {
    if (value === undefined) return [];
    const entries: readonly unknown[] = Array.isArray(value) ? value : [value];
    return entries.map((each): [string, string] => [name, textOf(each)]);
  });
}

function written(pairs: readonly (readonly [name: string, value: string])[], separator: string): string {
  return pairs.map((pair) => pair.map(encodeURIComponent).join("=")).join(separator);
}

function partsOf(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [textOf(value)];
  return (Array.isArray(value) ? value : Object.entries(value).flat()).map(textOf);
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  // Half a character has no place in a request.
  return text.replaceAll(/\p{Surrogate}/gu, "\u{fffd}");
}

/**
 * The answer to a request. An API that is busy, and says that it will not be for long, is asked again.
 *
 * @throws ToolError when the API cannot be reached
 */
async function fetched(url: URL, init: RequestInit): Promise<Response> {
  for (let retries = 0; ; retries++) {
    const response = await followed(url, init);
    const seconds = retries < MOST_RETRIES ? retryAfter(response, init.method) : undefined;
    if (seconds === undefined) return response;
    await response.body?.cancel();
    await sleep(seconds * 1000, undefined, init.signal ? { signal: init.signal } : {});
  }
}

/** Of 503 it is not known whether anything was done, so only what may be done twice is sent again. */
function retryAfter({ status, headers }: Response, method = "GET"): number | undefined {
  const isRefused = status === 429 || (status === 503 && method !== "POST" && method !== "PATCH");
  const wait = headers.get("retry-after") ?? "";
  const seconds = /^\d+$/.test(wait) ? Number(wait) : Infinity;
  return isRefused && seconds <= LONGEST_WAIT_SECONDS ? seconds : undefined;
}

/** A redirect is followed where the API leads to itself: nobody else is sent what was meant for it. */
async function followed(url: URL, init: RequestInit): Promise<Response> {
  let at = url;
  for (let hops = 0; hops <= MOST_REDIRECTS; hops++) {
    const response = await fetch(at, { ...init, redirect: "manual" }).catch((error: unknown) => {
      if (init.signal?.aborted === true) throw error;
      throw new ToolError(`${url.host} could not be reached.`, { cause: error });
    });
    const location = response.headers.get("location");
    const isKept = init.method === "GET" || response.status === 307 || response.status === 308;
    if (response.status < 300 || response.status > 399 || location === null || !isKept) return response;
    await response.body?.cancel();
    const next = new URL(location, at);
    if (next.origin !== url.origin)
      throw new ToolError(
        `The API answers that it is at ${next.origin}${next.pathname}, which is not followed.`,
      );
    at = next;
  }
  throw new ToolError(`${url.host} redirects too often.`);
}

/** @throws ToolError for an answer that is too long */
async function bytesOf(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.byteLength;
    if (length > MOST_BYTES) throw new ToolError("The API's answer is too long to pass on: ask for less.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** What a model is told of an error answer: its status, and how its body begins. */
async function failureOf(response: Response, call: string): Promise<ToolError> {
  const text = new TextDecoder().decode(await bytesOf(response).catch(() => new Uint8Array()));
  const isPage = response.headers.get("content-type")?.includes("html") === true;
  const body = (isPage ? text.replaceAll(/<[^>]*>/g, " ") : text).replaceAll(/\s+/g, " ").trim();
  const wait = response.headers.get("retry-after");
  return new ToolError(
    `${call} answered ${`${response.status} ${response.statusText}`.trim()}` +
      `${wait === null ? "" : ` (try again after ${wait})`}` +
      `${body === "" ? "" : `: ${body.length > MOST_CHARACTERS ? `${body.slice(0, MOST_CHARACTERS)}…` : body}`}`,
  );
}
