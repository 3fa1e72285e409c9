import type { Backend } from "./proxy-sessions.js";

/** The servers of calls in flight, so that cancellations and answers reach the right server. */
export interface InFlightCalls {
  /**
   * Records a request to a server.
   *
   * @param session the session, if any
   * @returns a function that records its end
   */
  begin(backend: Backend, session: string | undefined, request: MessageHead): () => void;
  /** Returns the server for a cancellation, or undefined for any other message. */
  findOwner(session: string | undefined, message: MessageHead): Backend | undefined;
  /** Resolves when a server has no calls in flight. */
  waitForCalls(backend: Backend): Promise<void>;
}

/** The members of a message that identify its call. */
export interface MessageHead {
  id?: unknown;
  method?: unknown;
  params?: unknown;
}

/** Creates an empty list of calls in flight. */
export function createInFlightCalls(): InFlightCalls {
  const owners = new Map<string, Backend>();
  const counts = new Map<Backend, number>();
  const waiting = new Map<Backend, (() => void)[]>();

  const end = (backend: Backend): void => {
    const left = (counts.get(backend) ?? 1) - 1;
    if (left > 0) {
      counts.set(backend, left);
      return;
    }
    counts.delete(backend);
    for (const resolve of waiting.get(backend) ?? []) resolve();
    waiting.delete(backend);
  };
  return {
    begin(backend, session, { id, method }) {
      // A subscription does not end by itself.
      if (method === "subscriptions/listen") return () => undefined;
      counts.set(backend, (counts.get(backend) ?? 0) + 1);
      const key = id === undefined || method === undefined ? undefined : getKey(session, id);
      if (key !== undefined) owners.set(key, backend);
      let isDone = false;
      return () => {
        if (isDone) return;
        isDone = true;
        if (key !== undefined && owners.get(key) === backend) owners.delete(key);
        end(backend);
      };
    },
    findOwner(session, { method, params }) {
      if (method !== "notifications/cancelled") return undefined;
      return owners.get(getKey(session, (Object(params) as { requestId?: unknown }).requestId));
    },
    waitForCalls(backend) {
      if (!counts.has(backend)) return Promise.resolve();
      return new Promise((resolve) => waiting.set(backend, [...(waiting.get(backend) ?? []), resolve]));
    },
  };
}

/** Returns a key that differs for the IDs `1` and `"1"`. */
function getKey(session: string | undefined, id: unknown): string {
  return JSON.stringify([session ?? null, id]);
}
