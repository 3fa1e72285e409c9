import { signal, type ReadonlySignal } from "@preact/signals";
import type { TestClient } from "@tenon/runtime/testing";
import { isModern } from "./notes.js";
import { errorMessage } from "./error-message.js";

/** A resource whose updates the developer subscribed to. */
export interface Subscription {
  uri: string;
  state: "pending" | "open" | "rejected";
  /** The reason for the rejection. */
  problem?: string;
  /** The number of updates since the subscription. */
  updates: number;
}

/** The notifications of the server: changed lists, and updates of subscribed resources. */
export interface Subscriptions {
  readonly all: ReadonlySignal<readonly Subscription[]>;
  /** Subscribes to a resource, or ends the subscription. */
  toggle(uri: string): void;
  /** Moves all subscriptions to another client. */
  follow(client: TestClient): void;
  /** Stops until the next client follows. */
  stop(): void;
  /** Handles a notification of the server. */
  handleNotification(method: string, params: Record<string, unknown>): void;
}

const NOT_GRANTED =
  "The server rejected the subscription: it has no such resource, or this caller has no access.";
const ENDED = "The server closed the stream.";

export function createSubscriptions(): Subscriptions {
  const all = signal<readonly Subscription[]>([]);
  let client: TestClient | undefined;
  /** Aborts the request for the stream of a modern server. */
  let stream = new AbortController();

  const change = (uri: string, next: Partial<Subscription>): void => {
    all.value = all.value.map((each) => (each.uri === uri ? { ...each, ...next } : each));
  };
  const rejectAll = (problem: string): void => {
    for (const { uri, state } of all.value)
      if (state !== "rejected") change(uri, { state: "rejected", problem });
  };

  /** Opens a stream of a modern server, which carries all notifications, and closes the previous one. */
  const listen = (to: TestClient): void => {
    const { tools, prompts, resources } = to.server.capabilities;
    const notifications = {
      ...(tools?.listChanged && { toolsListChanged: true }),
      ...(prompts?.listChanged && { promptsListChanged: true }),
      ...(resources?.listChanged && { resourcesListChanged: true }),
      ...(all.value.length > 0 && { resourceSubscriptions: all.value.map(({ uri }) => uri) }),
    };
    const previous = stream;
    const own = (stream = new AbortController());
    if (Object.keys(notifications).length > 0) {
      to.request("subscriptions/listen", { notifications }, { signal: own.signal }).then(
        () => own === stream && rejectAll(ENDED),
        (error: unknown) => own === stream && rejectAll(errorMessage(error)),
      );
    }
    // If the previous stream ended first, updates in between would be lost.
    previous.abort("Replaced by another stream.");
  };

  const subscribe = (to: TestClient, uri: string): void => {
    to.request("resources/subscribe", { uri }).then(
      () => change(uri, { state: "open" }),
      (error: unknown) => to === client && change(uri, { state: "rejected", problem: errorMessage(error) }),
    );
  };

  return {
    all,
    toggle(uri) {
      const isSubscribed = all.value.some((each) => each.uri === uri);
      const others = all.value.filter((each) => each.uri !== uri);
      all.value = isSubscribed ? others : [...others, { uri, state: "pending", updates: 0 }];
      if (!client) return;
      if (isModern(client.revision)) listen(client);
      else if (isSubscribed) void client.request("resources/unsubscribe", { uri }).catch(() => undefined);
      else subscribe(client, uri);
    },
    follow(next) {
      client = next;
      all.value = all.value.map(({ uri, updates }) => ({ uri, updates, state: "pending" }));
      if (isModern(next.revision)) listen(next);
      else for (const { uri } of all.value) subscribe(next, uri);
    },
    stop() {
      client = undefined;
      stream.abort("The page reconnects.");
      stream = new AbortController();
    },
    handleNotification(method, params) {
      if (method === "notifications/resources/updated") {
        const updated = all.value.find(({ uri }) => uri === params["uri"]);
        if (updated) change(updated.uri, { updates: updated.updates + 1 });
      } else if (method === "notifications/subscriptions/acknowledged") {
        const { resourceSubscriptions = [] } = params["notifications"] as {
          resourceSubscriptions?: string[];
        };
        for (const { uri } of all.value) {
          const isGranted = resourceSubscriptions.includes(uri);
          change(uri, isGranted ? { state: "open" } : { state: "rejected", problem: NOT_GRANTED });
        }
      }
    },
  };
}
