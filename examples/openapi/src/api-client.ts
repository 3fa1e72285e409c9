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

/** Security requirements: alternatives, each a list of schemes of the OpenAPI document that must be used together. */
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
  /** The base URL, if this operation has its own. A relative one is relative to that of the API. */
  readonly url?: string;
  /** Whether a base URL with another origin receives the credentials of the API. Default: false. */
  readonly isTrusted?: boolean;
  /** The security requirements, if this operation has its own. */
  readonly security?: Security;
  readonly signal: AbortSignal;
}

/** A client of the API. The base URL and the credentials come from the settings, never from the arguments. */
export class ApiClient {
  readonly #settings: ApiSettings;
  readonly #schemes: Readonly<Record<string, SecurityScheme>>;
  #isRoundingReported = false;

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
    if (text.trim() === "") return null as T;
    try {
      const value = JSON.parse(text) as T;
      this.#warnAboutRounding(text, `${method} ${path}`);
      return value;
    } catch {
      throw new ToolError(`${method} ${path} did not return JSON.`);
    }
  }

  /** Logs a warning for the first response with an integer that JavaScript rounds. */
  #warnAboutRounding(json: string, call: string): void {
    const rounded = this.#isRoundingReported ? undefined : findRoundedInteger(json);
    if (rounded === undefined) return;
    this.#isRoundingReported = true;
    process.emitWarning(`${call} returned an integer beyond 2^53, which JavaScript rounds: ${rounded}.`);
  }

  /** Calls the API and returns the text of the response. */
  async text(method: string, path: string, request: ApiRequest): Promise<string> {
    return readText(await this.#send(method, path, request));
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

  /**
   * Sends a request.
   *
   * @throws ToolError for an error response, with its status and the beginning of its body
   */
  async #send(method: string, path: string, request: ApiRequest): Promise<Response> {
    const base = resolveUrl(request.url, this.#settings.url);
    if (base === undefined) throw new ToolError(`The base URL of the API is unknown. Set ${URL_VARIABLE}.`);
    const query = writePairs(request.query, "form");
    const cookies = writePairs(request.cookies, "form");
    const headers = new Headers({ accept: request.accept ?? "application/json" });
    for (const [name, value] of toPairs(request.headers, "joined"))
      headers.set(name, checkHeaderValue(name, value));
    const security = this.#mayReceiveCredentials(request) ? (request.security ?? SECURITY) : [];
    for (const [location, name, value] of await this.#findCredentials(security, request.signal)) {
      if (location === "header") headers.set(name, checkHeaderValue(name, value));
      else (location === "query" ? query : cookies).push(`${percentEncode(name)}=${percentEncode(value)}`);
    }
    const url = new URL(base.replace(/\/+$/, "") + path);
    url.search = [url.search.slice(1), ...query].filter((text) => text !== "").join("&");
    if (cookies.length > 0) headers.set("cookie", cookies.join("; "));
    const { type, content = null } = request.body ?? {};
    if (type !== undefined) headers.set("content-type", type);
    const response = await fetchWithRetries(url, { method, headers, body: content, signal: request.signal });
    if (response.ok) return response;
    throw await createToolError(response, `${method} ${path}`);
  }

  /** Returns whether a request goes to the origin for which the credentials are configured. */
  #mayReceiveCredentials({ url, isTrusted = false }: ApiRequest): boolean {
    if (url === undefined || isTrusted) return true;
    const base = this.#settings.url;
    return base !== undefined && new URL(url, base).origin === new URL(base).origin;
  }

  /** Returns the credentials of the first alternative that is complete; none if the call needs none. */
  async #findCredentials(security: Security, signal: AbortSignal): Promise<Credential[]> {
    for (const names of security.filter((alternative) => alternative.length > 0)) {
      const found = await Promise.all(names.map((name) => this.#schemes[name]?.getCredential(signal)));
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

/** Returns the base URL of an operation; undefined if it is unknown. */
function resolveUrl(own: string | undefined, base: string | undefined): string | undefined {
  if (own === undefined || /^https?:/i.test(own)) return own ?? base;
  return base === undefined ? undefined : new URL(own, base).href;
}

/** A credential in a request: its location, name, and value. */
type Credential = readonly [location: "header" | "query" | "cookie", name: string, value: string];

/** A way to authenticate to the API. */
interface SecurityScheme {
  /** The environment variables that it needs, for error messages. */
  readonly variables: string;
  /** Returns the credential, or undefined if the settings lack it. */
  getCredential(signal: AbortSignal): Credential | undefined | Promise<Credential | undefined>;
}

/** Creates a scheme that sends a key in a header, the query, or a cookie. */
function apiKey(
  location: Credential[0],
  name: string,
  key: string | undefined,
  variables: string,
): SecurityScheme {
  return { variables, getCredential: () => (key === undefined ? undefined : [location, name, key]) };
}

/** The encoded body of a request, and its media type. */
interface RequestBody {
  readonly type: string;
  readonly content: string | Blob;
}

/** Encodes a body as JSON. */
export function jsonBody(value: unknown, type = "application/json"): RequestBody | undefined {
  return value === undefined ? undefined : { type, content: JSON.stringify(value) };
}

/** Writes a string so that it has no special meaning where it is inserted. */
type Encode = (text: string) => string;

/** Percent-encodes everything except letters, digits, and `-._~`. */
function percentEncode(text: string): string {
  const encodeCharacter = (each: string): string => `%${each.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, encodeCharacter);
}

/** Percent-encodes a string, except for reserved characters and `%20`. `&`, `#`, and `+` have a different meaning in a query. */
function encodeReserved(text: string): string {
  return encodeURI(text)
    .replaceAll(/%25([\dA-F]{2})/gi, "%$1")
    .replaceAll(/[&#+]/g, encodeURIComponent);
}

/** Returns a string unchanged. */
function keep(text: string): string {
  return text;
}

/** A part of a path, already encoded. */
class Segment {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/**
 * Returns a path that contains values. Each value stays one segment, whatever it contains.
 *
 * @throws ToolError for a value that would change the path
 * @example
 * path`/pets/${"a/b"}` // "/pets/a%2Fb"
 */
export function path(texts: TemplateStringsArray, ...values: readonly unknown[]): string {
  const segments = values.map((value) =>
    value instanceof Segment ? value.text : toTexts(value, percentEncode).join(","),
  );
  const whole = String.raw({ raw: texts }, ...segments);
  if (!segments.includes("") && !/\/\.{1,2}(?:[/?]|$)/.test(whole)) return whole;
  throw new ToolError(
    `${whole} is not a valid path of the API, because a segment is empty, \`.\`, or \`..\`.`,
  );
}

type Pair = [name: string, value: string];

/** `form`, `spaceDelimited`, `pipeDelimited`, and `deepObject` are styles of OpenAPI; `exploded` is `simple` with `explode`. */
type Style =
  "form" | "repeated" | "joined" | "exploded" | "spaceDelimited" | "pipeDelimited" | "deepObject" | "json";

/** Writes a value as pairs of a name and a string, in each style. */
const STYLES: Readonly<Record<Style, (name: string, value: unknown, encode: Encode) => Pair[]>> = {
  /** `color=red&color=blue`. The members of an object have their own names: `red=1&blue=2`. */
  form: (name, value, encode) =>
    isPlainObject(value)
      ? listMembers(value).flatMap(([key, member]) => STYLES.repeated(key, member, encode))
      : STYLES.repeated(name, value, encode),
  /** `color=red&color=blue`. An object is JSON. */
  repeated: (name, value, encode) =>
    listMembers([value].flat()).map(([, each]): Pair => [encode(name), encode(toText(each))]),
  /** `color=red,blue` */
  joined: (name, value, encode) => [[encode(name), toTexts(value, encode).join(",")]],
  /** `color=R=100,G=200` */
  exploded: (name, value, encode) => [[encode(name), toMembers(value, encode).join(",")]],
  spaceDelimited: (name, value, encode) => [[encode(name), toTexts(value, encode).join(encode(" "))]],
  pipeDelimited: (name, value, encode) => [[encode(name), toTexts(value, encode).join(encode("|"))]],
  /** `color[red]=1&color[blue]=2` */
  deepObject: (name, value, encode) =>
    typeof value === "object" && value !== null
      ? listMembers(value).flatMap(([key, member]) => STYLES.deepObject(`${name}[${key}]`, member, encode))
      : [[encode(name), encode(toText(value))]],
  json: (name, value, encode) => [[encode(name), encode(JSON.stringify(value))]],
};

/** A value with a style other than the default. */
class Styled {
  readonly style: Style;
  readonly value: unknown;
  readonly allowsReserved: boolean;
  constructor(style: Style, value: unknown, allowsReserved: boolean) {
    this.style = style;
    this.value = value;
    this.allowsReserved = allowsReserved;
  }
}

/**
 * Sets the style in which a value is written, instead of the default.
 *
 * @param reserved `reserved` if characters such as `/` and `:` are not percent-encoded
 * @example
 * styled("pipeDelimited", ["red", "blue"]) // color=red%7Cblue
 */
export function styled(style: Style, value: unknown, reserved?: "reserved"): Styled {
  return new Styled(style, value, reserved === "reserved");
}

/** Returns the name and the text of each value. Values that are undefined, null, or empty lists or objects are omitted. */
function toPairs(values: object = {}, defaultStyle: Style, encode: Encode = keep): Pair[] {
  return writeEach(values, defaultStyle, encode).flat();
}

/** Returns each value as in a query or a cookie: `color=red&color=blue`. */
function writePairs(values: object = {}, defaultStyle: Style): string[] {
  return writeEach(values, defaultStyle, percentEncode).map((pairs) =>
    pairs.map((pair) => pair.join("=")).join("&"),
  );
}

function writeEach(values: object, defaultStyle: Style, encode: Encode): Pair[][] {
  return Object.entries(values).flatMap(([name, given]: [string, unknown]) => {
    const { style, value, allowsReserved } = given instanceof Styled ? given : styled(defaultStyle, given);
    const isAbsent = style === "json" ? value === undefined : isEmpty(value);
    return isAbsent ? [] : [STYLES[style](name, value, allowsReserved ? encodeReserved : encode)];
  });
}

/** Returns whether there is nothing to write. As in RFC 6570, null is undefined. */
function isEmpty(value: unknown): boolean {
  return (
    value === undefined || value === null || (typeof value === "object" && listMembers(value).length === 0)
  );
}

function isPlainObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the members of an object, or the items of a list, that have a value. */
function listMembers(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, member]) => member !== undefined && member !== null);
}

/** Returns the items of a list, the names and values of an object, or a value by itself, each encoded. */
function toTexts(value: unknown, encode: Encode): string[] {
  if (typeof value !== "object" || value === null) return [encode(toText(value))];
  const members = listMembers(value);
  return (Array.isArray(value) ? members.map(([, item]) => item) : members.flat()).map((each) =>
    encode(toText(each)),
  );
}

/** Returns the items of a list, the members of an object as `name=value`, or a value by itself, each encoded. */
function toMembers(value: unknown, encode: Encode): string[] {
  return isPlainObject(value)
    ? listMembers(value).map(([name, member]) => `${encode(name)}=${encode(toText(member))}`)
    : toTexts(value, encode);
}

function toText(value: unknown): string {
  if (value === undefined || value === null) return "";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  // A lone surrogate cannot be encoded.
  return text.replaceAll(/\p{Surrogate}/gu, "\u{fffd}");
}

/**
 * Returns a value if a header can contain it.
 *
 * @throws ToolError for other characters
 */
function checkHeaderValue(name: string, value: string): string {
  if (/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) return value;
  throw new ToolError(
    `${name} is sent as a header, which cannot contain line breaks or characters outside Latin-1.`,
  );
}

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
async function fetchWithRetries(url: URL, init: RequestInit): Promise<Response> {
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

/** Reads the body of a response as text, in the character encoding that its media type names (default: UTF-8). */
async function readText(response: Response): Promise<string> {
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
function findRoundedInteger(json: string): number | undefined {
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
async function createToolError(response: Response, call: string): Promise<ToolError> {
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
