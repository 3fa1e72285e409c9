/**
 * Parcel Service API: its base URL, credentials, and encodings.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type Content, ToolError } from "@tenon/runtime";

/** The base URL and the credentials of the API. They come from the environment, never from a model. */
export interface ApiSettings {
  readonly url?: string | undefined;
  readonly apiKey?: string | undefined;
}

/** Reads the settings from environment variables. An empty variable counts as unset. */
export function settingsFromEnvironment(): ApiSettings {
  return {
    /** The base URL of the API. */
    url: process.env["PARCEL_SERVICE_URL"] || "http://127.0.0.1:8090/v1",
    /** The key that is sent as header `X-Api-Key`. */
    apiKey: process.env["PARCEL_SERVICE_API_KEY"] || undefined,
  };
}

const URL_VARIABLE = "PARCEL_SERVICE_URL";

/** Security requirements: alternatives, each with the schemes of the OpenAPI document that it needs together. */
export type Security = readonly (readonly "apiKey"[])[];

/** The security requirements of operations without their own. */
const SECURITY: Security = [["apiKey"]];

/** Returns the security schemes by name, with the credentials from the settings. */
function securitySchemes(settings: ApiSettings): Readonly<Record<string, SecurityScheme>> {
  return {
    apiKey: apiKey("header", "X-Api-Key", settings.apiKey, "PARCEL_SERVICE_API_KEY"),
  };
}

/** Values by parameter name. Undefined values are not sent. */
type Values = Readonly<Record<string, unknown>>;

/** The parts of a request other than its method and path. */
export interface ApiRequest {
  readonly query?: Values;
  readonly headers?: Values;
  readonly cookies?: Values;
  readonly body?: RequestBody | undefined;
  /** The media type to request (default: JSON). */
  readonly accept?: string;
  /** The base URL, if this operation has its own. */
  readonly url?: string;
  /** The security requirements, if this operation has its own. */
  readonly security?: Security;
  readonly signal: AbortSignal;
}

/** A client of the API. The base URL and the credentials come from the settings, never from the arguments. */
export class ApiClient {
  readonly #settings: ApiSettings;
  readonly #schemes: Readonly<Record<string, SecurityScheme>>;

  constructor(settings: ApiSettings = settingsFromEnvironment()) {
    this.#settings = settings;
    this.#schemes = securitySchemes(settings);
  }

  /**
   * Calls the API and returns the parsed JSON of the response, or null for an empty one. Tenon validates it against the
   * output schema.
   */
  async json<T>(method: string, path: string, request: ApiRequest): Promise<T> {
    const text = await this.text(method, path, request);
    try {
      return (text.trim() === "" ? null : JSON.parse(text)) as T;
    } catch {
      throw new ToolError(`${method} ${path} did not return JSON.`);
    }
  }

  /** Calls the API and returns the text of the response. */
  async text(method: string, path: string, request: ApiRequest): Promise<string> {
    return new TextDecoder().decode(await readBytes(await this.#send(method, path, request)));
  }

  /** Calls the API and returns an image, audio, or any other file. */
  async content(method: string, path: string, request: ApiRequest): Promise<Content> {
    const response = await this.#send(method, path, request);
    const [mimeType = ""] = (response.headers.get("content-type") ?? "application/octet-stream").split(";");
    const data = Buffer.from(await readBytes(response)).toString("base64");
    if (mimeType.startsWith("image/")) return { type: "image", data, mimeType };
    if (mimeType.startsWith("audio/")) return { type: "audio", data, mimeType };
    const { origin, pathname } = new URL(response.url);
    return { type: "resource", resource: { uri: `${origin}${pathname}`, mimeType, blob: data } };
  }

  /** Calls the API and ignores the content of the response. */
  async done(method: string, path: string, request: ApiRequest): Promise<void> {
    await (await this.#send(method, path, request)).body?.cancel();
  }

  /** Sends a request. @throws ToolError for an error response, with its status and the beginning of its body */
  async #send(method: string, path: string, request: ApiRequest): Promise<Response> {
    const base = request.url ?? this.#settings.url;
    if (base === undefined) throw new ToolError(`The base URL of the API is unknown. Set ${URL_VARIABLE}.`);
    const sent = {
      query: toPairs(request.query, "form"),
      header: toPairs(request.headers, "joined"),
      cookie: toPairs(request.cookies, "joined"),
    };
    for (const [location, name, value] of await this.#credentials(
      request.security ?? SECURITY,
      request.signal,
    ))
      sent[location].push([name, value]);
    const url = new URL(base.replace(/\/+$/, "") + path);
    url.search = encodePairs(sent.query, "&");
    const headers = new Headers({ accept: request.accept ?? "application/json" });
    for (const [name, value] of sent.header) headers.set(name, checkHeaderValue(name, value));
    if (sent.cookie.length > 0) headers.set("cookie", encodePairs(sent.cookie, "; "));
    const { type, content = null } = request.body ?? {};
    if (type !== undefined) headers.set("content-type", type);
    const response = await fetchWithRetries(url, { method, headers, body: content, signal: request.signal });
    if (response.ok) return response;
    throw await createToolError(response, `${method} ${path}`);
  }

  /** Returns the credentials of the first alternative that is complete; none if the call needs none. */
  async #credentials(security: Security, signal: AbortSignal): Promise<Credential[]> {
    for (const names of security.filter((alternative) => alternative.length > 0)) {
      const found = await Promise.all(names.map((name) => this.#schemes[name]?.credential(signal)));
      const credentials = found.filter((credential) => credential !== undefined);
      if (credentials.length === names.length) return credentials;
    }
    if (security.length === 0 || security.some((alternative) => alternative.length === 0)) return [];
    const missing = security.map((names) =>
      names.map((name) => this.#schemes[name]?.variables).join(" and "),
    );
    throw new ToolError(
      `The server has no credentials for the API. Set ${missing.join(", or ")} in its environment.`,
    );
  }
}

/** A credential in a request: its location, name, and value. */
type Credential = readonly [location: "header" | "query" | "cookie", name: string, value: string];

/** A way to authenticate to the API. */
interface SecurityScheme {
  /** The environment variables that it needs, for error messages. */
  readonly variables: string;
  /** Returns the credential, or undefined if the settings lack it. */
  credential(signal: AbortSignal): Credential | undefined | Promise<Credential | undefined>;
}

/** Creates a scheme that sends a key in a header, the query, or a cookie. */
function apiKey(
  location: Credential[0],
  name: string,
  key: string | undefined,
  variables: string,
): SecurityScheme {
  return { variables, credential: () => (key === undefined ? undefined : [location, name, key]) };
}

/**
 * Returns a path that contains values. Each value stays one segment, whatever it contains.
 *
 * @throws ToolError for a value that would change the path
 * @example
 * path`/pets/${"a/b"}` // "/pets/a%2Fb"
 */
export function path(texts: TemplateStringsArray, ...values: readonly unknown[]): string {
  const segments = values.map((value) => toTexts(value).map(encodeURIComponent).join(","));
  const whole = String.raw({ raw: texts }, ...segments);
  if (!segments.includes("") && !/\/\.{1,2}(?:\/|$)/.test(whole)) return whole;
  throw new ToolError(
    `${whole} is not a valid path of the API, because a segment is empty, \`.\`, or \`..\`.`,
  );
}

type Pair = [name: string, value: string];

/** `form`, `spaceDelimited`, `pipeDelimited` and `deepObject` are styles of OpenAPI. */
type Style = "form" | "repeated" | "joined" | "spaceDelimited" | "pipeDelimited" | "deepObject" | "json";

/** Writes a value as pairs of a name and a text, in each style. */
const STYLES: Readonly<Record<Style, (name: string, value: unknown) => Pair[]>> = {
  /** `color=red&color=blue`. The members of an object have their own names: `red=1&blue=2`. */
  form: (name, value) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.entries(value).flatMap(([key, member]) => STYLES.repeated(key, member))
      : STYLES.repeated(name, value),
  /** `color=red&color=blue`. An object is JSON. */
  repeated: (name, value) => [value].flat().map((each): Pair => [name, toText(each)]),
  /** `color=red,blue` */
  joined: (name, value) => [[name, toTexts(value).join(",")]],
  spaceDelimited: (name, value) => [[name, toTexts(value).join(" ")]],
  pipeDelimited: (name, value) => [[name, toTexts(value).join("|")]],
  /** `color[red]=1&color[blue]=2` */
  deepObject: (name, value) =>
    typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([key, member]) => STYLES.deepObject(`${name}[${key}]`, member))
      : [[name, toText(value)]],
  json: (name, value) => [[name, JSON.stringify(value)]],
};

/** A value with a style other than the default. */
class Styled {
  readonly style: Style;
  readonly value: unknown;
  constructor(style: Style, value: unknown) {
    this.style = style;
    this.value = value;
  }
}

/**
 * Sets the style in which a value is written, instead of the default.
 *
 * @example
 * styled("pipeDelimited", ["red", "blue"]) // color=red|blue
 */
export function styled(style: Style, value: unknown): Styled {
  return new Styled(style, value);
}

/** Returns names and values as texts. Undefined values are omitted. */
function toPairs(values: object = {}, usual: Style): Pair[] {
  return Object.entries(values).flatMap(([name, given]: [string, unknown]) => {
    const { style, value } = given instanceof Styled ? given : { style: usual, value: given };
    return value === undefined ? [] : STYLES[style](name, value);
  });
}

/** Percent-encodes names and values, and joins them. */
function encodePairs(pairs: readonly Pair[], separator: string): string {
  return pairs.map((pair) => pair.map(encodeURIComponent).join("=")).join(separator);
}

/** Returns the entries of a list, the names and values of an object, or a value by itself. */
function toTexts(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [toText(value)];
  return (Array.isArray(value) ? value : Object.entries(value).flat()).map(toText);
}

function toText(value: unknown): string {
  if (value === undefined || value === null) return "";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  // A lone surrogate cannot be encoded.
  return text.replaceAll(/\p{Surrogate}/gu, "\u{fffd}");
}

/** Returns a value if a header can contain it. @throws ToolError for other characters */
function checkHeaderValue(name: string, value: string): string {
  if (/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) return value;
  throw new ToolError(
    `${name} is sent as a header, which cannot contain line breaks or characters outside Latin-1.`,
  );
}

/** The encoded body of a request, and its media type unless `fetch` sets it. */
interface RequestBody {
  readonly type?: string;
  readonly content: string | FormData | Blob;
}

/** Encodes a body as JSON. */
export function jsonBody(value: unknown, type = "application/json"): RequestBody | undefined {
  return value === undefined ? undefined : { type, content: JSON.stringify(value) };
}

/** Maximum size of a response. */
const MAX_RESPONSE_BYTES = 10 * 1024 * 1024;

/** Maximum number of characters of an error response that an error message quotes. */
const MAX_ERROR_CHARACTERS = 1000;

const MAX_REDIRECTS = 5;

const MAX_RETRIES = 2;

/** Maximum `Retry-After` of a busy API for which a call waits. */
const MAX_RETRY_DELAY_SECONDS = 5;

/**
 * Fetches a response. A busy API is called again if its `Retry-After` is short.
 *
 * @throws ToolError if the API is unreachable
 */
async function fetchWithRetries(url: URL, init: RequestInit): Promise<Response> {
  for (let retries = 0; ; retries++) {
    const response = await fetchWithRedirects(url, init);
    const seconds = retries < MAX_RETRIES ? getRetryDelaySeconds(response, init.method) : undefined;
    if (seconds === undefined) return response;
    await response.body?.cancel();
    await sleep(seconds * 1000, undefined, init.signal ? { signal: init.signal } : {});
  }
}

/** Returns undefined if a call must not be repeated. After 503, only idempotent calls are repeated: others may have had an effect. */
function getRetryDelaySeconds({ status, headers }: Response, method = "GET"): number | undefined {
  const isBusy = status === 429 || (status === 503 && method !== "POST" && method !== "PATCH");
  const delay = headers.get("retry-after") ?? "";
  const seconds = /^\d+$/.test(delay) ? Number(delay) : Infinity;
  return isBusy && seconds <= MAX_RETRY_DELAY_SECONDS ? seconds : undefined;
}

/** Follows redirects within one origin, so that no other origin receives the request and its credentials. */
async function fetchWithRedirects(url: URL, init: RequestInit): Promise<Response> {
  let current = url;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const response = await fetch(current, { ...init, redirect: "manual" }).catch((error: unknown) => {
      if (init.signal?.aborted === true) throw error;
      throw new ToolError(`${url.host} is unreachable.`, { cause: error });
    });
    const location = response.headers.get("location");
    const isRepeatable = init.method === "GET" || response.status === 307 || response.status === 308;
    if (response.status < 300 || response.status > 399 || location === null || !isRepeatable) return response;
    await response.body?.cancel();
    const next = new URL(location, current);
    if (next.origin !== url.origin)
      throw new ToolError(
        `The API redirects to ${next.origin}${next.pathname}, which is not followed because its origin differs.`,
      );
    current = next;
  }
  throw new ToolError(`${url.host} redirects more than ${MAX_REDIRECTS} times.`);
}

/** Reads the body of a response. @throws ToolError if it is too long */
async function readBytes(response: Response): Promise<Uint8Array> {
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

/** Returns an error for a model, with the status of an error response and the beginning of its body. */
async function createToolError(response: Response, call: string): Promise<ToolError> {
  const text = new TextDecoder().decode(await readBytes(response).catch(() => new Uint8Array()));
  const isPage = response.headers.get("content-type")?.includes("html") === true;
  const body = (isPage ? text.replaceAll(/<[^>]*>/g, " ") : text).replaceAll(/\s+/g, " ").trim();
  const delay = response.headers.get("retry-after");
  return new ToolError(
    `${call} returned ${`${response.status} ${response.statusText}`.trim()}` +
      `${delay === null ? "" : ` (retry after ${delay})`}` +
      `${body === "" ? "" : `: ${body.length > MAX_ERROR_CHARACTERS ? `${body.slice(0, MAX_ERROR_CHARACTERS)}…` : body}`}`,
  );
}
