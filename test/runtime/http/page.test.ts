/**
 * The page that people see who open the URL of a server in a browser.
 */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Principal, ServerConfig } from "@tenon/runtime";
import { apiKeys, oauth } from "@tenon/runtime/auth";
import { CLIENTS } from "@tenon/runtime/clients";
import { createFetchModule } from "@tenon/runtime/fetch-module";
import { createHttpHandler } from "@tenon/runtime/http";
import { createNodeHandler, listen } from "@tenon/runtime/node";
import { parse as parseToml } from "smol-toml";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { parse as parseYaml } from "yaml";
// Internal: the page shows the entries that `tenon install` writes.
import { INSTALLABLE_CLIENTS } from "../../../packages/cli/src/install/client-config.js";
import { quietServer } from "../../support/describe-transports.js";
import { createFixture } from "../fixture/application.js";
import { createPagedServer, type PagedTool } from "./paged-server.js";

const BROWSER = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };
const URL_OF_MCP = "http://localhost/mcp";
const PLAIN: PagedTool = { name: "plain", description: "Is for everyone." };

/** Opens the page of a server as a browser does. */
function open(
  server: ReturnType<typeof createPagedServer>,
  headers = {},
  url = URL_OF_MCP,
): Promise<Response> {
  return createHttpHandler(server)(new Request(url, { headers: { ...BROWSER, ...headers } }));
}

async function openText(
  tools: readonly PagedTool[],
  config?: ServerConfig,
  headers?: object,
): Promise<string> {
  const response = await open(createPagedServer(tools, config), headers);
  expect(response.status).toBe(200);
  return response.text();
}

/** Returns the text of an element's content. */
function unescape(html: string): string {
  return html.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
}

/** Returns the texts that visitors can copy. */
function listCopyable(html: string): string[] {
  return Array.from(html.matchAll(/<pre><code>(.*?)<\/code><\/pre>/gs), ([, text = ""]) => unescape(text));
}

const toolNames = (html: string): string[] =>
  Array.from(html.matchAll(/<dt><code>(.*?)<\/code>/g), ([, name = ""]) => name);

describe("a browser that opens the URL", () => {
  test("sees the server, its tools, and its URL", async () => {
    const config = {
      title: "Sample",
      description: "Samples\nthings.",
      websiteUrl: "https://example.com/a?b&c",
    };
    const text = await openText([PLAIN, { name: "titled", title: "Has a title" }], config);
    expect(text).toContain('<h1 dir="auto">Sample</h1>');
    expect(text).toContain("sample 1.2.3");
    expect(text).toContain("Samples\nthings.");
    expect(text).toContain('<a href="https://example.com/a?b&#38;c" rel="noreferrer">');
    expect(toolNames(text)).toEqual(["plain", "titled"]);
    expect(text).toContain("Is for everyone.");
    expect(text).toContain("<bdi>Has a title</bdi>");
    expect(listCopyable(text)[0]).toBe(URL_OF_MCP);
    expect(text).not.toContain("requires");
  });

  test("is served by the listener, with sessions and without, and by modules of platforms", async () => {
    for (const sessions of [true, false]) {
      const listener = await listen(createPagedServer([PLAIN], { http: { sessions } }), { port: 0 });
      onTestFinished(() => listener.close());
      const response = await fetch(listener.url, { headers: BROWSER });
      expect([response.status, response.headers.get("content-type")]).toEqual([
        200,
        "text/html; charset=utf-8",
      ]);
      expect(listCopyable(await response.text())[0]).toBe(listener.url);
    }
    const module = createFetchModule(createFixture({ log: "off" }));
    const response = await module.fetch(new Request(URL_OF_MCP, { headers: BROWSER }));
    expect(toolNames(await response.text())).toContain("add");
  });

  test("receives only headers for HEAD", async () => {
    const listener = await listen(createPagedServer([PLAIN]), { port: 0 });
    onTestFinished(() => listener.close());
    const response = await fetch(listener.url, { method: "HEAD", headers: BROWSER });
    expect([response.status, response.headers.get("content-type")]).toEqual([
      200,
      "text/html; charset=utf-8",
    ]);
    expect(await response.text()).toBe("");
  });

  test("sees no page under a host name that is not allowed", async () => {
    const response = await open(createPagedServer([PLAIN]), {}, "http://evil.example/mcp");
    expect(response.status).toBe(403);
  });

  test("receives 405 if the page is off", async () => {
    const response = await open(createPagedServer([PLAIN], { http: { page: false } }));
    expect([response.status, response.headers.get("vary")]).toEqual([405, null]);
    expect(await response.json()).toMatchObject({ error: { message: "Use POST." } });
  });

  test("receives 500 and a reference if the page cannot be built", async () => {
    const reports: object[] = [];
    const server = createPagedServer([PLAIN], { log: (entry) => reports.push(entry) });
    const digest = vi.spyOn(crypto.subtle, "digest").mockRejectedValue(new Error("secret"));
    onTestFinished(() => digest.mockRestore());
    const response = await open(server);
    expect([response.status, response.headers.get("content-type")]).toEqual([500, "application/json"]);
    expect(await response.text()).not.toContain("secret");
    expect(JSON.stringify(reports)).toContain("the page for browsers");
  });

  test("receives 503 while the server shuts down", async () => {
    const handle = createHttpHandler(createPagedServer([PLAIN]));
    await handle.close();
    expect((await handle(new Request(URL_OF_MCP, { headers: BROWSER }))).status).toBe(503);
  });
});

describe("the tools on the page", () => {
  const ada = (principal: Principal | undefined): boolean => principal?.subject === "ada";

  test("are those that a caller without a login may see", async () => {
    const tools: PagedTool[] = [
      PLAIN,
      { name: "scoped", entry: { scopes: ["read"] } },
      { name: "personal", parameters: [{ from: "principal" }] },
      { name: "friendly", parameters: [{ from: "principal", optional: true }] },
      { name: "disabled", options: { enabled: () => false } },
      { name: "own", options: { enabled: ({ principal }) => ada(principal) } },
      {
        name: "local",
        options: { enabled: (caller) => (caller.address ?? caller.header("host")) !== undefined },
      },
      { name: "guarded", options: { authorize: ada } },
      { name: "failing", options: { enabled: () => JSON.parse("{") as boolean } },
      { name: "internal", entry: { visibility: ["app"] } },
      { name: "both", entry: { visibility: ["app", "model"] } },
    ];
    expect(toolNames(await openText(tools))).toEqual(["plain", "friendly", "both"]);
    // The gateway knows the visitor, but the page is the same for all.
    const http: ServerConfig["http"] = { principal: () => ({ subject: "ada", scopes: ["read"] }) };
    expect(toolNames(await openText(tools, { http }))).toEqual(["plain", "friendly", "both"]);
  });

  test.each([
    ["OAuth", oauth({ issuer: "https://login.example.com", resource: URL_OF_MCP }), "opens a page"],
    ["keys", apiKeys({ "a-key-of-ada-0123456789": "ada" }), "as a header"],
  ])(
    "are hidden if callers authenticate with %s, though the page itself needs no login",
    async (_, auth, hint) => {
      const text = await openText([PLAIN], { auth });
      expect(toolNames(text)).toEqual([]);
      expect(text).not.toContain("Is for everyone.");
      expect(text).toContain(hint);
      // The page is for browsers alone.
      const handle = createHttpHandler(createPagedServer([PLAIN], { auth }));
      for (const [method, accept] of [
        ["GET", "application/json"],
        ["GET", "text/event-stream"],
        ["POST", "text/html, application/json"],
      ] as const) {
        const response = await handle(new Request(URL_OF_MCP, { method, headers: { accept } }));
        expect([method, accept, response.status]).toEqual([method, accept, 401]);
      }
      const held = await handle(
        new Request(URL_OF_MCP, { headers: { accept: "text/html", "mcp-session-id": "1" } }),
      );
      expect(held.status).toBe(401);
    },
  );

  test("are hidden from visitors whom `http.principal` rejects", async () => {
    const http: ServerConfig["http"] = {
      principal: () => {
        throw new Error("Unknown.");
      },
    };
    const response = await open(createPagedServer([PLAIN], { http }));
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({
      error: { code: -32_603, message: expect.not.stringContaining("plain") as string },
    });
  });
});

describe("untrusted text on the page", () => {
  const HOSTILE = `</title></script><script>alert(1)</script>"'\`&<img src=x onerror=alert(1)>\u202Eevil\u2066\u001b[31m`;

  test("is escaped, and cannot change the direction of the text around it", async () => {
    const config = { title: HOSTILE, description: HOSTILE, name: HOSTILE, version: HOSTILE };
    const text = await openText([{ name: HOSTILE, title: `${HOSTILE}!`, description: HOSTILE }], config);
    // Each of these tags is the page's own.
    expect(text.match(/<script/g)).toHaveLength(1);
    expect(text.match(/<\/script/g)).toHaveLength(1);
    expect(text).not.toMatch(/<img|[\u202A-\u202E\u2066-\u2069]/);
    expect(text).not.toContain("\u001b");
    expect(unescape(text)).toContain("</title></script><script>alert(1)</script>\"'`&<img");
    for (const tag of [
      '<h1 dir="auto">',
      '<p class="text" dir="auto">',
      '<dd class="text" dir="auto">',
      "<bdi>",
    ])
      expect(text).toContain(`${tag}&#60;/title`);
    // Names of servers in commands and configurations.
    expect(listCopyable(text)).toContain(
      `claude mcp add --transport http title-script-script-alert-1-script-img-src-x-onerror-alert-1-evil-31m ${URL_OF_MCP}`,
    );
  });

  test("becomes the name `server` if it has no letters, and never a name like an option", async () => {
    const nameIn = async (name: string): Promise<string | undefined> =>
      listCopyable(await openText([], { name }))[1]?.split(" ")[5];
    expect(await nameIn("天気")).toBe("server");
    expect(await nameIn("--scope=user")).toBe("scope-user");
    expect(await nameIn("URL")).toBe("URL");
  });
});

describe("the headers of the page", () => {
  test("allow only its own script and style", async () => {
    const response = await open(createPagedServer([PLAIN]));
    const policy = response.headers.get("content-security-policy") ?? "";
    const text = await response.text();
    const toHash = (tag: string): string => {
      const [, content = ""] = new RegExp(`<${tag}>(.*?)</${tag}>`, "s").exec(text) ?? [];
      expect(content.length).toBeGreaterThan(100);
      return `'sha256-${createHash("sha256").update(content).digest("base64")}'`;
    };
    expect(policy.split("; ")).toEqual([
      "default-src 'none'",
      `style-src ${toHash("style")}`,
      `script-src ${toHash("script")}`,
      "img-src data:",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
    expect(text).not.toMatch(/ (?:style|on\w+)=/);
    // Nothing is loaded from elsewhere.
    expect(text).not.toMatch(/\b(?:src|href)="(?!data:,)/);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
    });
  });

  test("let caches store it if they revalidate it before each use", async () => {
    const server = createPagedServer([PLAIN]);
    const first = await open(server, { origin: "http://localhost" });
    const etag = first.headers.get("etag") ?? "";
    expect(etag).toMatch(/^".+"$/);
    expect(first.headers.get("cache-control")).toBe("no-cache");
    expect(first.headers.get("vary")).toBe("origin, accept");
    const again = await open(server, { "if-none-match": `"other", W/${etag}` });
    expect([again.status, again.headers.get("etag"), await again.text()]).toEqual([304, etag, ""]);
    expect((await open(server, { "if-none-match": '"other"' })).status).toBe(200);
  });

  test("keep it out of shared caches if callers are identified", async () => {
    const server = createPagedServer([PLAIN], { http: { principal: () => "ada" } });
    expect((await open(server)).headers.get("cache-control")).toBe("private, no-cache");
  });
});

describe("the URL on the page", () => {
  test("is the resource of OAuth", async () => {
    const auth = oauth({ issuer: "https://login.example.com", resource: "https://example.com/desk/mcp" });
    const text = await openText([], { auth });
    expect(listCopyable(text)[0]).toBe("https://example.com/desk/mcp");
    // The browser does not replace it.
    expect(text).not.toContain("data-url");
  });

  test("has the scheme that a trusted proxy reports, and the whole path of a mount point", async () => {
    const server = createPagedServer([PLAIN], { http: { trustedProxies: ["loopback"] } });
    const handle = createNodeHandler(server, { path: "/desk/mcp", allowedHosts: ["mcp.example.com"] });
    const http = createHttpServer((request, response) => {
      // As Express does for a handler under `/desk`.
      Object.assign(request, { originalUrl: request.url, url: request.url?.replace("/desk", "") });
      handle(request, response);
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void http.close());
    await once(http, "listening");
    const { port } = http.address() as AddressInfo;
    const { request } = await import("node:http");
    const sent = request({
      host: "127.0.0.1",
      port,
      path: "/desk/mcp?a=1",
      headers: {
        ...BROWSER,
        host: "mcp.example.com",
        "x-forwarded-proto": "https",
        "x-forwarded-for": "192.0.2.1",
      },
    }).end();
    const [response] = (await once(sent, "response")) as [AsyncIterable<Buffer>];
    let text = "";
    for await (const chunk of response) text += chunk.toString();
    expect(listCopyable(text)[0]).toBe("https://mcp.example.com/desk/mcp");
    expect(text).toContain('data-url="https://mcp.example.com/desk/mcp"');
  });
});

describe("the instructions for clients", () => {
  test("are those of every client that `tenon install` supports", async () => {
    const text = await openText([], { name: "@ada/weather" });
    const sections = text.match(/<details>.*?<\/details>/gs) ?? [];
    expect(sections.map((each) => /<summary>(.*?)<\/summary>/.exec(each)?.[1])).toEqual(
      INSTALLABLE_CLIENTS.map(({ label }) => label),
    );
    for (const [index, { format, key, entry, nextStep, label }] of INSTALLABLE_CLIENTS.entries()) {
      const section = sections[index] ?? "";
      const written = entry({ url: URL_OF_MCP, headers: {} }, "ada-weather");
      const config = listCopyable(section).at(-1) ?? "";
      if (written === undefined) {
        expect([label, config]).toEqual(["Claude Desktop", URL_OF_MCP]);
        continue;
      }
      const parse: (text: string) => unknown = { json: JSON.parse, toml: parseToml, yaml: parseYaml }[format];
      expect(parse(config)).toEqual({ [key]: { "ada-weather": written } });
      expect(unescape(section).replaceAll(/<\/?code>/g, "`")).toContain(nextStep);
      expect(section).toContain(CLIENTS[index]?.userFile.replace(/^\{\w+\}/, "") ?? "missing");
    }
    expect(sections[3]).toContain(
      "<code>.vscode/mcp.json</code> in a project, or to <code>~/.config/Code/User/mcp.json</code> (Linux), " +
        "<code>~/Library/Application Support/Code/User/mcp.json</code> (macOS), " +
        "<code>%APPDATA%\\Code\\User\\mcp.json</code> (Windows)",
    );
  });
});

describe("clients of a server with a page", () => {
  test("receive streams and errors as before", async () => {
    const handle = createHttpHandler(quietServer(createFixture()));
    const send = (init: RequestInit): Promise<Response> => handle(new Request(URL_OF_MCP, init));
    for (const accept of ["application/json", "text/event-stream", "*/*", "text/html;q=0, */*"]) {
      const response = await send({ headers: { accept } });
      expect([accept, response.status]).toEqual([accept, 405]);
      expect(response.headers.get("vary")).toBe("accept");
    }
    const params = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "t", version: "1" },
    };
    const opened = await send({
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }),
    });
    const id = opened.headers.get("mcp-session-id") ?? "";
    // Whatever it accepts, a client with a session opens its stream.
    const stream = await send({
      headers: { accept: "text/event-stream, text/html", "mcp-session-id": id },
    });
    expect([stream.status, stream.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    await stream.body?.cancel();
    await handle.close();
  });
});
