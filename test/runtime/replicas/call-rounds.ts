/** Modern calls in rounds: each retry carries the request state of the previous response and answers to its questions. */
import { sharedStore, type Store } from "@tenon/runtime/store";
import { createServer, type Server } from "@tenon/runtime/server";
import { WireClient } from "../../support/wire-client.js";
import { memoryWire } from "../../support/wires.js";
import type { WireMessage } from "../../wire/schemas.mjs";
import { createOrdersFixture, type Shop } from "../orders/application.js";

const STATE_KEYS = "k".repeat(32);

const servers: Server[] = [];

/** Starts a server that acts as a separate process. Servers with the same store share it. */
export function serve(shop: Shop, store?: Store): Server {
  const config = { log: "off" as const, ...(store && { store: sharedStore(store) }) };
  const server = createServer(createOrdersFixture(shop, config), { stateKeys: STATE_KEYS });
  servers.push(server);
  return server;
}

/** Closes the servers of a test. */
export async function closeServers(): Promise<void> {
  await Promise.all(servers.splice(0).map((server) => server.close()));
}

const accept = (name: string): object => ({ action: "accept", content: { name } });

/** Connects a client that answers every question with "Ada". */
export function connect(
  server: Server,
  revision = "2026-07-28",
  capabilities: Record<string, unknown> = {},
): WireClient {
  return new WireClient(memoryWire(server), {
    revision,
    capabilities: { elicitation: {}, ...capabilities },
    answer: () => accept("Ada"),
  });
}

/**
 * Sends one round of a call.
 *
 * @param previous the response to the previous round
 * @param answers the names that answer its questions, by their keys
 */
export function round(
  server: Server,
  tool: string,
  previous?: WireMessage,
  answers: Record<string, string> = {},
) {
  const { requestState } = previous?.result ?? {};
  const inputResponses = Object.fromEntries(
    Object.entries(answers).map(([key, name]) => [key, accept(name)]),
  );
  const retry = previous && { requestState, inputResponses };
  return connect(server).request("tools/call", { name: tool, ...retry });
}
