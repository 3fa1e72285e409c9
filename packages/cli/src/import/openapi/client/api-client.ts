import { type Content, ToolError } from "@tenon/runtime";
import { readBytes, fetchWithRetries, createToolError } from "./http.js";
import type { Credential, SecurityScheme } from "./security.js";
import {
  type ApiSettings,
  SECURITY,
  type Security,
  securitySchemes,
  settingsFromEnvironment,
  URL_VARIABLE,
} from "./settings.js";
import { encodePairs, checkHeaderValue, type RequestBody, toPairs } from "./values.js";

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
