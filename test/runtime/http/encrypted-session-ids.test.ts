/**
 * Legacy sessions whose IDs contain the negotiated state: any process with the keys serves them, without a store.
 */
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { HttpConfig, ServerConfig } from "@tenon/runtime";
import * as fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { LATEST_LEGACY } from "../../support/describe-transports.js";
import {
  call,
  clientInfo,
  isServed,
  open,
  type Process,
  roundRobin,
  send,
  startProcess,
  warnings,
} from "../../support/processes.js";
import { headersFor } from "../../support/wires.js";
import type { WireMessage } from "../../wire/schemas.mjs";
import { createAskingFixture } from "../asking/application.js";
import { createNotebook } from "../fixture/notebook.js";

const [KEY, OTHER_KEY] = ["k".repeat(32), "o".repeat(32)];
const DAY = 24 * 60 * 60 * 1000;

afterEach(() => {
  vi.useRealTimers();
});

/** Starts a process that has keys. */
const start = (config: ServerConfig = {}, stateKeys = KEY, create = createNotebook): Process =>
  startProcess(config, { stateKeys, create });

describe("official clients whose requests all reach different processes", () => {
  const url = new URL("http://localhost/mcp");
  test.each([
    [
      "SDK 1.x",
      async (fetchWith: typeof fetch) => {
        const client = new ClientV1(clientInfo);
        const transport = new HttpV1(url, { fetch: fetchWith as never });
        await client.connect(transport as Parameters<typeof client.connect>[0]);
        return client;
      },
    ],
    [
      "client 2.x",
      async (fetchWith: typeof fetch) => {
        const client = new ClientV2(clientInfo, { versionNegotiation: { mode: "legacy" } });
        await client.connect(new HttpV2(url, { fetch: fetchWith as never }));
        return client as unknown as ClientV1;
      },
    ],
  ])("work: %s", async (_name, connect) => {
    const processes = [start(), start(), start()];
    const client = await connect(roundRobin(processes));
    for (let round = 0; round < 4; round++) {
      expect((await client.listTools()).tools.length).toBeGreaterThan(3);
      expect(await client.callTool(call)).toMatchObject({ content: [{ text: "Changed." }] });
    }
    const callers = processes.flatMap((each) => each.callers);
    expect(processes.every((each) => each.callers.length > 0)).toBe(true);
    // Every process knows the client's information, and the session is the same for data that is kept for it.
    expect(callers.every(({ client: { info } }) => info?.name === "test")).toBe(true);
    expect(new Set(callers.map(({ session }) => session?.id)).size).toBe(1);
    expect(processes.flatMap(warnings)).toEqual([]);
    await client.close();
  });
});

describe("the negotiated state", () => {
  test.each(["2024-11-05", "2025-03-26", "2025-06-18", LATEST_LEGACY])(
    "contains the revision %s in every process",
    async (revision) => {
      const [first, second] = [start(), start()];
      const session = await open(first, { revision });
      const batch = await second.handle(
        new Request("http://localhost/mcp", {
          method: "POST",
          headers: {
            "content-type": "application/json",
            accept: "application/json, text/event-stream",
            "mcp-session-id": session,
          },
          body: JSON.stringify([{ jsonrpc: "2.0", id: "batched", method: "ping" }]),
        }),
      );
      // One revision alone has batches.
      expect(batch.status).toBe(revision === "2025-03-26" ? 200 : 400);
      await batch.text();
      const again = await send(second, "initialize", { protocolVersion: revision }, { session });
      expect(await again.text()).toContain("is already open");
    },
  );

  test("contains the client's capabilities, and lets the process that runs the call ask the client", async () => {
    const processes = [start({}, KEY, createAskingFixture), start({}, KEY, createAskingFixture)] as const;
    const session = await open(processes[0], { capabilities: { elicitation: {} } });
    const ids = new Set<unknown>();
    for (const process of processes) {
      const response = await send(process, "tools/call", { name: "greet", arguments: {} }, { session });
      const reader = (response.body as ReadableStream<Uint8Array>).getReader();
      let text = "";
      while (!text.includes("elicitation/create"))
        text += new TextDecoder().decode((await reader.read()).value);
      ids.add((JSON.parse(/^data: (.*elicitation.*)$/m.exec(text)?.[1] ?? "{}") as WireMessage).id);
      await reader.cancel();
    }
    // Two processes may ask at once, and an answer must not be mistaken for that to the other question.
    expect(ids.size).toBe(2);
    const mute = await open(processes[0]);
    const rejected = await send(
      processes[1],
      "tools/call",
      { name: "greet", arguments: {} },
      { session: mute },
    );
    expect(await rejected.text()).toContain("does not declare the capability");
  });
});

describe("an encrypted session ID", () => {
  test("is rejected when any character was changed", async () => {
    const process = start();
    const session = await open(process);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(session.length - 1),
        fc.constantFrom(..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/"),
        async (index, character) => {
          fc.pre(session[index] !== character);
          const changed = session.slice(0, index) + character + session.slice(index + 1);
          expect(await isServed(process, changed)).toBe(false);
        },
      ),
      { numRuns: 300 },
    );
    expect(await isServed(process, session)).toBe(true);
  });

  test("is rejected when it is any other text", async () => {
    const process = start();
    const visible = fc.string({ unit: fc.nat(93).map((code) => String.fromCharCode(33 + code)) });
    const encoded = fc
      .uint8Array({ maxLength: 1500 })
      .map((bytes) => Buffer.from(bytes).toString("base64url"));
    await fc.assert(
      fc.asyncProperty(fc.oneof(visible, encoded), fc.boolean(), async (text, isPrefixed) => {
        const session = isPrefixed ? `v1.${text}` : text;
        fc.pre(session !== "");
        expect(await isServed(process, session)).toBe(false);
      }),
      { numRuns: 200 },
    );
  });

  test("is valid only with a configured key and server name", async () => {
    const session = await open(start());
    expect(await isServed(start({}, OTHER_KEY), session)).toBe(false);
    expect(await isServed(start({ name: "another" }), session)).toBe(false);
    expect(await isServed(start({}, `${OTHER_KEY},${KEY}`), session)).toBe(true);
    const rotated = await open(start({}, `${OTHER_KEY},${KEY}`));
    expect(await isServed(start({}, KEY), rotated)).toBe(false);
    expect(await isServed(start({}, `${KEY},${OTHER_KEY}`), rotated)).toBe(true);
  });

  test("is not interchangeable with a request state, which the same keys encrypt", async () => {
    const process = start({}, KEY, createAskingFixture);
    const message = {
      ...{ jsonrpc: "2.0" as const, id: 1, method: "tools/call" },
      params: {
        name: "greet",
        arguments: {},
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
        },
      },
    };
    const request = { method: "POST", headers: headersFor(message), body: JSON.stringify(message) };
    const response = await process.handle(new Request("http://localhost/mcp", request));
    const { result } = (await response.json()) as { result: { requestState: string } };
    expect(await isServed(process, result.requestState)).toBe(false);
  });

  test("is rejected when it is too old, whether the process knows it or not", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const limits = { sessionLifetimeMs: DAY };
    const process = start({ limits });
    const session = await open(process);
    vi.setSystemTime(Date.now() + DAY - 1000);
    expect(await isServed(process, session)).toBe(true);
    expect(await isServed(start({ limits }), session)).toBe(true);
    vi.setSystemTime(Date.now() + 2000);
    expect(await isServed(process, session)).toBe(false);
    expect(await isServed(start({ limits }), session)).toBe(false);
  });

  test("is rejected for another principal, in any process", async () => {
    const http: HttpConfig = { principal: ({ header }) => header("x-user") };
    const [first, second] = [start({ http }), start({ http })];
    const session = await open(first, {}, { "x-user": "ada" });
    for (const process of [first, second]) {
      expect(await isServed(process, session, { "x-user": "eve" })).toBe(false);
      expect(await isServed(process, session)).toBe(false);
      expect(await isServed(process, session, { "x-user": "ada" })).toBe(true);
    }
  });

  test("is rejected by a process without configured keys", async () => {
    const session = await open(start({}, ""));
    expect(session).toMatch(/^[\da-f-]{36}$/);
    expect(await isServed(start({}, ""), session)).toBe(false);
  });
});

describe("the text of an encrypted session ID", () => {
  test("is visible ASCII of less than a kilobyte, or contains no state", async () => {
    const [first, second] = [start(), start()];
    const client = fc.record({
      info: fc.record({
        name: fc.string({ unit: "binary", maxLength: 2000 }),
        version: fc.string({ maxLength: 300 }),
        icons: fc.array(fc.record({ src: fc.webUrl() })),
      }),
      capabilities: fc.dictionary(
        fc.string({ maxLength: 40 }),
        fc.dictionary(fc.string(), fc.object({ maxDepth: 1 })),
      ),
    });
    await fc.assert(
      fc.asyncProperty(client, async ({ info, capabilities }) => {
        const declared = JSON.parse(JSON.stringify(capabilities)) as Record<string, unknown>;
        const session = await open(first, { info, capabilities: declared });
        expect(session).toMatch(/^[\x21-\x7e]{1,1000}$/);
        if (!(await isServed(second, session))) {
          expect(JSON.stringify(declared).length).toBeGreaterThan(100);
          return;
        }
        const known = second.callers.at(-1)?.client;
        expect(known?.capabilities).toEqual(declared);
        expect(known?.info).toBeDefined();
      }),
      { numRuns: 50 },
    );
  });

  test("never repeats", async () => {
    const process = start();
    expect(await open(process)).not.toBe(await open(process));
  });

  test("keeps the client's name if there is no room for its other information", async () => {
    const [first, second] = [start(), start()];
    const icons = [{ src: `data:image/png;base64,${"A".repeat(5000)}` }];
    const session = await open(first, { info: { name: "N".repeat(200), version: "1.2.3", icons } });
    await isServed(second, session);
    expect(second.callers[0]?.client.info).toEqual({ name: "N".repeat(64), version: "1.2.3" });
  });

  test("contains no state if the client's capabilities are too large, and the log reports this once", async () => {
    const [first, second] = [start(), start()];
    const capabilities = {
      experimental: Object.fromEntries(Array.from({ length: 99 }, (_, n) => [`x${n}`, {}])),
    };
    const session = await open(first, { capabilities });
    await open(first, { capabilities });
    expect(await isServed(first, session)).toBe(true);
    expect(first.callers[0]?.client.capabilities).toEqual(capabilities);
    expect(await isServed(second, session)).toBe(false);
    expect(warnings(first)).toHaveLength(1);
    expect(warnings(first)[0]).toContain("Only this process knows");
  });
});

describe("a client's later change", () => {
  test("applies in the process that receives it, and the log reports once that others miss it", async () => {
    const [first, second] = [start(), start()];
    const session = await open(first);
    await (await send(first, "logging/setLevel", { level: "error" }, { session })).text();
    expect((await send(second, "", {}, { verb: "DELETE", session })).status).toBe(204);
    expect(await isServed(second, session)).toBe(false);
    expect(await isServed(first, session)).toBe(true);
    await (await send(first, "resources/subscribe", { uri: "note://1" }, { session })).text();
    for (const process of [first, second]) {
      expect(warnings(process)).toHaveLength(1);
      expect(warnings(process)[0]).toContain("Only this process knows");
    }
  });

  test("cannot be an answer to another process's question, and the log reports this once", async () => {
    const processes = [start({}, KEY, createAskingFixture), start({}, KEY, createAskingFixture)] as const;
    const session = await open(processes[0], { capabilities: { elicitation: {} } });
    const response = await send(processes[0], "tools/call", { name: "greet", arguments: {} }, { session });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    let text = "";
    while (!text.includes("elicitation/create"))
      text += new TextDecoder().decode((await reader.read()).value);
    const { id } = JSON.parse(/^data: (.*elicitation.*)$/m.exec(text)?.[1] ?? "{}") as WireMessage;
    const answer = { jsonrpc: "2.0", id, result: { action: "accept", content: { name: "Ada" } } };
    const headers = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-session-id": session,
    };
    for (const { handle } of [processes[1], processes[1], processes[0]]) {
      const request = { method: "POST", headers, body: JSON.stringify(answer) };
      expect((await handle(new Request("http://localhost/mcp", request))).status).toBe(202);
    }
    while (!text.includes("Hello, Ada!")) text += new TextDecoder().decode((await reader.read()).value);
    expect(processes.map((process) => warnings(process).length)).toEqual([0, 1]);
  });

  test("is not reported if session IDs contain no state", async () => {
    const process = start({}, "");
    const session = await open(process);
    await (await send(process, "logging/setLevel", { level: "error" }, { session })).text();
    await send(process, "", {}, { verb: "DELETE", session });
    expect(warnings(process)).toEqual([]);
  });
});

describe("a process with encrypted session IDs", () => {
  test("forgets idle sessions beyond its limit, and restores them later", async () => {
    const process = start({ limits: { maxSessions: 2 } });
    const sessions = await Promise.all(Array.from({ length: 5 }, () => open(process)));
    for (const session of [...sessions, ...sessions]) expect(await isServed(process, session)).toBe(true);
    const [first = ""] = sessions;
    await send(process, "", {}, { verb: "DELETE", session: first });
    for (const session of sessions) expect(await isServed(process, session)).toBe(session !== first);
  });

  test("responds that it is full if all its sessions are busy", async () => {
    const process = start({ limits: { maxSessions: 1 } });
    const [waiting, other] = [await open(process), await open(start())];
    const stream = await send(process, "", {}, { verb: "GET", session: waiting });
    const rejected = await send(process, "ping", {}, { session: other });
    expect([rejected.status, rejected.headers.get("retry-after")]).toEqual([503, "60"]);
    expect(await rejected.json()).toMatchObject({
      error: { message: "Too many sessions are open. Close unused sessions, or retry in 60 seconds." },
    });
    await stream.body?.cancel();
    expect(await isServed(process, other)).toBe(true);
  });

  test("opens a client's standalone stream again after another process served it", async () => {
    const [first, second] = [start(), start()];
    const session = await open(first);
    const stream = await send(second, "", {}, { verb: "GET", session, headers: { "last-event-id": "0-7" } });
    expect(stream.status).toBe(200);
    await (await send(second, "tools/call", { name: "unlock", arguments: {} }, { session })).text();
    const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
    let text = "";
    while (!text.includes("list_changed")) text += new TextDecoder().decode((await reader.read()).value);
    await reader.cancel();
  });
});
