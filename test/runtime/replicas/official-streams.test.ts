/** The official clients, whose every request comes to another process, and whose streams break. */
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { type Progress, ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { createNotifier, type Notifier } from "@tenon/runtime";
import { memoryStore, type Store } from "@tenon/runtime/store";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { eventually } from "../../support/eventually.js";
import { type ServingProcess, startProcess } from "../../support/serving-process.js";
import { createNotebook } from "../fixture/notebook.js";

interface OfficialClient {
  call(name: string, args: object, onprogress: (progress: Progress) => void): Promise<unknown>;
  close(): Promise<void>;
}

const info = { name: "roaming", version: "1" };

const CLIENTS = {
  "SDK 1.x": async (send: typeof fetch, onToolsChanged: () => void): Promise<OfficialClient> => {
    const client = new ClientV1(info);
    client.setNotificationHandler(ToolListChangedNotificationSchema, onToolsChanged);
    const transport = new HttpV1(new URL("http://localhost/mcp"), { fetch: send });
    await client.connect(transport as Parameters<typeof client.connect>[0]);
    return {
      call: (name, args, onprogress) =>
        client.callTool({ name, arguments: args as Record<string, unknown> }, undefined, { onprogress }),
      close: () => client.close(),
    };
  },
  "client 2.x": async (send: typeof fetch, onToolsChanged: () => void): Promise<OfficialClient> => {
    const client = new ClientV2(info, { versionNegotiation: { mode: "legacy" } });
    client.setNotificationHandler("notifications/tools/list_changed", onToolsChanged);
    await client.connect(new HttpV2(new URL("http://localhost/mcp"), { fetch: send }));
    return {
      call: (name, args, onprogress) =>
        client.callTool({ name, arguments: args as Record<string, unknown> }, { onprogress }),
      close: () => client.close(),
    };
  },
};

let clock = 0;
let store: Store;
const notifiers = new Map<ServingProcess, Notifier>();
let processes: ServingProcess[] = [];

beforeEach(async () => {
  clock = 0;
  store = memoryStore({ now: () => performance.now() + clock });
  processes = [];
  for (let count = 0; count < 3; count++) {
    const notifier = createNotifier();
    const started = await startProcess(createNotebook, store, "node", { notifier });
    notifiers.set(started, notifier);
    processes.push(started);
  }
});

afterEach(async () => {
  for (const each of processes) await each.close();
});

/** Sends each request to the next process that is alive. */
function roundRobin(
  dead: ReadonlySet<ServingProcess>,
  onSend: (at: ServingProcess, init: RequestInit) => void = () => {},
): typeof fetch {
  let count = 0;
  return (url, init = {}) => {
    const alive = processes.filter((each) => !dead.has(each));
    const at = alive[count++ % alive.length] as ServingProcess;
    onSend(at, init);
    return at.send(url, init);
  };
}

describe.each(Object.entries(CLIENTS))("%s", (_, connect) => {
  test("receives the progress and the result of a call whose stream continues in another process", async () => {
    const client = await connect(roundRobin(new Set()), () => {});
    const seen: number[] = [];
    const call = client.call("poll", { ms: 100 }, ({ progress }) => seen.push(progress));
    expect(await call).toMatchObject({ content: [{ text: "Worth the wait." }] });
    expect(seen).toEqual([1, 2]);
    await client.close();
  });

  test("receives an error for a call whose process has died", async () => {
    const dead = new Set<ServingProcess>();
    let working: ServingProcess | undefined;
    const onSend = (at: ServingProcess, { body }: RequestInit): void => {
      if (String(body).includes('"tools/call"')) working = at;
    };
    const client = await connect(roundRobin(dead, onSend), () => {});
    const seen: number[] = [];
    const failed = expect(
      client.call("poll", { ms: 600_000 }, ({ progress }) => seen.push(progress)),
    ).rejects.toThrow(/The process that worked on this call has stopped/);
    await eventually(() => expect(seen).toEqual([1, 2]));
    dead.add(working as ServingProcess);
    working?.kill();
    clock += 11_000;
    await failed;
    await client.close();
  });

  test("receives each change once, wherever it listens and however often its stream ends", async () => {
    let heard = 0;
    const dead = new Set<ServingProcess>();
    const client = await connect(roundRobin(dead), () => {
      heard += 1;
    });
    for (const [index, each] of processes.entries()) {
      notifiers.get(each)?.toolsChanged();
      await eventually(() => expect(heard).toBe(index + 1));
    }
    // When the client listens elsewhere, it has missed nothing.
    const [first, ...others] = processes as [ServingProcess, ServingProcess, ServingProcess];
    dead.add(first);
    first.kill();
    for (const each of others) notifiers.get(each)?.toolsChanged();
    await eventually(() => expect(heard).toBeGreaterThanOrEqual(4));
    const before = heard;
    notifiers.get(others[0] as ServingProcess)?.toolsChanged();
    await eventually(() => expect(heard).toBe(before + 1));
    await client.close();
  });
});
