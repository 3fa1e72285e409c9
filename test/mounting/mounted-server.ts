import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LATEST } from "../support/describe-transports.js";
import { headersFor } from "../support/wires.js";
import type { WireMessage } from "../wire/schemas.mjs";
import { TOKEN } from "./server.js";

/** An application that listens, with the server of `server.ts` mounted at `/mcp`. */
export interface Mounted {
  origin: string;
  close(): Promise<void>;
}

const META = "io.modelcontextprotocol";
const AUTHORIZED = { authorization: `Bearer ${TOKEN}` };
const info = { name: "official", version: "1.0.0" };

/** Methods of either client that the tests use. The types of the clients differ only in notation. */
interface Official {
  count(onProgress: (step: number) => void): Promise<unknown>;
  sessionId(): string | undefined;
  terminate(): Promise<void>;
  close(): Promise<void>;
}

async function openV1(url: URL): Promise<Official> {
  const transport = new HttpV1(url, { requestInit: { headers: AUTHORIZED } });
  const client = new ClientV1(info);
  await client.connect(transport as Parameters<ClientV1["connect"]>[0]);
  return {
    count: (onProgress) =>
      client.callTool({ name: "count" }, undefined, { onprogress: ({ progress }) => onProgress(progress) }),
    sessionId: () => transport.sessionId,
    terminate: () => transport.terminateSession(),
    close: () => client.close(),
  };
}

const openV2 =
  (mode: "legacy" | "auto") =>
  async (url: URL): Promise<Official> => {
    const transport = new HttpV2(url, { requestInit: { headers: AUTHORIZED } });
    const client = new ClientV2(info, { versionNegotiation: { mode } });
    await client.connect(transport);
    return {
      count: (onProgress) =>
        client.callTool({ name: "count" }, { onprogress: ({ progress }) => onProgress(progress) }),
      sessionId: () => transport.sessionId,
      terminate: () => transport.terminateSession(),
      close: () => client.close(),
    };
  };

const call = (name: string): WireMessage => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: {
    name,
    arguments: {},
    _meta: { [`${META}/protocolVersion`]: LATEST, [`${META}/clientCapabilities`]: {} },
  },
});

/** Tests that a mounted server behaves like one that listens itself. */
export function describeMounted(name: string, mount: () => Promise<Mounted>): void {
  describe(`mounted in ${name}`, () => {
    let mounted: Mounted;
    beforeAll(async () => {
      mounted = await mount();
    });
    afterAll(() => mounted.close());

    const post = (
      message: WireMessage,
      { headers = AUTHORIZED as Record<string, string>, ...init }: RequestInit & { headers?: object } = {},
    ): Promise<Response> =>
      fetch(`${mounted.origin}/mcp`, {
        method: "POST",
        body: JSON.stringify(message),
        ...init,
        headers: { ...headersFor(message), ...headers },
      });

    test.each([
      ["1.x", "legacy", openV1],
      ["2.x", "legacy", openV2("legacy")],
      ["2.x", "modern", openV2("auto")],
    ])("serves the official client %s, %s", async (_, era, open) => {
      const client = await open(new URL(`${mounted.origin}/mcp`));
      const steps: number[] = [];
      const { content } = (await client.count((step) => steps.push(step))) as { content: object[] };
      expect(steps).toEqual([1, 2, 3]);
      expect(content).toEqual([{ type: "text", text: expect.stringMatching(/^ada at /) as string }]);
      if (era === "legacy") {
        expect(client.sessionId()).toMatch(/^[0-9a-f-]{36}$/);
        await client.terminate();
        await expect(client.count(() => {})).rejects.toThrow();
      }
      await client.close();
    });

    test("stops a call whose client disconnects", async () => {
      const waits = async (): Promise<unknown> => {
        const { result = {} } = (await (await post(call("waits"))).json()) as WireMessage;
        const [{ text }] = result["content"] as [{ text: string }];
        return JSON.parse(text);
      };
      const [started, stopped] = (await waits()) as [number, number];
      const controller = new AbortController();
      const waiting = post(call("wait"), { signal: controller.signal }).catch(() => "gone");
      await expect.poll(waits).toEqual([started + 1, stopped]);
      controller.abort();
      expect(await waiting).toBe("gone");
      await expect.poll(waits).toEqual([started + 1, stopped + 1]);
    });

    test("directs clients without a token to the authorization server", async () => {
      const rejected = await post(call("count"), { headers: {} });
      expect(rejected.status).toBe(401);
      const metadata = "https://mcp.example.com/.well-known/oauth-protected-resource/mcp";
      expect(rejected.headers.get("www-authenticate")).toContain(`resource_metadata="${metadata}"`);
      const document = await fetch(new URL(new URL(metadata).pathname, mounted.origin));
      expect(document.headers.get("access-control-allow-origin")).toBe("*");
      expect(await document.json()).toMatchObject({
        resource: "https://mcp.example.com/mcp",
        authorization_servers: ["https://login.example.com"],
      });
      expect((await post(call("count"), { headers: { authorization: "Bearer other" } })).status).toBe(401);
    });

    test("rejects empty bodies and batches", async () => {
      expect((await post(call("count"), { body: "" })).status).toBe(400);
      const batch = await post(call("count"), { body: JSON.stringify([call("count")]) });
      expect([batch.status, await batch.text()]).toEqual([
        400,
        expect.stringContaining("one message at a time"),
      ]);
    });

    test("rejects requests of foreign pages, and bodies that are too large", async () => {
      const foreign = await post(call("count"), {
        headers: { ...AUTHORIZED, origin: "https://evil.example" },
      });
      expect(foreign.status).toBe(403);
      expect((await post(call("count"), { body: `{"a":"${"x".repeat(20_000)}"}` })).status).toBe(413);
    });

    test("leaves other paths to the application", async () => {
      for (const path of ["/", "/healthz", "/mcp/", "//mcp", "/MCP", "/other"]) {
        const init = { method: "POST", body: "{}", redirect: "manual" } as const;
        // Next.js redirects from one spelling of a path to another.
        expect([404, 308]).toContain((await fetch(`${mounted.origin}${path}`, init)).status);
      }
    });
  });
}
