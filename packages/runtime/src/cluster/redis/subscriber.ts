import type { SingleClient } from "./client.js";
import { createSource, type CommandConnection } from "./connections.js";
import { ReconnectingConnection } from "./reconnecting-connection.js";
import { waitForResult } from "../../transports/with-timeout.js";

type Listener = (message: string, topic: string) => void;

/** One call to `subscribe`. */
interface Subscription {
  readonly onMessage: Listener;
  readonly onMissed: () => void;
  isActive: boolean;
}

interface Topic {
  readonly subscriptions: Set<Subscription>;
  /** Settles with the reply to its SUBSCRIBE. */
  subscribed: Promise<void>;
}

/**
 * All subscriptions of a store, on one connection, which is opened with the first. When the connection is restored, so
 * are all subscriptions, and every subscriber is notified that messages may have been missed.
 */
export class Subscriber {
  readonly #connection: ReconnectingConnection<SingleClient>;
  readonly #timeoutMs: number;
  readonly #topics = new Map<string, Topic>();

  constructor(connection: CommandConnection, timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
    const connect = async (): Promise<SingleClient> => {
      const client = await connection.openAnother();
      const topics = [...this.#topics.keys()];
      try {
        if (topics.length > 0) await this.#withTimeout(client.subscribe(topics, this.#receive));
        const unused = topics.filter((name) => !this.#topics.has(name));
        if (unused.length > 0) await this.#withTimeout(client.unsubscribe(unused, this.#receive));
        return client;
      } catch (error) {
        client.destroy();
        throw error;
      }
    };
    this.#connection = new ReconnectingConnection(
      { ...createSource(connect), onOpen: () => this.#notifyMissed() },
      timeoutMs,
    );
  }

  /** Subscribes to topics. Resolves when the subscription is active: all messages that are published after that arrive. */
  async subscribe(
    topics: readonly string[],
    onMessage: Listener,
    onMissed: () => void,
  ): Promise<() => Promise<void>> {
    const subscription: Subscription = { onMessage, onMissed, isActive: false };
    const client = await this.#connection.waitForClient();
    const added = topics.filter((name) => !this.#topics.has(name));
    if (added.length > 0) {
      const subscribed = this.#withTimeout(client.subscribe(added, this.#receive));
      for (const name of added) this.#topics.set(name, { subscriptions: new Set(), subscribed });
    }
    for (const name of topics) this.#topics.get(name)?.subscriptions.add(subscription);
    try {
      await Promise.all(topics.map((name) => this.#topics.get(name)?.subscribed));
      subscription.isActive = true;
    } catch (error) {
      this.#remove(topics, subscription);
      throw error;
    }
    return async () => this.#remove(topics, subscription);
  }

  close(): void {
    this.#topics.clear();
    this.#connection.close();
  }

  #remove(topics: readonly string[], subscription: Subscription): void {
    subscription.isActive = false;
    const unused = topics.filter((name) => {
      const subscriptions = this.#topics.get(name)?.subscriptions;
      return subscriptions?.delete(subscription) === true && subscriptions.size === 0;
    });
    if (unused.length === 0) return;
    for (const name of unused) this.#topics.delete(name);
    // A lost connection has no subscriptions anyway.
    this.#connection.client?.unsubscribe(unused, this.#receive).catch(() => {});
  }

  readonly #receive: Listener = (message, topic) => {
    for (const subscription of this.#topics.get(topic)?.subscriptions ?? [])
      subscription.onMessage(message, topic);
  };

  /**
   * Notifies active subscriptions that messages may have been missed. Subscriptions made during the outage have missed
   * none.
   */
  #notifyMissed(): void {
    const notified = new Set<Subscription>();
    for (const { subscriptions } of this.#topics.values())
      for (const subscription of subscriptions) if (subscription.isActive) notified.add(subscription);
    for (const { onMissed } of notified) onMissed();
  }

  #withTimeout(work: Promise<void>): Promise<void> {
    return waitForResult(this.#timeoutMs, work, `Redis did not respond within ${this.#timeoutMs} ms`);
  }
}
