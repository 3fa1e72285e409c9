import { type Application, createServer, type Server, type ServerOptions } from "@tenon/runtime/server";
import { createHttpHandler } from "@tenon/runtime/http";
import { listen } from "@tenon/runtime/node";
import { afterAll, beforeAll, describe } from "vitest";
import { type Wire, WireClient, type WireClientOptions } from "./wire-client.js";
import { httpWire, memoryWire, pipeWire } from "./wires.js";

/** Opens a conversation, which is closed after its tests. */
export type Open = (options?: Partial<WireClientOptions>) => Promise<WireClient>;

export const REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];
export const LATEST = "2026-07-28";
export const LATEST_LEGACY = "2025-11-25";

type TransportName = "memory" | "stdio" | "http" | "web";

interface Transport {
  wire(): Wire;
  stop(): Promise<void>;
}

const STARTERS: Record<TransportName, (server: Server) => Promise<Transport>> = {
  memory: async (server) => ({ wire: () => memoryWire(server), stop: async () => {} }),
  stdio: async (server) => ({ wire: () => pipeWire(server), stop: async () => {} }),
  http: async (server) => {
    const listener = await listen(server, { port: 0 });
    return { wire: () => httpWire(listener.url, fetch), stop: () => listener.close() };
  },
  web: async (server) => {
    const handle = createHttpHandler(server);
    const send = (url: string, init: RequestInit): Promise<Response> => handle(new Request(url, init));
    return { wire: () => httpWire("http://localhost/mcp", send), stop: () => handle.close() };
  },
};

/** The transports over which tests run. */
export const TRANSPORT_NAMES = Object.keys(STARTERS) as TransportName[];

/** Runs the same tests over every transport. Servers in processes of their own have tests of their own. */
export function describeTransports(
  createApplication: () => Application,
  define: (open: Open, transport: TransportName) => void,
  names: readonly TransportName[] = TRANSPORT_NAMES,
): void {
  describe.each(names)("over %s", (name) => {
    const clients: WireClient[] = [];
    let server: Server | undefined;
    let transport: Transport | undefined;
    beforeAll(async () => {
      server = quietServer(createApplication());
      transport = await STARTERS[name](server);
    });
    afterAll(async () => {
      await Promise.all(clients.map((client) => client.close()));
      await transport?.stop();
      await server?.close();
    });
    define(async (options = {}) => {
      if (transport === undefined) throw new Error("The transport is not started.");
      const client = new WireClient(transport.wire(), { revision: LATEST, ...options });
      clients.push(client);
      await client.open();
      return client;
    }, name);
  });
}

/** Creates a server without a log, because handlers that fail on purpose would fill the output. */
export function quietServer(application: Application, options: ServerOptions = {}): Server {
  return createServer(application, { onInternalError: () => {}, ...options });
}
