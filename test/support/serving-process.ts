import type { ServerConfig } from "@tenon/runtime";
import { createHttpHandler } from "@tenon/runtime/http";
import { listen } from "@tenon/runtime/node";
import type { Application, Server } from "@tenon/runtime/server";
import { createServer } from "@tenon/runtime/server";
import { sharedStore, type Store } from "@tenon/runtime/store";

/** A simulated process, one of several that serve the same clients. */
export interface ServingProcess {
  readonly server: Server;
  readonly send: typeof fetch;
  /** Kills the process as `kill -9` does: it sends nothing more to clients or the store. */
  kill(): void;
  close(): Promise<void>;
}

export const CARRIERS = ["node", "web"] as const;

const STATE_KEYS = "what all of these processes know and nobody else";

/** @param store the store that all processes share */
export async function startProcess(
  create: (config: ServerConfig) => Application,
  store: Store,
  carrier: (typeof CARRIERS)[number] = "web",
  config: ServerConfig = {},
): Promise<ServingProcess> {
  const killed = new AbortController();
  const application = create({ ...config, store: sharedStore(createMortalStore(store, killed.signal)) });
  const server = createServer(application, { onInternalError: () => {}, stateKeys: STATE_KEYS });
  const { signal } = killed;
  const withSignal = (init: RequestInit = {}): RequestInit => ({
    ...init,
    signal: init.signal ? AbortSignal.any([init.signal, signal]) : signal,
  });
  if (carrier === "web") {
    const handle = createHttpHandler(server);
    const close = async (): Promise<void> => {
      if (signal.aborted) return;
      await handle.close();
      await server.close();
    };
    const send: typeof fetch = async (url, init) => {
      const response = await handle(new Request(url, withSignal(init)));
      return signal.aborted ? Response.error() : cut(response, signal);
    };
    return { server, send, kill: () => killed.abort(), close };
  }
  const listener = await listen(server, { port: 0 });
  const close = async (): Promise<void> => {
    if (signal.aborted) return;
    await listener.close();
    await server.close();
  };
  return {
    server,
    send: (_, init) => fetch(listener.url, withSignal(init)),
    kill: () => killed.abort(),
    close,
  };
}

/** Returns a response whose body fails when its process is killed, as a connection does. */
function cut(response: Response, signal: AbortSignal): Response {
  const { body, status, headers } = response;
  if (body === null) return response;
  const through = new TransformStream<Uint8Array, Uint8Array>();
  body.pipeTo(through.writable, { signal }).catch(() => {});
  return new Response(through.readable, { status, headers });
}

/** Returns a store that becomes silent, with its leases, when its process is killed. */
function createMortalStore<Target extends object>(target: Target, signal: AbortSignal): Target {
  const get = (_: Target, name: string | symbol): unknown => {
    const method = Reflect.get(target, name) as unknown;
    if (typeof method !== "function") return method;
    return async (...args: unknown[]) => {
      if (signal.aborted) return new Promise(() => {});
      const result = (await method.apply(target, args)) as unknown;
      return name === "lease" && result !== undefined ? createMortalStore(result as object, signal) : result;
    };
  };
  return new Proxy(target, { get });
}
