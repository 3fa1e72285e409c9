import {
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpV2,
  type OAuthClientProvider,
} from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { authorize } from "./authorization-server.js";

export const CALLBACK = "http://127.0.0.1:9/callback";

/** Metadata that a client sends when it registers, or publishes at its URL. */
export const CLIENT_METADATA = {
  client_name: "official",
  redirect_uris: [CALLBACK],
  token_endpoint_auth_method: "none",
  grant_types: ["authorization_code"],
  response_types: ["code"],
};

type Tokens = Awaited<ReturnType<OAuthClientProvider["tokens"]>>;
type Information = Awaited<ReturnType<OAuthClientProvider["clientInformation"]>>;

/** A client's identification at the authorization server: an ID, the URL of its metadata, or a registration. */
export interface Identity {
  readonly clientId?: string;
  readonly metadataUrl?: string;
}

/** The memory of a client, and the browser of its user. */
export class Browser implements OAuthClientProvider {
  /** The scopes of each authorization that the user was sent to. */
  readonly asked: (string | null)[] = [];
  /** Resource that each token was requested for. */
  readonly resources: (string | null)[] = [];
  readonly clientMetadataUrl?: string;
  returned = new URLSearchParams();
  #tokens: Tokens;
  #client: Information;

  constructor({ clientId, metadataUrl }: Identity = {}) {
    this.#client = clientId === undefined ? undefined : { client_id: clientId };
    if (metadataUrl !== undefined) this.clientMetadataUrl = metadataUrl;
  }

  #verifier = "";

  readonly redirectUrl = CALLBACK;
  readonly clientMetadata = CLIENT_METADATA;

  clientInformation(): Information {
    return this.#client;
  }

  saveClientInformation(client: Information): void {
    this.#client = client;
  }

  tokens(): Tokens {
    return this.#tokens;
  }

  saveTokens(tokens: Tokens): void {
    this.#tokens = tokens;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  async redirectToAuthorization(url: URL): Promise<void> {
    this.asked.push(url.searchParams.get("scope"));
    this.resources.push(url.searchParams.get("resource"));
    this.returned = await authorize(url, CALLBACK);
  }
}

/** Methods of either client that the tests use. */
export interface Flow {
  connect(): Promise<void>;
  /** Exchanges the code that the browser has received. */
  finish(): Promise<void>;
  call(name: string, args: object): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

type CreateFlow = (url: string, browser: Browser, send?: typeof fetch) => Flow;

export const flowV1: CreateFlow = (url, browser, send = fetch) => {
  const create = () => new HttpV1(new URL(url), { authProvider: browser as never, fetch: send });
  let [client, transport] = [new ClientV1({ name: "official", version: "1" }), create()];
  return {
    connect: async () => {
      [client, transport] = [new ClientV1({ name: "official", version: "1" }), create()];
      await client.connect(transport as Parameters<ClientV1["connect"]>[0]);
    },
    finish: () => transport.finishAuth(browser.returned.get("code") ?? ""),
    call: async (name, args) => ({
      ...(await client.callTool({ name, arguments: args as Record<string, unknown> })),
    }),
    close: () => client.close(),
  };
};

const flowV2 =
  (mode: "auto" | "legacy"): CreateFlow =>
  (url, browser, send = fetch) => {
    const create = () => new HttpV2(new URL(url), { authProvider: browser, fetch: send });
    const createClient = () =>
      new ClientV2({ name: "official", version: "1" }, { versionNegotiation: { mode } });
    let [client, transport] = [createClient(), create()];
    return {
      connect: async () => {
        [client, transport] = [createClient(), create()];
        await client.connect(transport);
      },
      finish: () => transport.finishAuth(browser.returned),
      call: (name, args) => client.callTool({ name, arguments: args as Record<string, unknown> }),
      close: () => client.close(),
    };
  };

export const flowV2Legacy = flowV2("legacy");
export const flowV2Modern = flowV2("auto");
