import { type Application, createServer, type Server, type ServerOptions } from "@tenon/runtime/server";
import { createHttpHandler } from "@tenon/runtime/http";
import { listen } from "@tenon/runtime/node";
import { afterAll, beforeAll, describe } from "vitest";
import { serverProgram } from "./server-program.js";
import { type Wire, WireClient, type WireClientOptions } from "./wire-client.js";
import { httpWire, memoryWire, stdioWire } from "./wires.js";

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

const STARTERS: Record<TransportName, (subject: Subject) => Promise<Transport>> = {
  memory: async ({ application }) => {
    const server = quietServer(application());
    return { wire: () => memoryWire(server), stop: () => server.close() };
  },
  stdio: async ({ entry }) => {
    const program = await serverProgram(entry);
    return { wire: () => stdioWire(program), stop: async () => {} };
  },
  http: async ({ application }) => {
    const server = quietServer(application());
    const listener = await listen(server, { port: 0 });
    const stop = async (): Promise<void> => {
      await listener.close();
      await server.close();
    };
    return { wire: () => httpWire(listener.url, fetch), stop };
  },
  web: async ({ application }) => {
    const server = quietServer(application());
    const handle = createHttpHandler(server);
    const send = (url: string, init: RequestInit): Promise<Response> => handle(new Request(url, init));
    return { wire: () => httpWire("http://localhost/mcp", send), stop: () => handle.close() };
  },
};

/** The transports over which tests run. */
export const TRANSPORT_NAMES = Object.keys(STARTERS) as TransportName[];

/** The served application, in this process and as the entry of another. */
export interface Subject {
  application: () => Application;
  /** A module that serves the application over stdio when run. */
  entry: string;
}

/** Runs the same tests over every transport. */
export function describeTransports(
  subject: Subject,
  define: (open: Open, transport: TransportName) => void,
  names: readonly TransportName[] = TRANSPORT_NAMES,
): void {
  describe.each(names)("over %s", (name) => {
    const clients: WireClient[] = [];
    let transport: Transport | undefined;
    beforeAll(async () => {
      transport = await STARTERS[name](subject);
    });
    afterAll(async () => {
      await Promise.all(clients.map((client) => client.close()));
      await transport?.stop();
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
