/**
 * Legacy sessions whose ids carry what was agreed: any process that has the keys serves them, without a store.
 */
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { HttpConfig, ServerConfig } from "@tenon/runtime";
import * as fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createSessionIdCipher } from "../../../packages/runtime/src/transports/http/sessions/session-id-cipher.js";
import { findRevision } from "../../../packages/runtime/src/protocol/revisions.js";
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
import type { WireMessage } from "../../wire/schemas.mjs";
import { createAskingFixture } from "../asking/application.js";
import { createNotebook } from "../fixture/notebook.js";

const [KEY, OTHER_KEY] = ["k".repeat(32), "o".repeat(32)];
const DAY = 24 * 60 * 60 * 1000;

afterEach(() => {
  vi.useRealTimers();
});

/** A process that has keys. */
const start = (config: ServerConfig = {}, stateKeys = KEY, create = createNotebook): Process =>
  startProcess(config, { stateKeys, create });

describe("official clients whose every request goes to another process", () => {
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
  ])("%s", async (_name, connect) => {
    const processes = [start(), start(), start()];
    const client = await connect(roundRobin(processes));
    for (let round = 0; round < 4; round++) {
      expect((await client.listTools()).tools.length).toBeGreaterThan(3);
      expect(await client.callTool(call)).toMatchObject({ content: [{ text: "Changed." }] });
    }
    const callers = processes.flatMap((each) => each.callers);
    expect(processes.every((each) => each.callers.length > 0)).toBe(true);
    // What the client said is known everywhere, and it is one session to those who keep something for it.
    expect(callers.every(({ client: { info } }) => info?.name === "test")).toBe(true);
    expect(new Set(callers.map(({ session }) => session?.id)).size).toBe(1);
    expect(processes.flatMap(warnings)).toEqual([]);
    await client.close();
  });
});

describe("what was agreed", () => {
  test.each(["2024-11-05", "2025-03-26", "2025-06-18", LATEST_LEGACY])(
    "is the revision %s in every process",
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
      expect(await again.text()).toContain("is open already");
    },
  );

  test("is what the client can do, and asks it in whichever process works for it", async () => {
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
    // Two processes may ask at once, and an answer must not be taken for that to the other's question.
    expect(ids.size).toBe(2);
    const mute = await open(processes[0]);
    const refused = await send(
      processes[1],
      "tools/call",
      { name: "greet", arguments: {} },
      { session: mute },
    );
    expect(await refused.text()).toContain("does not declare the capability");
  });
});

describe("a session does not exist", () => {
  test("under an id that was changed, in any character", async () => {
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

  test("under anything else", async () => {
    const cipher = createSessionIdCipher(KEY, "notebook", DAY);
    fc.assert(
      fc.property(fc.string({ maxLength: 2000 }), fc.boolean(), (text, isPrefixed) => {
        expect(cipher?.decrypt(isPrefixed ? `v1.${text}` : text, undefined)).toBeUndefined();
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 1500 }), (bytes) => {
        const text = `v1.${Buffer.from(bytes).toString("base64url")}`;
        expect(cipher?.decrypt(text, undefined)).toBeUndefined();
      }),
    );
  });

  test("for other keys, nor at another server that has the same", async () => {
    const session = await open(start());
    expect(await isServed(start({}, OTHER_KEY), session)).toBe(false);
    expect(await isServed(start({ name: "another" }), session)).toBe(false);
    expect(await isServed(start({}, `${OTHER_KEY},${KEY}`), session)).toBe(true);
    const rotated = await open(start({}, `${OTHER_KEY},${KEY}`));
    expect(await isServed(start({}, KEY), rotated)).toBe(false);
    expect(await isServed(start({}, `${KEY},${OTHER_KEY}`), rotated)).toBe(true);
  });

  test("under the state of a call, which has the same keys", async () => {
    const { createStateCipher } = await import("../../../packages/runtime/src/ask/replay/state.js");
    const { readStateKeys } = await import("../../../packages/runtime/src/encryption/encryption.js");
    const state = createStateCipher(readStateKeys(KEY), DAY).encrypt([], '["notebook",""]');
    expect(await isServed(start(), state)).toBe(false);
  });

  test("once it is too old, be it known already or not", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const limits = { sessionMs: DAY };
    const process = start({ limits });
    const session = await open(process);
    vi.setSystemTime(Date.now() + DAY - 1000);
    expect(await isServed(process, session)).toBe(true);
    expect(await isServed(start({ limits }), session)).toBe(true);
    vi.setSystemTime(Date.now() + 2000);
    expect(await isServed(process, session)).toBe(false);
    expect(await isServed(start({ limits }), session)).toBe(false);
  });

  test("for another principal, in any process", async () => {
    const http: HttpConfig = { principal: ({ header }) => header("x-user") };
    const [first, second] = [start({ http }), start({ http })];
    const session = await open(first, {}, { "x-user": "ada" });
    for (const process of [first, second]) {
      expect(await isServed(process, session, { "x-user": "eve" })).toBe(false);
      expect(await isServed(process, session)).toBe(false);
      expect(await isServed(process, session, { "x-user": "ada" })).toBe(true);
    }
  });

  test("for a process whose keys nobody has chosen", async () => {
    const session = await open(start({}, ""));
    expect(session).toMatch(/^[\da-f-]{36}$/);
    expect(await isServed(start({}, ""), session)).toBe(false);
  });
});

describe("an id", () => {
  const agreement = (info: object | undefined, capabilities: Record<string, unknown>) => ({
    id: crypto.randomUUID(),
    openedAt: Date.now(),
    revision: findRevision(LATEST_LEGACY) as never,
    client: { capabilities, ...(info && { info: info as never }) },
  });

  test("is visible ASCII of less than a kilobyte, whatever a client is called, or there is none", () => {
    const cipher = createSessionIdCipher(KEY, "notebook", DAY);
    const said = fc.record({
      info: fc.option(
        fc.record({
          name: fc.string({ unit: "binary", maxLength: 2000 }),
          version: fc.string({ maxLength: 300 }),
          icons: fc.array(fc.record({ src: fc.webUrl() })),
        }),
        { nil: undefined },
      ),
      capabilities: fc.dictionary(
        fc.string({ maxLength: 40 }),
        fc.dictionary(fc.string(), fc.object({ maxDepth: 1 })),
      ),
    });
    fc.assert(
      fc.property(said, ({ info, capabilities }) => {
        const given = agreement(info, JSON.parse(JSON.stringify(capabilities)) as Record<string, unknown>);
        const id = cipher?.encrypt(given, undefined);
        if (id === undefined) {
          expect(JSON.stringify(capabilities).length).toBeGreaterThan(100);
          return;
        }
        expect(id).toMatch(/^[\x21-\x7e]{1,1000}$/);
        const opened = cipher?.decrypt(id, undefined);
        expect({ ...opened, client: opened?.client.capabilities }).toEqual({
          ...given,
          idExpires: given.openedAt + DAY,
          client: given.client.capabilities,
        });
        expect(opened?.client.info === undefined).toBe(info === undefined);
      }),
    );
  });

  test("is never the same twice", async () => {
    const process = start();
    expect(await open(process)).not.toBe(await open(process));
  });

  test("keeps names where there is no room for what else a client says of itself", async () => {
    const [first, second] = [start(), start()];
    const icons = [{ src: `data:image/png;base64,${"A".repeat(5000)}` }];
    const session = await open(first, { info: { name: "N".repeat(200), version: "1.2.3", icons } });
    await isServed(second, session);
    expect(second.callers[0]?.client.info).toEqual({ name: "N".repeat(64), version: "1.2.3" });
  });

  test("carries nothing where a client declares too much, which is never cut; the log says so once", async () => {
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
    expect(warnings(first)[0]).toContain("one process alone knows");
  });
});

describe("what a client changes later", () => {
  test("holds where it was heard, and the log says once that others do not know", async () => {
    const [first, second] = [start(), start()];
    const session = await open(first);
    await (await send(first, "logging/setLevel", { level: "error" }, { session })).text();
    expect((await send(second, "", {}, { verb: "DELETE", session })).status).toBe(204);
    expect(await isServed(second, session)).toBe(false);
    expect(await isServed(first, session)).toBe(true);
    await (await send(first, "resources/subscribe", { uri: "note://1" }, { session })).text();
    for (const process of [first, second]) {
      expect(warnings(process)).toHaveLength(1);
      expect(warnings(process)[0]).toContain("one process alone knows");
    }
  });

  test("is no answer to what another process asks, which its log says once", async () => {
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

  test("is nothing to tell where session ids carry nothing", async () => {
    const process = start({}, "");
    const session = await open(process);
    await (await send(process, "logging/setLevel", { level: "error" }, { session })).text();
    await send(process, "", {}, { verb: "DELETE", session });
    expect(warnings(process)).toEqual([]);
  });
});

describe("a process", () => {
  test("forgets idle sessions when it has too many, and takes them up again", async () => {
    const process = start({ limits: { sessions: 2 } });
    const sessions = await Promise.all(Array.from({ length: 5 }, () => open(process)));
    for (const session of [...sessions, ...sessions]) expect(await isServed(process, session)).toBe(true);
    const [first = ""] = sessions;
    await send(process, "", {}, { verb: "DELETE", session: first });
    for (const session of sessions) expect(await isServed(process, session)).toBe(session !== first);
  });

  test("says that it has no room where all its sessions are at work", async () => {
    const process = start({ limits: { sessions: 1 } });
    const [waiting, other] = [await open(process), await open(start())];
    const stream = await send(process, "", {}, { verb: "GET", session: waiting });
    const refused = await send(process, "ping", {}, { session: other });
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "60"]);
    expect(await refused.json()).toMatchObject({ error: { message: "Too many sessions are open." } });
    await stream.body?.cancel();
    expect(await isServed(process, other)).toBe(true);
  });

  test("gives a client its standalone stream that another process had", async () => {
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
