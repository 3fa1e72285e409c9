import { createServer as createNetServer, type AddressInfo } from "node:net";
import {
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpV2,
  type OAuthClientProvider,
} from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { oauth } from "@tenon/runtime/auth";
import { listen, type Listener } from "@tenon/runtime/node";
import { afterEach, describe, expect, test } from "vitest";
import { quietServer } from "../../support/describe-transports.js";
import { createFixture } from "../fixture/application.js";
import { authorize, startAuthorizationServer, type AuthorizationServer } from "./authorization-server.js";

const CALLBACK = "http://127.0.0.1:9/callback";

const REGISTERED = "official";

let authorizationServer: AuthorizationServer;
let listener: Listener;
afterEach(async () => {
  await listener.close();
  await authorizationServer.close();
});

/** @param initialScopes what clients are told to begin with */
async function start(initialScopes?: ("read" | "write")[]): Promise<void> {
  const port = await freePort();
  const resource = `http://127.0.0.1:${port}/mcp`;
  authorizationServer = await startAuthorizationServer({
    resource,
    scopes: ["read", "write"],
    client: { id: REGISTERED, redirectUrl: CALLBACK },
  });
  const auth = oauth({
    issuer: authorizationServer.issuer,
    resource,
    scopes: { read: {}, write: { implies: ["read"] } },
    ...(initialScopes && { initialScopes }),
  });
  const { manifest, ...rest } = createFixture({ auth });
  const scopes: Record<string, string[]> = { add: ["read"], conditions: ["write"] };
  const tools = manifest.tools.map((tool) => {
    const needed = scopes[tool.definition.name];
    return needed ? { ...tool, scopes: needed } : tool;
  });
  listener = await listen(quietServer({ ...rest, manifest: { ...manifest, tools } }), { port });
}

async function freePort(): Promise<number> {
  const server = createNetServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => {
    server.once("listening", resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}

type Tokens = Awaited<ReturnType<OAuthClientProvider["tokens"]>>;
type Information = Awaited<ReturnType<OAuthClientProvider["clientInformation"]>>;

/** The memory of a client, and the browser of its user. */
class Browser implements OAuthClientProvider {
  /** The scopes of each authorization that the user was sent to. */
  readonly asked: (string | null)[] = [];
  returned = new URLSearchParams();
  #tokens: Tokens;
  #client: Information;

  /** @param clientId what the client is registered as; without it, it registers itself */
  constructor(clientId?: string) {
    this.#client = clientId === undefined ? undefined : { client_id: clientId };
  }

  #verifier = "";

  readonly redirectUrl = CALLBACK;
  readonly clientMetadata = {
    client_name: "official",
    redirect_uris: [CALLBACK],
    token_endpoint_auth_method: "none",
    grant_types: ["authorization_code"],
    response_types: ["code"],
  };

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
    this.returned = await authorize(url, CALLBACK);
  }
}

/** What the test uses of either client. */
interface Flow {
  connect(): Promise<void>;
  /** Exchanges the code that the browser has brought back. */
  finish(): Promise<void>;
  call(name: string, args: object): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

function flowV1(browser: Browser): Flow {
  const create = () => new HttpV1(new URL(listener.url), { authProvider: browser as never });
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
}

function flowV2(browser: Browser, mode: "auto" | "legacy"): Flow {
  const create = () => new HttpV2(new URL(listener.url), { authProvider: browser });
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
}

describe.each<[string, (browser: Browser) => Flow]>([
  ["1.x", flowV1],
  ["2.x, legacy", (browser) => flowV2(browser, "legacy")],
  ["2.x, modern", (browser) => flowV2(browser, "auto")],
])("the official client %s", (_, createFlow) => {
  test("finds out where to register and to log in, asks for all scopes, and calls", async () => {
    await start();
    const browser = new Browser();
    const flow = createFlow(browser);
    // 401, the resource's metadata, the issuer's metadata, registration, and the user's browser.
    await expect(flow.connect()).rejects.toThrow("Unauthorized");
    expect(browser.asked).toEqual(["read write"]);
    await flow.finish();
    await flow.connect();
    expect((await flow.call("add", { a: 1, b: 2 }))["structuredContent"]).toBeDefined();
    expect(await flow.call("conditions", { city: "Oslo" })).toMatchObject({
      structuredContent: { city: "Oslo" },
    });
    await flow.close();
  });

  test("begins with few scopes, and steps up where it needs more", async () => {
    await start(["read"]);
    const browser = new Browser(REGISTERED);
    const flow = createFlow(browser);
    await expect(flow.connect()).rejects.toThrow("Unauthorized");
    expect(browser.asked).toEqual(["read"]);
    await flow.finish();
    await flow.connect();
    expect((await flow.call("add", { a: 1, b: 2 }))["structuredContent"]).toBeDefined();
    // 403, and the user's browser again.
    await expect(flow.call("conditions", { city: "Oslo" })).rejects.toThrow("Unauthorized");
    expect(browser.asked).toHaveLength(2);
    expect(browser.asked[1]?.split(" ")).toContain("write");
    await flow.finish();
    await flow.connect();
    expect(await flow.call("conditions", { city: "Oslo" })).toMatchObject({
      structuredContent: { city: "Oslo" },
    });
    await flow.close();
  });
});
