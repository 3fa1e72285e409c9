import { beforeAll, describe, expect, test } from "vitest";
import { describeTransports, LATEST, LATEST_LEGACY, REVISIONS } from "../support/describe-transports.js";
import type { WireClient } from "../support/wire-client.js";
import { createFixture } from "./fixture/application.js";

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;

describeTransports(createFixture, (open) => {
  describe(`a legacy conversation at ${LATEST_LEGACY}`, () => {
    let client: WireClient;
    beforeAll(async () => {
      client = await open({ revision: LATEST_LEGACY });
    });

    const send = (message: unknown) => client.sendText(JSON.stringify(message));

    test("responds to a request with an unknown member", async () => {
      const message = { jsonrpc: "2.0", extra: {}, id: "a", method: "ping" };
      expect(await send(message)).toEqual({ jsonrpc: "2.0", id: "a", result: {} });
    });

    test.each([
      ["params that are a list", { jsonrpc: "2.0", id: "b", method: "ping", params: [] }],
      ["params that are a string", { jsonrpc: "2.0", id: "b", method: "ping", params: "x" }],
      ["null params", { jsonrpc: "2.0", id: "b", method: "ping", params: null }],
      ["no version", { id: "b", method: "ping" }],
      ["another version", { jsonrpc: "1.0", id: "b", method: "ping" }],
      ["a method that is not text", { jsonrpc: "2.0", id: "b", method: 7 }],
      ["neither method nor result", { jsonrpc: "2.0", id: "b" }],
      ["a result next to the method", { jsonrpc: "2.0", id: "b", method: "ping", result: {} }],
      ["an error next to the method", { jsonrpc: "2.0", id: "b", method: "ping", error: {} }],
      [
        "a session that is already open",
        { jsonrpc: "2.0", id: "b", method: "initialize", params: { protocolVersion: LATEST_LEGACY } },
      ],
    ])("rejects a request with %s, in an error with its ID", async (_, message) => {
      expect(await send(message)).toMatchObject({ id: "b", error: { code: INVALID_REQUEST } });
    });

    test.each([
      ["a null ID", '{"jsonrpc":"2.0","id":null,"method":"ping"}'],
      ["an ID that is an object", '{"jsonrpc":"2.0","id":{},"method":"ping"}'],
      ["an ID that is a fraction", '{"jsonrpc":"2.0","id":1.5,"method":"ping"}'],
      ["an infinite ID", '{"jsonrpc":"2.0","id":1e999,"method":"ping"}'],
      ["an ID of 2^53", '{"jsonrpc":"2.0","id":9007199254740992,"method":"ping"}'],
      ["an ID above 2^53", '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}'],
      ["an ID below -2^53", '{"jsonrpc":"2.0","id":-9007199254740993,"method":"ping"}'],
      ["a notification with a result", '{"jsonrpc":"2.0","method":"ping","result":1}'],
      ["text", '"hello"'],
      ["a number", "42"],
      ["null", "null"],
      ["an empty object", "{}"],
    ])("rejects %s, in an error without an ID", async (_, text) => {
      const message = await client.sendText(text);
      expect(message).toMatchObject({ error: { code: INVALID_REQUEST } });
      expect(message).not.toHaveProperty("id");
    });

    test.each([["{"], ["nonsense"], ['{"jsonrpc":"2.0","id":1,"method":"ping"'], ["{'id':1}"]])(
      "rejects %j, which is not JSON",
      async (text) => {
        expect(await client.sendText(text)).toMatchObject({ error: { code: PARSE_ERROR } });
      },
    );

    test("keeps the type and text of IDs", async () => {
      for (const id of [0, -1, 9007199254740991, "", "0", 'quote"', "ünï🙂", "\u2028"]) {
        expect(await send({ jsonrpc: "2.0", id, method: "ping" })).toEqual({
          jsonrpc: "2.0",
          id,
          result: {},
        });
      }
    });

    test("reads an ID as the number it is, and arguments as what they are", async () => {
      for (const [text, id] of [
        ["1.0", 1],
        ["-10e-1", -1],
        ["0.5e1", 5],
        ["0.0e-9", 0],
        ["9007199254740991.000", 9007199254740991],
      ] as const) {
        const message = `{"jsonrpc":"2.0","method":"ping","params":{"id":1.5,"\\"id\\":1.5":"2"},"id":${text}}`;
        expect(await client.sendText(message)).toEqual({ jsonrpc: "2.0", id, result: {} });
      }
    });

    test("rejects batches", async () => {
      const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
      const rejection = await send([ping]);
      expect(rejection).toMatchObject({
        error: { code: INVALID_REQUEST, message: expect.stringContaining("Batches") as string },
      });
    });

    test("does not respond to notifications and stray responses, whatever they contain", async () => {
      for (const message of [
        { jsonrpc: "2.0", method: "notifications/unheard-of" },
        { jsonrpc: "2.0", method: "tools/call", params: { name: "add", arguments: { a: 1, b: 1 } } },
        { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: {} } },
        { jsonrpc: "2.0", method: "notifications/cancelled", params: [] },
        { jsonrpc: "2.0", id: 999, result: {} },
        { jsonrpc: "2.0", id: "__proto__", error: { code: 1, message: "x" } },
      ]) {
        client.notify(message.method ?? "", message.params as Record<string, unknown>);
      }
      expect(await client.result("ping")).toEqual({});
    });

    test("rejects a message that is nested too deeply, and continues", async () => {
      const deep = (depth: number): string => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
      const call = (args: string): string =>
        `{"jsonrpc":"2.0","id":"deep","method":"tools/call","params":{"name":"nothing","arguments":${args}}}`;
      expect(await client.sendText(call(deep(20_000)))).toMatchObject({
        id: "deep",
        error: { code: INVALID_REQUEST },
      });
      expect(await client.sendText(call(deep(100)))).toMatchObject({ id: "deep", result: { isError: true } });
      expect(await client.result("ping")).toEqual({});
    });

    test("treats members named like object internals as data", async () => {
      const polluting =
        '{"jsonrpc":"2.0","id":"p","method":"ping","params":{"__proto__":{"polluted":true}},"__proto__":{"x":1}}';
      expect(await client.sendText(polluting)).toEqual({ jsonrpc: "2.0", id: "p", result: {} });
      expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    });

    test("keeps non-ASCII text intact both ways", async () => {
      const city = 'São Paulo – 東京 – 🙂 – \u2028 – \\ – "';
      expect((await client.call("lenient", { city }))["content"]).toEqual([{ type: "text", text: city }]);
    });
  });

  describe("batches at 2025-03-26", () => {
    let client: WireClient;
    beforeAll(async () => {
      client = await open({ revision: "2025-03-26" });
    });

    const send = (messages: unknown[]) => client.sendText(JSON.stringify(messages)) as Promise<unknown>;

    test("receive their responses together", async () => {
      const answers = await send([
        { jsonrpc: "2.0", id: "x", method: "ping" },
        { jsonrpc: "2.0", method: "notifications/unheard-of" },
        {
          jsonrpc: "2.0",
          id: "y",
          method: "tools/call",
          params: { name: "book", arguments: { city: "Oslo", days: 1 } },
        },
        { jsonrpc: "2.0", id: "z", method: "nothing/known" },
        { jsonrpc: "2.0", id: "i", method: "initialize", params: { protocolVersion: "2025-03-26" } },
        { id: "j", method: "initialize" },
        { jsonrpc: "2.0", id: 2 ** 60, method: "ping" },
        7,
      ]);
      expect(answers).toMatchObject([
        { id: "x", result: {} },
        { id: "y", result: { content: [{ text: "Booked 1 days in Oslo." }] } },
        { id: "z", error: { code: -32601 } },
        { id: "i", error: { code: INVALID_REQUEST } },
        { id: "j", error: { code: INVALID_REQUEST } },
        { id: null, error: { code: INVALID_REQUEST } },
        { id: null, error: { code: INVALID_REQUEST } },
      ]);
    });

    test("may not contain modern requests, some of which would delay all responses", async () => {
      const meta = {
        "io.modelcontextprotocol/protocolVersion": LATEST,
        "io.modelcontextprotocol/clientCapabilities": {},
      };
      const params = { notifications: { toolsListChanged: true }, _meta: meta };
      const answers = await send([
        { jsonrpc: "2.0", id: "s", method: "subscriptions/listen", params },
        { jsonrpc: "2.0", id: "d", method: "server/discover" },
        { jsonrpc: "2.0", id: "p", method: "ping" },
      ]);
      expect(answers).toMatchObject([
        { id: "s", error: { code: INVALID_REQUEST } },
        { id: "d", error: { code: INVALID_REQUEST } },
        { id: "p", result: {} },
      ]);
    });

    test("must not be empty or too large", async () => {
      expect(await send([])).toMatchObject({ error: { code: INVALID_REQUEST } });
      const many = Array.from({ length: 101 }, (_, id) => ({ jsonrpc: "2.0", id: `n${id}`, method: "ping" }));
      expect(await send(many)).toMatchObject({
        error: { code: INVALID_REQUEST, message: expect.stringContaining("100") as string },
      });
    });
  });

  test.each(REVISIONS.filter((revision) => revision !== "2025-03-26"))(
    "batches are rejected at %s",
    async (revision) => {
      const client = await open({ revision });
      const rejection = await client.sendText('[{"jsonrpc":"2.0","id":1,"method":"ping"}]');
      expect(rejection).toMatchObject({ error: { code: INVALID_REQUEST } });
    },
  );
});
