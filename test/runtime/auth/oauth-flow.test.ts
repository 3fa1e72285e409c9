import { createServer as createHttpServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Auth, oauth, type OAuthOptions } from "@tenon/runtime/auth";
import { createNodeHandler, type NodeHandler } from "@tenon/runtime/node";
import { afterEach, describe, expect, test } from "vitest";
import { quietServer } from "../../support/describe-transports.js";
import { createFixture } from "../fixture/application.js";
import { startAuthorizationServer, type AuthorizationServer } from "./authorization-server.js";
import {
  Browser,
  CALLBACK,
  CLIENT_METADATA,
  flowV1,
  flowV2Legacy,
  flowV2Modern,
  type Identity,
} from "./official-flows.js";
import { provingFetch } from "./proving-fetch.js";
import { createClientKey } from "./tables/row.js";

const METADATA_URL = "https://client.example/metadata.json";

const REGISTERED: Identity = { clientId: "official" };
const BY_METADATA: Identity = { metadataUrl: METADATA_URL };

let authorizationServer: AuthorizationServer;
let http: HttpServer;
let handlers: NodeHandler[];
let origin: string;
afterEach(async () => {
  await Promise.all(handlers.map((handler) => handler.close()));
  await new Promise((resolve) => {
    http.close(resolve);
    http.closeAllConnections();
  });
  await authorizationServer.close();
});

/**
 * Starts servers on one origin, each a separate resource, and an authorization server for all of them.
 *
 * @param servers by path; `audience` is the name that their tokens have for them
 */
async function start(servers: Record<string, Partial<OAuthOptions<"read" | "write">>>): Promise<void> {
  handlers = [];
  http = createHttpServer((request, response) => {
    const [last, ...others] = handlers.toReversed();
    const first = others.reduce<(() => void) | undefined>(
      (next, handler) => () => handler(request, response, next),
      () => last?.(request, response),
    );
    first?.();
  });
  await new Promise<void>((resolve) => {
    http.listen(0, "127.0.0.1", resolve);
  });
  origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const toResource = (path: string): string => `${origin}${path === "/" ? "" : path}`;
  authorizationServer = await startAuthorizationServer({
    audiences: new Map(
      Object.entries(servers).map(([path, { audience }]) => [
        toResource(path),
        String(audience ?? toResource(path)),
      ]),
    ),
    scopes: ["read", "write"],
    client: { id: "official", redirectUrl: CALLBACK },
    documents: new Map([
      [METADATA_URL, { client_id: METADATA_URL, application_type: "native", ...CLIENT_METADATA }],
    ]),
  });
  for (const [path, options] of Object.entries(servers)) {
    const auth = oauth({
      issuer: authorizationServer.issuer,
      resource: toResource(path),
      scopes: { read: {}, write: { implies: ["read"] } },
      ...options,
    });
    serve(path, auth);
  }
}

/** Serves the fixture at a path: `add` needs the scope `read`, and `conditions` the scope `write`. */
function serve(path: string, auth: Auth): void {
  const { manifest, ...rest } = createFixture({ auth });
  const scopes: Record<string, string[]> = { add: ["read"], conditions: ["write"] };
  const tools = manifest.tools.map((tool) => {
    const needed = scopes[tool.definition.name];
    return needed ? { ...tool, scopes: needed } : tool;
  });
  handlers.push(createNodeHandler(quietServer({ ...rest, manifest: { ...manifest, tools } }), { path }));
}

const conditions = { structuredContent: { city: "Oslo" } };

describe.each([
  ["1.x", flowV1],
  ["2.x, legacy", flowV2Legacy],
  ["2.x, modern", flowV2Modern],
])("the official client %s", (_, createFlow) => {
  test("discovers where to register and log in, requests all scopes, and calls a tool", async () => {
    await start({ "/mcp": {} });
    const browser = new Browser();
    const flow = createFlow(`${origin}/mcp`, browser);
    // 401, the resource's metadata, the issuer's metadata, registration, and the user's browser.
    await expect(flow.connect()).rejects.toThrow("Unauthorized");
    expect(browser.asked).toEqual(["read write"]);
    await flow.finish();
    await flow.connect();
    expect((await flow.call("add", { a: 1, b: 2 }))["structuredContent"]).toBeDefined();
    expect(await flow.call("conditions", { city: "Oslo" })).toMatchObject(conditions);
    await flow.close();
  });

  test.each([
    ["is registered", REGISTERED],
    ["is known by the URL of its metadata", BY_METADATA],
  ])("%s, requests the initial scopes first, and more when a call needs them", async (_how, identity) => {
    await start({ "/mcp": { initialScopes: ["read"] } });
    const browser = new Browser(identity);
    const flow = createFlow(`${origin}/mcp`, browser);
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
    expect(await flow.call("conditions", { city: "Oslo" })).toMatchObject(conditions);
    await flow.close();
  });

  test("has a separate token for each of two servers on one origin", async () => {
    await start({ "/": {}, "/mcp": {} });
    const browsers: Browser[] = [];
    for (const path of ["/", "/mcp"]) {
      const browser = new Browser(BY_METADATA);
      const flow = createFlow(`${origin}${path}`, browser);
      await expect(flow.connect()).rejects.toThrow("Unauthorized");
      await flow.finish();
      await flow.connect();
      expect(await flow.call("conditions", { city: "Oslo" })).toMatchObject(conditions);
      await flow.close();
      browsers.push(browser);
    }
    expect(browsers.flatMap(({ resources }) => resources)).toEqual([origin, `${origin}/mcp`]);
    const statuses = await Promise.all(
      browsers.flatMap((browser) =>
        ["/", "/mcp"].map(async (path) => {
          const authorization = `Bearer ${browser.tokens()?.access_token}`;
          const response = await fetch(`${origin}${path}`, { method: "POST", headers: { authorization } });
          return response.status;
        }),
      ),
    );
    // Accepted requests have no message and therefore receive 415.
    expect(statuses).toEqual([415, 401, 401, 415]);
  });
});

test("tokens may use another audience for the server, as Entra's do", async () => {
  await start({ "/mcp": { audience: "api://123" } });
  const browser = new Browser(BY_METADATA);
  const flow = flowV2Modern(`${origin}/mcp`, browser);
  await expect(flow.connect()).rejects.toThrow("Unauthorized");
  await flow.finish();
  await flow.connect();
  expect(await flow.call("conditions", { city: "Oslo" })).toMatchObject(conditions);
  await flow.close();
});

test.each([
  ["1.x", flowV1],
  ["2.x", flowV2Modern],
])(
  "the official client %s calls with tokens bound to its key, even if the server requires nonces",
  async (_, createFlow) => {
    await start({ "/mcp": { dpop: "require", dpopNonces: true } });
    const key = await createClientKey();
    const browser = new Browser(BY_METADATA);
    const proofs: string[] = [];
    const flow = createFlow(`${origin}/mcp`, browser, provingFetch(key, proofs));
    await expect(flow.connect()).rejects.toThrow("Unauthorized");
    await flow.finish();
    expect(browser.tokens()?.token_type).toBe("DPoP");
    await flow.connect();
    expect(await flow.call("conditions", { city: "Oslo" })).toMatchObject(conditions);
    await flow.close();
    expect(proofs.length).toBeGreaterThan(2);
    // An attacker has the token, and the proofs that were sent.
    const authorization = `DPoP ${browser.tokens()?.access_token}`;
    const dpop = proofs.at(-1) ?? "";
    const stolen = await fetch(`${origin}/mcp`, { method: "POST", headers: { authorization, dpop } });
    expect(stolen.headers.get("www-authenticate")).toContain('error="invalid_dpop_proof"');
  },
);
