import { ToolError } from "@tenon/runtime";
import { fetchWithRetries } from "./http.js";

/** A credential in a request: its location, name, and value. */
export type Credential = readonly [location: "header" | "query" | "cookie", name: string, value: string];

/** A way to authenticate to the API. */
export interface SecurityScheme {
  /** The environment variables that it needs, for error messages. */
  readonly variables: string;
  /** Returns the credential, or undefined if the settings lack it. */
  getCredential(signal: AbortSignal): Credential | undefined | Promise<Credential | undefined>;
}

/** Creates a scheme that sends a key in a header, the query, or a cookie. */
export function apiKey(
  location: Credential[0],
  name: string,
  key: string | undefined,
  variables: string,
): SecurityScheme {
  return { variables, getCredential: () => (key === undefined ? undefined : [location, name, key]) };
}

function createHeaderScheme(value: string | undefined, variables: string): SecurityScheme {
  return apiKey("header", "authorization", value, variables);
}

/** Creates a scheme that sends a bearer token in the `Authorization` header. */
export function bearer(token: string | undefined, variables: string): SecurityScheme {
  return createHeaderScheme(token === undefined ? undefined : `Bearer ${token}`, variables);
}

/** Creates a scheme that sends a user name and a password in the `Authorization` header. */
export function basic(
  user: string | undefined,
  password: string | undefined,
  variables: string,
): SecurityScheme {
  return createHeaderScheme(user === undefined ? undefined : formatBasic(user, password ?? ""), variables);
}

function formatBasic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}

/**
 * Creates a scheme that fetches a token for the server itself, and reuses it until shortly before it expires.
 *
 * @param tokenUrl absolute, or relative to the base URL
 * @see https://www.rfc-editor.org/rfc/rfc6749#section-4.4
 */
export function clientCredentials(
  tokenUrl: string,
  scope: string,
  baseUrl: string | undefined,
  id: string | undefined,
  secret: string | undefined,
  variables: string,
): SecurityScheme {
  let token = { text: "", expiresAt: 0 };
  const getCredential = async (signal: AbortSignal): Promise<Credential | undefined> => {
    if (id === undefined || secret === undefined) return undefined;
    if (token.expiresAt <= Date.now()) {
      const authorization = formatBasic(encodeURIComponent(id), encodeURIComponent(secret));
      const headers = new Headers({ accept: "application/json", authorization });
      const body = new URLSearchParams({
        grant_type: "client_credentials",
        ...(scope !== "" && { scope }),
      });
      const url = new URL(tokenUrl, baseUrl);
      const response = await fetchWithRetries(url, { method: "POST", headers, body, signal });
      if (!response.ok) throw new ToolError(`The API's authorization server returned ${response.status}.`);
      const issued = (await response.json()) as { access_token?: string; expires_in?: number };
      if (typeof issued.access_token !== "string")
        throw new ToolError("The API's authorization server returned no token.");
      const seconds = Math.max(0, (issued.expires_in ?? 300) - 30);
      token = { text: issued.access_token, expiresAt: Date.now() + seconds * 1000 };
    }
    return ["header", "authorization", `Bearer ${token.text}`];
  };
  return { variables, getCredential };
}
