import { type Content, ToolError } from "@tenon/runtime";
import { readBytes, readText, fetchWithRetries, createToolError, findRoundedInteger } from "./http.js";
import type { Credential, SecurityScheme } from "./security.js";
import {
  type ApiSettings,
  SECURITY,
  type Security,
  securitySchemes,
  settingsFromEnvironment,
  URL_VARIABLE,
} from "./settings.js";
import type { RequestBody } from "./bodies.js";
import { checkHeaderValue, percentEncode, toPairs, writePairs } from "./values.js";

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
