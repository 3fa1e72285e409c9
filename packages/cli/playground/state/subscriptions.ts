import { signal, type ReadonlySignal } from "@preact/signals";
import type { TestClient } from "@tenon/runtime/testing";
import { isModern } from "./notes.js";

/** A resource of whose updates the person wants to be told. */
export interface Subscription {
  uri: string;
  state: "asked" | "open" | "refused";
  /** Why it is refused. */
  problem?: string;
  /** How often it was updated since. */
  updates: number;
}

/** What the server tells by itself: changes of lists, and updates of the resources that the person has chosen. */
export interface Subscriptions {
  readonly all: ReadonlySignal<readonly Subscription[]>;
  /** Subscribes to a resource, or ends that. */
  toggle(uri: string): void;
  /** Has all of it told to another client from now on. */
  follow(client: TestClient): void;
  /** Nothing can be told before the next client follows. */
  stop(): void;
  /** Sees the notifications of the server. */
  take(method: string, params: Record<string, unknown>): void;
}

const NOT_GRANTED = "The server tells nothing of it: it has no such resource, or not for you.";
const ENDED = "The server has ended the stream.";

export function createSubscriptions(): Subscriptions {
  const all = signal<readonly Subscription[]>([]);
  let client: TestClient | undefined;
  /** The request that modern servers answer by the stream. */
  let stream = new AbortController();

  const change = (uri: string, next: Partial<Subscription>): void => {
    all.value = all.value.map((each) => (each.uri === uri ? { ...each, ...next } : each));
  };
  const refuseOpen = (problem: string): void => {
    for (const { uri, state } of all.value)
      if (state !== "refused") change(uri, { state: "refused", problem });
  };

  /** Modern servers have one stream for everything: another one takes its place when what is wanted changes. */
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
        () => own === stream && refuseOpen(ENDED),
        (error: unknown) => own === stream && refuseOpen(wordsOf(error)),
      );
    }
    // Not before: an update in between would be lost.
    previous.abort("Another stream takes its place.");
  };

  const subscribe = (to: TestClient, uri: string): void => {
    to.request("resources/subscribe", { uri }).then(
      () => change(uri, { state: "open" }),
      (error: unknown) => to === client && change(uri, { state: "refused", problem: wordsOf(error) }),
    );
  };

  return {
    all,
    toggle(uri) {
      const isOn = all.value.some((each) => each.uri === uri);
      const others = all.value.filter((each) => each.uri !== uri);
      all.value = isOn ? others : [...others, { uri, state: "asked", updates: 0 }];
      if (!client) return;
      if (isModern(client.revision)) listen(client);
      else if (isOn) void client.request("resources/unsubscribe", { uri }).catch(() => undefined);
      else subscribe(client, uri);
    },
    follow(next) {
      client = next;
      all.value = all.value.map(({ uri, updates }) => ({ uri, updates, state: "asked" }));
      if (isModern(next.revision)) listen(next);
      else for (const { uri } of all.value) subscribe(next, uri);
    },
    stop() {
      client = undefined;
      stream.abort("The page connects in another way.");
      stream = new AbortController();
    },
    take(method, params) {
      if (method === "notifications/resources/updated") {
        const updated = all.value.find(({ uri }) => uri === params["uri"]);
        if (updated) change(updated.uri, { updates: updated.updates + 1 });
      } else if (method === "notifications/subscriptions/acknowledged") {
        const { resourceSubscriptions = [] } = params["notifications"] as {
          resourceSubscriptions?: string[];
        };
        for (const { uri } of all.value) {
          const isGranted = resourceSubscriptions.includes(uri);
          change(uri, isGranted ? { state: "open" } : { state: "refused", problem: NOT_GRANTED });
        }
      }
    },
  };
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
