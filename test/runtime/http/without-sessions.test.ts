import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { createHttpHandler } from "@tenon/runtime/http";
import { listen } from "@tenon/runtime/node";
import { describe, expect, onTestFinished, test } from "vitest";
import { LATEST_LEGACY, quietServer } from "../../support/describe-transports.js";
import type { WireMessage } from "../../wire/schemas.mjs";
import { createAskingFixture } from "../asking/application.js";
import { createFixture } from "../fixture/application.js";

const LEGACY = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

const createServerWithoutSessions = () => quietServer(createFixture({ http: { sessions: false } }));

/** Posts a message to a new instance, as in an edge deployment. */
async function post(message: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return createHttpHandler(createServerWithoutSessions())(
    new Request("http://localhost/mcp", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headers,
      },
      body: JSON.stringify(message),
    }),
  );
}

const request = (method: string, params: object = {}) => ({ jsonrpc: "2.0", id: 1, method, params });

describe("without sessions", () => {
  test.each(LEGACY)("a client at %s is served, each request by another instance", async (revision) => {
    const params = { protocolVersion: revision, capabilities: {}, clientInfo: { name: "t", version: "1" } };
    const opened = await post(request("initialize", params));
    expect(opened.headers.has("mcp-session-id")).toBe(false);
    const initialized = (await opened.json()) as WireMessage;
    expect(initialized.result).toMatchObject({
      protocolVersion: revision,
      // Changes cannot be announced to a client that has no stream.
      capabilities: { tools: {}, resources: {} },
    });
    expect(initialized.result?.["capabilities"]).toHaveProperty("tools", {});
    expect(initialized.result?.["capabilities"]).toHaveProperty("resources", {});
    // A level would be forgotten with the response.
    expect(initialized.result?.["capabilities"]).not.toHaveProperty("logging");
    const leveled = await post(request("logging/setLevel", { level: "error" }), {
      "mcp-protocol-version": revision,
    });
    // The revision has the method, so only the server lacks it.
    const message = 'The server offers no method "logging/setLevel" in this protocol version.';
    expect(await leveled.json()).toMatchObject({ error: { code: -32_601, message } });
    const headers = { "mcp-protocol-version": revision };
    expect((await post({ jsonrpc: "2.0", method: "notifications/initialized" }, headers)).status).toBe(202);
    const called = await post(request("tools/call", { name: "add", arguments: { a: 1, b: 2 } }), headers);
    const answer = (await called.json()) as WireMessage;
    expect(answer.result).toMatchObject({ content: [{ type: "text" }] });
    expect("structuredContent" in (answer.result ?? {})).toBe(revision >= "2025-06-18");
  });

  test("a request without a revision is served as 2025-03-26, including batches", async () => {
    const batch = [request("ping"), { ...request("tools/list"), id: 2 }];
    const answers = (await (await post(batch)).json()) as WireMessage[];
    expect(answers.map(({ id }) => id)).toEqual([1, 2]);
    expect((await post(batch, { "mcp-protocol-version": LATEST_LEGACY })).status).toBe(400);
    const unanswered = await post([{ jsonrpc: "2.0", method: "notifications/cancelled", params: {} }]);
    expect([unanswered.status, await unanswered.text()]).toEqual([202, ""]);
  });

  test("a request of a batch is rejected if an earlier one has the same ID", async () => {
    const batch = [request("ping"), request("tools/list"), { ...request("ping"), id: 2 }];
    const answers = (await (await post(batch)).json()) as WireMessage[];
    expect(answers).toEqual([
      { jsonrpc: "2.0", id: 1, result: {} },
      {
        jsonrpc: "2.0",
        id: 1,
        error: {
          code: -32_600,
          message: expect.stringContaining("An earlier request of the batch has this ID") as string,
        },
      },
      { jsonrpc: "2.0", id: 2, result: {} },
    ]);
  });

  test("concurrent requests of several clients may have the same ID", async () => {
    const handle = createHttpHandler(createServerWithoutSessions());
    const call = async (a: number): Promise<unknown> => {
      const response = await handle(
        new Request("http://localhost/mcp", {
          method: "POST",
          headers: { "content-type": "application/json", accept: "application/json" },
          body: JSON.stringify(request("tools/call", { name: "add", arguments: { a, b: 1 } })),
        }),
      );
      return ((await response.json()) as WireMessage).result?.["content"];
    };
    expect(await Promise.all([1, 2, 3].map(call))).toEqual(
      ["2", "3", "4"].map((text) => [{ type: "text", text }]),
    );
  });

  test("listening, subscribing, and ending are rejected", async () => {
    const handle = createHttpHandler(createServerWithoutSessions());
    for (const method of ["GET", "DELETE"]) {
      for (const headers of [{}, { "mcp-session-id": "x" }, { "mcp-protocol-version": LATEST_LEGACY }]) {
        const init = {
          method,
          headers: { accept: "text/event-stream", ...headers } as Record<string, string>,
        };
        const response = await handle(new Request("http://localhost/mcp", init));
        expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
      }
    }
    const rejected = await post(request("resources/subscribe", { uri: "note://1" }));
    expect(await rejected.json()).toMatchObject({ error: { code: -32601 } });
  });

  test("a question to the client fails with an explanation", async () => {
    const handle = createHttpHandler(quietServer(createAskingFixture({ http: { sessions: false } })));
    const asked = await handle(
      new Request("http://localhost/mcp", {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
        body: JSON.stringify(request("tools/call", { name: "book", arguments: { city: "Oslo" } })),
      }),
    );
    expect(JSON.stringify(await asked.json())).toContain(
      "The server keeps no sessions, so it can ask only clients of 2026-07-28 or later.",
    );
  });

  test("unknown revisions are rejected, and session IDs are ignored", async () => {
    expect((await post(request("ping"), { "mcp-protocol-version": "v999" })).status).toBe(400);
    expect((await post(request("ping"), { "mcp-session-id": "whatever" })).status).toBe(200);
  });

  test("progress and log messages are sent in the response to the call", async () => {
    const message = request("tools/call", {
      name: "countdown",
      arguments: { steps: 2 },
      _meta: { progressToken: 1 },
    });
    const response = await post(message, { "mcp-protocol-version": LATEST_LEGACY });
    const text = await response.text();
    expect(text.match(/^data: /gm)).toHaveLength(5);
    expect(text).toContain("notifications/progress");
    expect(text).toContain("notifications/message");
    expect(text).not.toMatch(/^id:/m);
  });

  test("the official client 1.x is served", async () => {
    const listener = await listen(createServerWithoutSessions(), { port: 0 });
    onTestFinished(() => listener.close());
    const client = new ClientV1({ name: "official", version: "1" });
    await client.connect(new HttpV1(new URL(listener.url)) as Parameters<ClientV1["connect"]>[0]);
    expect((await client.listTools()).tools.length).toBeGreaterThan(10);
    expect(await client.callTool({ name: "add", arguments: { a: 1, b: 2 } })).toMatchObject({
      structuredContent: { result: 3 },
    });
    await client.close();
  });
});
