import type { LogEntry, ServerConfig } from "@tenon/runtime";
import { createServer, type Server } from "@tenon/runtime/server";
import { memoryStore, sharedStore, type Store } from "@tenon/runtime/store";
import { expect } from "vitest";
import { eventually } from "../../support/eventually.js";
import { WireClient } from "../../support/wire-client.js";
import { memoryWire } from "../../support/wires.js";
import { createTasksFixture } from "../tasks/application.js";
import { crashableStore, type CrashableStore } from "./crashable-store.js";

export type Members = Record<string, unknown>;

export const accept = (name: string): object => ({ action: "accept", content: { name } });

/** One of several servers with tasks that share a store. */
export interface Replica {
  readonly server: Server;
  readonly store: CrashableStore;
  readonly log: LogEntry[];
  /** Connects a client to this server only. */
  client(principal?: string): WireClient;
}

/** @param config the configuration of all replicas, or of each by its index */
export function startReplicas(
  count: number,
  config: ServerConfig | ((index: number) => ServerConfig) = {},
  store: Store = memoryStore(),
): Replica[] {
  return Array.from({ length: count }, (_, index) => {
    const own = crashableStore(store);
    const log: LogEntry[] = [];
    const server = createServer(
      createTasksFixture({
        log: (entry) => log.push(entry),
        ...(typeof config === "function" ? config(index) : config),
        store: sharedStore(own),
      }),
    );
    const client = (principal?: string): WireClient =>
      new WireClient(memoryWire(server, principal), {
        revision: "2026-07-28",
        capabilities: { elicitation: {}, extensions: { "io.modelcontextprotocol/tasks": {} } },
      });
    return { server, store: own, log, client };
  });
}

/** Closes servers, dead or alive. */
export async function closeReplicas(replicas: readonly Replica[]): Promise<void> {
  for (const { store } of replicas) store.resume();
  await Promise.all(replicas.map(({ server }) => server.close()));
}

export async function startTask(client: WireClient, name: string, args: Members = {}): Promise<string> {
  const result = await client.result("tools/call", { name, arguments: args });
  expect(result["resultType"]).toBe("task");
  return result["taskId"] as string;
}

/** Polls a task until it has the status. */
export function untilStatus(client: WireClient, taskId: string, status: string): Promise<Members> {
  return eventually(async () => {
    const task = await client.result("tasks/get", { taskId });
    expect(task["status"]).toBe(status);
    return task;
  });
}
