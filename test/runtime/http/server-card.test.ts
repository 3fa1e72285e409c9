/**
 * The server card and the catalog, with which clients find a server before they connect.
 *
 * They follow the draft at https://github.com/modelcontextprotocol/experimental-ext-server-card.
 */
import type { ServerConfig } from "@tenon/runtime";
import { apiKeys, oauth } from "@tenon/runtime/auth";
import { createHttpHandler, type HttpHandlerOptions } from "@tenon/runtime/http";
import { createNodeHandler, listen } from "@tenon/runtime/node";
import { serverCard, type ServerCardOptions } from "@tenon/runtime/server-card";
import { describe, expect, onTestFinished, test } from "vitest";
import { createPagedServer } from "./paged-server.js";

const CARD = "http://localhost/mcp/server-card";
const CATALOG = "http://localhost/.well-known/ai-catalog.json";

const OPTIONS: ServerCardOptions = { name: "com.example/weather", description: "Weather for every city." };

interface Setup {
  readonly card?: Partial<ServerCardOptions>;
  readonly config?: ServerConfig;
  readonly options?: HttpHandlerOptions;
}

function createHandler({ card, config, options }: Setup = {}): (
  url: string,
  init?: RequestInit,
) => Promise<Response> {
  const http = { ...config?.http, card: serverCard({ ...OPTIONS, ...card }) };
  const server = createPagedServer([{ name: "current" }], { ...config, http });
  const handle = createHttpHandler(server, options);
  return (url, init) => handle(new Request(url, init));
}

async function readJson(url: string, setup?: Setup): Promise<Record<string, unknown>> {
  const response = await createHandler(setup)(url);
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, unknown>;
}

describe("a server card", () => {
  test("describes the server and how to connect, and lists no tools", async () => {
    const repository = { url: "https://github.com/ada/weather", source: "github", subfolder: "server" };
    const headers = [{ name: "X-API-Key", isRequired: true, isSecret: true }];
    const icons = [{ src: "https://example.com/icon.png" }];
    const config = { title: "Weather", websiteUrl: "https://example.com/", icons };
    const response = await createHandler({ card: { repository, headers }, config })(CARD);
    expect(response.headers.get("content-type")).toBe("application/mcp-server-card+json");
    expect(await response.json()).toEqual({
      $schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
      name: "com.example/weather",
      version: "1.2.3",
      description: "Weather for every city.",
      title: "Weather",
      websiteUrl: "https://example.com/",
      icons,
      repository,
      remotes: [
        {
          type: "streamable-http",
          url: "http://localhost/mcp",
          headers,
          supportedProtocolVersions: ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"],
        },
      ],
    });
  });

  test("has the description of the server unless it has its own", async () => {
    const config = { description: "Of the server." };
    expect(await readJson(CARD, { card: { description: undefined }, config })).toMatchObject({
      description: "Of the server.",
    });
    expect(await readJson(CARD, { config })).toMatchObject({ description: OPTIONS.description });
  });

  test.each([
    ["no description", { description: undefined }, {}, "the description of the server has 0 characters"],
    [
      "a long description",
      { description: undefined },
      { description: "a".repeat(101) },
      "has 101 characters",
    ],
    ["a long title", {}, { title: "a".repeat(101) }, "the title of the server has 101 characters"],
    ["a long version", {}, { version: "1".repeat(256) }, "the version of the server has 256 characters"],
  ])("is rejected at startup for a server with %s", (_, card, config, message) => {
    expect(() => createHandler({ card, config })).toThrow(message);
  });

  test.each<[Partial<Record<keyof ServerCardOptions, unknown>>, string]>([
    [{ name: "weather" }, "`name` must be"],
    [{ name: "com.example/a/b" }, "`name` must be"],
    [{ name: `com.example/${"a".repeat(200)}` }, "`name` must be"],
    [{ description: "" }, "`description` must have"],
    [{ description: "a".repeat(101) }, "`description` must have"],
    [{ url: "mcp.example.com" }, "`url` must be"],
    [{ url: "ftp://mcp.example.com" }, "`url` must be"],
    [{ repository: { url: "github.com/ada" } }, "`repository` must have"],
    [{ headers: [{ value: "a" }] }, "`headers` must be"],
  ])("with %j is rejected", (options, message) => {
    expect(() => serverCard({ ...OPTIONS, ...options } as ServerCardOptions)).toThrow(message);
  });

  test("is off by default", async () => {
    const handle = createHttpHandler(createPagedServer([]));
    for (const url of [CARD, CATALOG]) expect((await handle(new Request(url))).status).toBe(404);
  });

  test("is rejected if `serverCard` did not create it", () => {
    const server = createPagedServer([], { http: { card: { name: "com.example/weather" } } });
    expect(() => createHttpHandler(server)).toThrow("http.card must be `serverCard({ … })`");
  });
});

describe("the catalog", () => {
  test("names the card of the server", async () => {
    const response = await createHandler({ card: { name: "io.github.ada/weather" } })(CATALOG);
    expect(response.headers.get("content-type")).toBe("application/ai-catalog+json");
    expect(await response.json()).toEqual({
      specVersion: "1.0",
      entries: [
        {
          identifier: "urn:air:ada.github.io:mcp:weather",
          type: "application/mcp-server-card+json",
          url: CARD,
        },
      ],
    });
  });

  test("leads from the origin to a server that can be called", async () => {
    const http = { card: serverCard(OPTIONS) };
    const listener = await listen(createPagedServer([{ name: "current" }], { http }), { port: 0 });
    onTestFinished(() => listener.close());
    const get = async <Value>(url: string): Promise<Value> => (await fetch(url)).json() as Promise<Value>;
    const { entries } = await get<{ entries: { url: string }[] }>(
      new URL("/.well-known/ai-catalog.json", listener.url).href,
    );
    const { remotes } = await get<{ remotes: { url: string }[] }>(entries[0]?.url ?? "");
    expect(remotes[0]?.url).toBe(listener.url);
  });
});

describe("the URL in a card", () => {
  const getUrls = async (setup: Setup, card: string, catalog: string): Promise<unknown[]> => {
    const { remotes } = (await readJson(card, setup)) as { remotes: { url: string }[] };
    const { entries } = (await readJson(catalog, setup)) as { entries: { url: string }[] };
    return [remotes[0]?.url, entries[0]?.url];
  };

  test("is the `resource` of `oauth`", async () => {
    const auth = oauth({ issuer: "https://login.example.com", resource: "https://example.com/desk/mcp" });
    expect(await getUrls({ config: { auth } }, CARD, CATALOG)).toEqual([
      "https://example.com/desk/mcp",
      "https://example.com/desk/mcp/server-card",
    ]);
  });

  test("is the configured one, whatever the request", async () => {
    const url = "https://mcp.example.com/";
    expect(await getUrls({ card: { url } }, CARD, CATALOG)).toEqual([
      url,
      "https://mcp.example.com/server-card",
    ]);
  });

  test("has the path for clients, and the host and scheme of the request", async () => {
    const options = { path: "/desk/mcp", allowedHosts: ["mcp.example.com"] };
    const origin = "https://mcp.example.com";
    expect(
      await getUrls({ options }, `${origin}/desk/mcp/server-card`, `${origin}/.well-known/ai-catalog.json`),
    ).toEqual([`${origin}/desk/mcp`, `${origin}/desk/mcp/server-card`]);
    expect(await getUrls({ options: { path: "/" } }, "http://localhost/server-card", CATALOG)).toEqual([
      "http://localhost/",
      "http://localhost/server-card",
    ]);
  });

  test("never has a host that is not allowed", async () => {
    expect((await createHandler()("http://evil.example/mcp/server-card")).status).toBe(403);
  });
});

describe("requests for a card", () => {
  test("need no login, and may come from pages of any origin", async () => {
    const send = createHandler({ config: { auth: apiKeys({ "a-key-of-ada-0123456789": "ada" }) } });
    const headers = { origin: "https://other.example" };
    for (const url of [CARD, CATALOG]) {
      for (const method of ["GET", "HEAD", "OPTIONS"]) {
        const response = await send(url, { method, headers });
        expect([method, response.status]).toEqual([method, method === "OPTIONS" ? 204 : 200]);
        expect(Object.fromEntries(response.headers)).toMatchObject({
          "access-control-allow-origin": "*",
          "access-control-allow-methods": "GET",
          "access-control-allow-headers": "Content-Type, If-None-Match",
          "access-control-expose-headers": "ETag",
        });
        expect(response.headers.get("vary")).toBeNull();
      }
    }
    // The server itself still rejects the origin.
    expect((await send("http://localhost/mcp", { method: "POST", headers })).status).toBe(403);
  });

  test("may be cached for an hour, and then revalidated", async () => {
    const send = createHandler();
    const first = await send(CARD);
    expect(first.headers.get("cache-control")).toBe("public, max-age=3600");
    const etag = first.headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[\w-]+"$/);
    const again = await send(CARD, { headers: { "if-none-match": etag } });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    const moved = await send("http://127.0.0.1/mcp/server-card", { headers: { "if-none-match": etag } });
    expect(moved.status).toBe(200);
  });

  test("with another method are rejected", async () => {
    const response = await createHandler()(CARD, { method: "POST", body: "{}" });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  test("reach a server that is mounted in an application", () => {
    const http = { card: serverCard(OPTIONS) };
    const handle = createNodeHandler(createPagedServer([], { http }));
    const isForwarded = (url: string): boolean => {
      let forwarded = false;
      const response = { writeHead: () => ({ end: () => {} }), on: () => {} };
      const request = { url, method: "GET", headers: { host: "localhost" }, rawHeaders: [], socket: {} };
      handle(request as never, response as never, () => {
        forwarded = true;
      });
      return forwarded;
    };
    expect(["/mcp/server-card", "/.well-known/ai-catalog.json", "/other"].map(isForwarded)).toEqual([
      false,
      false,
      true,
    ]);
  });
});
