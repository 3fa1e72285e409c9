import { createNotifier } from "@tenon/runtime";
import { createServer } from "@tenon/runtime/server";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { describeTransports } from "../support/describe-transports.js";
import { eventually } from "../support/eventually.js";
import { WireClient } from "../support/wire-client.js";
import { memoryWire } from "../support/wires.js";
import type { WireMessage } from "../wire/schemas.mjs";
import { createAskingFixture } from "./asking/application.js";

const REVISION = "2025-11-25";
const capabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };
const accept = (name: string): object => ({ action: "accept", content: { name } });

/** Returns a list that collects the IDs of the server's requests. */
function watchIds(client: WireClient): (string | number)[] {
  const ids: (string | number)[] = [];
  client.onRequest = ({ id }) => ids.push(id as string);
  return ids;
}

describeTransports(createAskingFixture, (open, transport) => {
  const connect = (): Promise<WireClient> => open({ revision: REVISION, capabilities });

  test("a question waits for its client while other clients are served", async () => {
    const client = await connect();
    const ids = watchIds(client);
    const waiting = client.call("greet");
    await eventually(() => expect(ids).toHaveLength(1));
    expect(await client.call("plain")).toMatchObject({ content: [{ text: "Nothing asked." }] });
    client.respond(ids[0] as string, { result: accept("Ada") });
    expect(await waiting).toMatchObject({ content: [{ text: "Hello, Ada!" }] });
  });

  test("a question survives a second request with its ID, which is rejected until the first is answered", async () => {
    const client = await connect();
    const ids = watchIds(client);
    const send = (method: string, params: object): Promise<WireMessage> =>
      client.sendText(JSON.stringify({ jsonrpc: "2.0", id: "same", method, params }));
    const first = send("tools/call", { name: "greet" });
    await eventually(() => expect(ids).toHaveLength(1));
    const second = send("ping", {});
    // Answers are used in the order in which they arrive.
    expect(await first).toMatchObject({
      id: "same",
      error: { code: -32600, message: expect.stringContaining("still in progress") as string },
    });
    client.respond(ids[0] as string, { result: accept("Ada") });
    expect(await second).toMatchObject({ id: "same", result: { content: [{ text: "Hello, Ada!" }] } });
    expect(await send("ping", {})).toEqual({ jsonrpc: "2.0", id: "same", result: {} });
  });

  test("answers are matched to questions in any order", async () => {
    const client = await connect();
    const ids = watchIds(client);
    const calls = [client.call("greet"), client.call("greet"), client.call("greet")];
    await eventually(() => expect(ids).toHaveLength(3));
    for (const id of ids.toReversed()) client.respond(id, { result: accept(`for ${id}`) });
    const results = await Promise.all(calls);
    const texts = results.map((result) => (result["content"] as { text: string }[])[0]?.text);
    expect(texts.sort()).toEqual(ids.map((id) => `Hello, for ${id}!`).sort());
  });

  test("second and unsolicited answers are ignored", async () => {
    const client = await connect();
    const ids = watchIds(client);
    client.respond("tenon-1", { result: accept("Eve") });
    client.respond(1, { result: accept("Eve") });
    const waiting = client.call("greet");
    await eventually(() => expect(ids).toHaveLength(1));
    client.respond("tenon-99", { result: accept("Eve") });
    client.respond(ids[0] as string, { result: accept("Ada") });
    client.respond(ids[0] as string, { result: accept("Eve") });
    expect(await waiting).toMatchObject({ content: [{ text: "Hello, Ada!" }] });
  });

  // A process over stdio has one client.
  if (transport !== "stdio") {
    test("answers from another session are ignored", async () => {
      const [client, other] = [await connect(), await connect()];
      const ids = watchIds(client);
      const waiting = client.call("greet");
      await eventually(() => expect(ids).toHaveLength(1));
      other.respond(ids[0] as string, { result: accept("Eve") });
      expect(await other.call("plain")).toMatchObject({ content: [{ text: "Nothing asked." }] });
      client.respond(ids[0] as string, { result: accept("Ada") });
      expect(await waiting).toMatchObject({ content: [{ text: "Hello, Ada!" }] });
    });
  }

  test("the handler receives a client's rejection", async () => {
    const client = await open({
      revision: REVISION,
      capabilities,
      answer: () => ({ error: { code: -1, message: "User rejected sampling" } }),
    });
    expect(await client.call("capital", { withTools: false })).toMatchObject({
      isError: true,
      content: [{ text: "The client rejected the request: User rejected sampling" }],
    });
    expect(await client.call("stubborn")).toMatchObject({ content: [{ text: "Stranger" }] });
  });

  test("cancelling a call cancels its question", async () => {
    const client = await connect();
    const ids = watchIds(client);
    void client.request("tools/call", { name: "greet" }, 77);
    await eventually(() => expect(ids).toHaveLength(1));
    client.notify("notifications/cancelled", { requestId: 77 });
    await eventually(() =>
      expect(client.notifications).toContainEqual(
        expect.objectContaining({
          method: "notifications/cancelled",
          params: expect.objectContaining({ requestId: ids[0] }) as unknown,
        }),
      ),
    );
  });

  test("handlers are notified of changed roots while their call lasts", async () => {
    const roots = [{ uri: "file:///one" }];
    const client = await open({ revision: REVISION, capabilities, answer: () => ({ roots }) });
    client.notify("notifications/roots/list_changed");
    const watching = client.call("watchRoots", { times: 2 });
    await eventually(() => expect(client.notifications).toHaveLength(1));
    client.notify("notifications/roots/list_changed");
    await eventually(() => expect(client.asked).toHaveLength(1));
    expect(await client.call("where")).toMatchObject({ content: [{ text: "undefined=file:///one" }] });
    roots.push({ uri: "file:///two" });
    client.notify("notifications/roots/list_changed");
    expect(await watching).toMatchObject({ content: [{ text: "file:///one file:///one,file:///two" }] });
    client.notify("notifications/roots/list_changed");
    expect(await client.call("plain")).toMatchObject({ content: [{ text: "Nothing asked." }] });
    expect(client.asked).toHaveLength(3);
  });

  test("the client receives a notification when the user completes the interaction at a URL", async () => {
    const client = await open({ revision: REVISION, capabilities, answer: () => ({ action: "accept" }) });
    await client.call("connect");
    const { elicitationId } = client.asked[0]?.params ?? {};
    if (transport === "memory" || transport === "stdio") {
      expect(client.notifications).toMatchObject([
        { method: "notifications/elicitation/complete", params: { elicitationId } },
      ]);
    }
    expect(elicitationId).toMatch(/^[\da-f-]{36}$/);
  });
});

describe("elicitationCompleted() after the call", () => {
  const start = () => {
    const notifier = createNotifier();
    const server = createServer(createAskingFixture({ notifier }), { onInternalError: () => {} });
    const connect = async (action = "accept", revision = REVISION) => {
      const wire = memoryWire(server);
      const client = new WireClient(wire, { revision, capabilities, answer: () => ({ action }) });
      await client.open();
      return client;
    };
    return { notifier, connect, server };
  };
  const findCompletions = ({ notifications }: WireClient): unknown[] =>
    notifications
      .filter(({ method }) => method === "notifications/elicitation/complete")
      .map(({ params }) => params?.["elicitationId"]);

  test("notifies only the client that was asked, and only once", async () => {
    const { notifier, connect } = start();
    const [client, other] = [await connect(), await connect()];
    expect(await client.call("connectLater", { id: "flow-1" })).toMatchObject({
      content: [{ text: "accept flow-1" }],
    });
    await other.call("connectLater", { id: "flow-2" });
    notifier.elicitationCompleted("flow-1");
    notifier.elicitationCompleted("flow-1");
    notifier.elicitationCompleted("unknown");
    expect([findCompletions(client), findCompletions(other)]).toEqual([["flow-1"], []]);
  });

  test("accepts the ID that the runtime generated", async () => {
    const { notifier, connect } = start();
    const client = await connect();
    const { content } = (await client.call("connectLater", { id: "" })) as { content: { text: string }[] };
    const [, id = ""] = content[0]?.text.split(" ") ?? [];
    notifier.elicitationCompleted(id);
    expect(findCompletions(client)).toEqual([client.asked[0]?.params["elicitationId"]]);
  });

  test("accepts the ID of an error that sent the user to a URL", async () => {
    const { notifier, connect } = start();
    const client = await connect();
    expect((await client.error("tools/call", { name: "calendar" })).code).toBe(-32042);
    notifier.elicitationCompleted("calendar");
    expect(findCompletions(client)).toEqual(["calendar"]);
  });

  test("skips clients that declined, disconnected, or use a revision without it", async () => {
    const { notifier, connect, server } = start();
    const [declined, gone, left] = [await connect("decline"), await connect(), await connect()];
    for (const client of [declined, gone, left]) await client.call("connectLater", { id: "flow" });
    const modern = await connect("accept", "2026-07-28");
    await modern.callAndAnswer("connectLater", { id: "flow" });
    await gone.close();
    notifier.elicitationCompleted("flow");
    expect([declined, gone, modern, left].map(findCompletions)).toEqual([[], [], [], ["flow"]]);
    await left.call("connectLater", { id: "flow" });
    await server.close();
    notifier.elicitationCompleted("flow");
    expect(findCompletions(left)).toEqual(["flow"]);
  });

  test("remembers the latest thousand elicitations", async () => {
    const { notifier, connect } = start();
    const client = await connect();
    for (let id = 0; id <= 1000; id++) await client.call("connectLater", { id: `flow-${id}` });
    for (const id of [0, 1, 1000]) notifier.elicitationCompleted(`flow-${id}`);
    expect(findCompletions(client)).toEqual(["flow-1", "flow-1000"]);
  });
});

describe("an unencrypted URL", () => {
  test.each([
    ["http://example.com/connect?user=ada", "A user is sent to http://example.com, which is not encrypted."],
    ["https://example.com/connect", ""],
    ["http://localhost:3000/connect", ""],
    ["http://127.0.0.1/connect", ""],
    ["http://[::1]:80/connect", ""],
  ])("%s causes a warning unless it is on this machine", async (url, warning) => {
    const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    onTestFinished(() => write.mockRestore());
    const server = createServer(createAskingFixture());
    const answer = () => ({ action: "accept" });
    const client = new WireClient(memoryWire(server), { revision: REVISION, capabilities, answer });
    await client.open();
    expect(await client.call("visit", { url })).toMatchObject({ content: [{ text: "accept" }] });
    expect(client.asked[0]?.params).toMatchObject({ url });
    expect((await client.error("tools/call", { name: "visitFirst", arguments: { url } })).code).toBe(-32042);
    const written = write.mock.calls.map(([text]) => String(text));
    expect(written).toEqual(warning === "" ? [] : Array(2).fill(expect.stringContaining(warning)));
    await server.close();
  });
});

describe("a client that does not respond", () => {
  const createClient = (
    inputTimeoutMs: number,
  ): { client: WireClient; sent: WireMessage[]; end: () => void } => {
    const server = createServer(createAskingFixture({ limits: { inputTimeoutMs } }), {
      onInternalError: () => {},
    });
    const client = new WireClient(memoryWire(server), { revision: REVISION, capabilities });
    const sent: WireMessage[] = [];
    client.onRequest = (message) => sent.push(message);
    return { client, sent, end: () => void server.close() };
  };

  test("causes a timeout, which the handler receives", async () => {
    const { client, sent } = createClient(5);
    await client.open();
    expect(await client.call("greet")).toMatchObject({
      isError: true,
      content: [{ text: "The client did not respond within 5 ms." }],
    });
    expect(client.notifications).toMatchObject([
      { method: "notifications/cancelled", params: { requestId: sent[0]?.id } },
    ]);
  });

  test("does not prevent the server from stopping", async () => {
    const { client, sent, end } = createClient(60_000);
    await client.open();
    const waiting = client.call("greet");
    await eventually(() => expect(sent).toHaveLength(1));
    end();
    expect(await waiting).toMatchObject({ isError: true });
  });
});
