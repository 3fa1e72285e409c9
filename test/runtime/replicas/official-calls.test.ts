/** The official clients receive questions from processes that die. */
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { memoryStore } from "@tenon/runtime/store";
import { afterEach, describe, expect, test } from "vitest";
import { type ServingProcess, startProcess } from "../../support/serving-process.js";
import { createOrdersFixture, Shop } from "../orders/application.js";

type Answer = { action: "accept"; content: { name: string } };

interface OfficialClient {
  call(name: string): Promise<unknown>;
  close(): Promise<void>;
}

const info = { name: "asked", version: "1" };
const capabilities = { elicitation: { form: {} } };

const CLIENTS = {
  "SDK 1.x": async (send: typeof fetch, answer: (question: string) => Answer): Promise<OfficialClient> => {
    const client = new ClientV1(info, { capabilities });
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params.message));
    const transport = new HttpV1(new URL("http://localhost/mcp"), { fetch: send });
    await client.connect(transport as Parameters<typeof client.connect>[0]);
    return { call: (name) => client.callTool({ name, arguments: {} }), close: () => client.close() };
  },
  "client 2.x": async (send: typeof fetch, answer: (question: string) => Answer): Promise<OfficialClient> => {
    const client = new ClientV2(info, { capabilities, versionNegotiation: { mode: "legacy" } });
    client.setRequestHandler("elicitation/create", ({ params }) => answer(params.message));
    await client.connect(new HttpV2(new URL("http://localhost/mcp"), { fetch: send }));
    return { call: (name) => client.callTool({ name, arguments: {} }), close: () => client.close() };
  },
};

let processes: ServingProcess[] = [];

afterEach(async () => {
  for (const each of processes.splice(0)) await each.close();
});

/**
 * Starts several processes behind a proxy that ignores sessions. Returns functions that kill or stop the working one,
 * whose leases then expire.
 */
async function start(count: number) {
  let clock = 0;
  const store = memoryStore({ now: () => performance.now() + clock });
  const shop = new Shop();
  const create: Parameters<typeof startProcess>[0] = (config) =>
    createOrdersFixture(shop, { log: "off", ...config });
  processes = await Promise.all(Array.from({ length: count }, () => startProcess(create, store, "node")));
  let [next, working] = [0, processes[0] as ServingProcess];
  const send: typeof fetch = (url, init = {}) => {
    const at = processes[next++ % processes.length] as ServingProcess;
    if (String(init.body).includes('"tools/call"')) working = at;
    return at.send(url, init);
  };
  const killWorking = (): void => {
    working.kill();
    processes = processes.filter((each) => each !== working);
    clock += 11_000;
  };
  /** Stops the server as SIGTERM does. */
  const endWorking = (): Promise<void> => {
    processes = processes.filter((each) => each !== working);
    return working.close();
  };
  return { shop, send, killWorking, endWorking };
}

describe.each(Object.entries(CLIENTS))("%s", (_, connect) => {
  test("receives a question from one process, and sends the answer to another", async () => {
    const { shop, send } = await start(3);
    const client = await connect(send, (question) => ({
      action: "accept",
      content: { name: `re ${question}` },
    }));
    expect(await client.call("order")).toMatchObject({
      content: [{ text: "re Who?, reserve 1, re Where to?, pay 2" }],
    });
    expect(shop.effects).toHaveLength(2);
    await client.close();
  });

  test("receives its response when the process that asked dies, without a second question", async () => {
    const { shop, send, killWorking } = await start(3);
    const asked: string[] = [];
    const client = await connect(send, (question) => {
      asked.push(question);
      if (question === "Where to?") killWorking();
      return { action: "accept", content: { name: question } };
    });
    expect(await client.call("order")).toMatchObject({
      content: [{ text: "Who?, reserve 1, Where to?, pay 2" }],
    });
    expect(asked).toEqual(["Who?", "Where to?"]);
    expect(shop.effects).toHaveLength(2);
    await client.close();
  });

  test("receives its response when the process that asked stops without waiting for it", async () => {
    const { shop, send, endWorking } = await start(3);
    let ended: Promise<void> | undefined;
    const client = await connect(send, (question) => {
      if (question === "Where to?") ended = endWorking();
      return { action: "accept", content: { name: question } };
    });
    expect(await client.call("order")).toMatchObject({
      content: [{ text: "Who?, reserve 1, Where to?, pay 2" }],
    });
    await ended;
    expect(shop.effects).toHaveLength(2);
    await client.close();
  });
});
