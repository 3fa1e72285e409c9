import type { SingleClient } from "./client.js";
import { sourceOf, type CommandConnection } from "./connections.js";
import { Reconnecting } from "./reconnecting.js";
import { within } from "./within.js";

type Listener = (message: string, topic: string) => void;

/** What somebody listens to. */
interface Subscription {
  readonly onMessage: Listener;
  readonly onGap: () => void;
  isActive: boolean;
}

interface Topic {
  readonly subscriptions: Set<Subscription>;
  /** Settles with the answer to its SUBSCRIBE. */
  subscribed: Promise<void>;
}

/**
 * All subscriptions of a store, by one connection, which is made with the first. After a break all are made again, and
 * then everybody is told that messages may have been lost.
 */
export class Subscriber {
  readonly #line: Reconnecting<SingleClient>;
  readonly #timeoutMs: number;
  readonly #topics = new Map<string, Topic>();

  constructor(connection: CommandConnection, timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
    const connect = async (): Promise<SingleClient> => {
      const client = await connection.another();
      const topics = [...this.#topics.keys()];
      try {
        if (topics.length > 0) await this.#within(client.subscribe(topics, this.#receive));
        const unused = topics.filter((name) => !this.#topics.has(name));
        if (unused.length > 0) await this.#within(client.unsubscribe(unused, this.#receive));
        return client;
      } catch (error) {
        client.destroy();
        throw error;
      }
    };
    this.#line = new Reconnecting({ ...sourceOf(connect), onOpen: () => this.#tellGap() }, timeoutMs);
  }

  /** Resolves when messages published from then on arrive. */
  async subscribe(
    topics: readonly string[],
    onMessage: Listener,
    onGap: () => void,
  ): Promise<() => Promise<void>> {
    const subscription: Subscription = { onMessage, onGap, isActive: false };
    const client = await this.#line.current();
    const added = topics.filter((name) => !this.#topics.has(name));
    if (added.length > 0) {
      const subscribed = this.#within(client.subscribe(added, this.#receive));
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
    this.#line.close();
  }

  #remove(topics: readonly string[], subscription: Subscription): void {
    subscription.isActive = false;
    const unused = topics.filter((name) => {
      const subscriptions = this.#topics.get(name)?.subscriptions;
      return subscriptions?.delete(subscription) === true && subscriptions.size === 0;
    });
    if (unused.length === 0) return;
    for (const name of unused) this.#topics.delete(name);
    // A connection that is lost has forgotten them anyway.
    this.#line.client?.unsubscribe(unused, this.#receive).catch(() => {});
  }

  readonly #receive: Listener = (message, topic) => {
    for (const subscription of this.#topics.get(topic)?.subscriptions ?? [])
      subscription.onMessage(message, topic);
  };

  /** What was made during the break knows of no message before. */
  #tellGap(): void {
    const told = new Set<Subscription>();
    for (const { subscriptions } of this.#topics.values())
      for (const subscription of subscriptions) if (subscription.isActive) told.add(subscription);
    for (const { onGap } of told) onGap();
  }

  #within(work: Promise<void>): Promise<void> {
    return within(this.#timeoutMs, work, `Redis did not answer within ${this.#timeoutMs} ms`);
  }
}
