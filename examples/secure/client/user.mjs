import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { logIn } from "./browser.mjs";

/**
 * @import { OAuthClientProvider } from "@modelcontextprotocol/client"
 * @typedef {Parameters<NonNullable<OAuthClientProvider["saveDiscoveryState"]>>[0]} DiscoveryState
 */

const CALLBACK = "http://localhost:9/callback";

/**
 * Creates a user with the official MCP client, which discovers the login, registers, and requests more scopes when it needs
 * them.
 *
 * @param {string} user
 * @param {string} url of the MCP server
 * @param {typeof fetch} [send]
 */
export function createUser(user, url, send = fetch) {
  const provider = new LoginProvider(user);
  /** @type {Client | undefined} */
  let client;
  /** @type {StreamableHTTPClientTransport | undefined} */
  let transport;

  const connect = async () => {
    client = new Client(
      { name: `${user}'s client`, version: "1.0.0" },
      { versionNegotiation: { mode: "auto" } },
    );
    transport = new StreamableHTTPClientTransport(new URL(url), { authProvider: provider, fetch: send });
    await client.connect(transport);
    return client;
  };

  /**
   * Runs an action. If it requires a login or more scopes, logs in and runs the action again.
   *
   * @template T
   * @param {(client: Client) => Promise<T>} action
   * @returns {Promise<T>}
   */
  const attempt = async (action) => {
    for (;;) {
      try {
        return await action(client ?? (await connect()));
      } catch (error) {
        if (provider.redirectParameters === undefined) throw error;
        await transport?.finishAuth(provider.redirectParameters);
        provider.redirectParameters = undefined;
        client = undefined;
      }
    }
  };
  return { do: attempt, requestedScopes: provider.requestedScopes, close: async () => client?.close() };
}

/**
 * Stores the login of a client's user.
 *
 * @implements {OAuthClientProvider}
 */
class LoginProvider {
  /** The requested scopes of each login. @type {(string | null)[]} */
  requestedScopes = [];
  /** The parameters of the redirect. @type {URLSearchParams | undefined} */
  redirectParameters;
  redirectUrl = CALLBACK;
  clientMetadata = {
    client_name: "Demo client",
    redirect_uris: [CALLBACK],
    token_endpoint_auth_method: "none",
    grant_types: ["authorization_code"],
    response_types: ["code"],
    application_type: "native",
  };
  #user;
  #verifier = "";
  /** @type {Awaited<ReturnType<OAuthClientProvider["tokens"]>>} */
  #tokens;
  /** @type {Awaited<ReturnType<OAuthClientProvider["clientInformation"]>>} */
  #client;
  /** @type {DiscoveryState | undefined} */
  #discoveryState;

  /** @param {string} user */
  constructor(user) {
    this.#user = user;
  }

  clientInformation() {
    return this.#client;
  }

  /** @param {Parameters<NonNullable<OAuthClientProvider["saveClientInformation"]>>[0]} client */
  saveClientInformation(client) {
    this.#client = client;
  }

  tokens() {
    return this.#tokens;
  }

  /** @param {Parameters<OAuthClientProvider["saveTokens"]>[0]} tokens */
  saveTokens(tokens) {
    this.#tokens = tokens;
  }

  codeVerifier() {
    return this.#verifier;
  }

  /** @param {string} verifier */
  saveCodeVerifier(verifier) {
    this.#verifier = verifier;
  }

  discoveryState() {
    return this.#discoveryState;
  }

  /** @param {DiscoveryState} state */
  saveDiscoveryState(state) {
    this.#discoveryState = state;
  }

  /** @param {URL} url */
  async redirectToAuthorization(url) {
    this.requestedScopes.push(url.searchParams.get("scope"));
    this.redirectParameters = await logIn(url, this.#user, CALLBACK);
  }
}
