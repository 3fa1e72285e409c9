import type { Backend } from "./proxy-sessions.js";

/** Which server is at work on what, so that what belongs to a call reaches the server that the call has reached. */
export interface CallsUnderWay {
  /**
   * A request goes to a server.
   *
   * @param session undefined where there is none
   * @returns what tells that it is over
   */
  begin(backend: Backend, session: string | undefined, request: MessageHead): () => void;
  /** Where a notification goes that cancels a request; undefined for any other message. */
  ownerOf(session: string | undefined, message: MessageHead): Backend | undefined;
  /** Resolves when a server has nothing to do any more for those who wait. */
  settled(backend: Backend): Promise<void>;
}

/** As much of a message as it takes to see what it belongs to. */
export interface MessageHead {
  id?: unknown;
  method?: unknown;
  params?: unknown;
}

export function createCallsUnderWay(): CallsUnderWay {
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
      // It lasts until somebody ends it.
      if (method === "subscriptions/listen") return () => undefined;
      counts.set(backend, (counts.get(backend) ?? 0) + 1);
      const key = id === undefined || method === undefined ? undefined : keyOf(session, id);
      if (key !== undefined) owners.set(key, backend);
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        if (key !== undefined && owners.get(key) === backend) owners.delete(key);
        end(backend);
      };
    },
    ownerOf(session, { method, params }) {
      if (method !== "notifications/cancelled") return undefined;
      return owners.get(keyOf(session, (Object(params) as { requestId?: unknown }).requestId));
    },
    settled(backend) {
      if (!counts.has(backend)) return Promise.resolve();
      return new Promise((resolve) => waiting.set(backend, [...(waiting.get(backend) ?? []), resolve]));
    },
  };
}

/** `1` and `"1"` are different ids. */
function keyOf(session: string | undefined, id: unknown): string {
  return JSON.stringify([session ?? null, id]);
}
