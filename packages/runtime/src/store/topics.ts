type Listener = (message: string, topic: string) => void;

/** Delivers messages to the subscribers of their topic. */
export class Topics {
  readonly #listeners = new Map<string, Set<Listener>>();

  /** Delivers a message. Listeners are called asynchronously, as with a remote store. */
  publish(topic: string, message: string): void {
    for (const listener of this.#listeners.get(topic) ?? []) queueMicrotask(() => listener(message, topic));
  }

  subscribe(topics: readonly string[], onMessage: Listener): () => void {
    // A wrapper for each subscription, since the same function may subscribe more than once.
    const listener: Listener = (message, topic) => onMessage(message, topic);
    for (const topic of topics) {
      const listeners = this.#listeners.get(topic) ?? new Set();
      this.#listeners.set(topic, listeners.add(listener));
    }
    return () => {
      for (const topic of topics) {
        const listeners = this.#listeners.get(topic);
        listeners?.delete(listener);
        if (listeners?.size === 0) this.#listeners.delete(topic);
      }
    };
  }

  close(): void {
    this.#listeners.clear();
  }
}
