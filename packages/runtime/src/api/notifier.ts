/**
 * The interface with which the author's code reports changes. `subscriptions/` decides which clients are notified, and how.
 * @module
 */

/** The lists whose changes clients can be notified of. */
export type ListName = "tools" | "prompts" | "resources";

/** Something that changed while the server runs. */
export type Change =
  | { kind: ListName }
  | { kind: "resource"; uri: string }
  /** A user has completed the interaction at a URL. */
  | { kind: "elicitation"; id: string };

/** Returns a key that all changes of the same thing share. */
export function getChangeKey(change: Change): string {
  if (change.kind === "resource") return `resource ${change.uri}`;
  return change.kind === "elicitation" ? `elicitation ${change.id}` : change.kind;
}

/** A source of changes. */
export interface ChangeSource {
  /** Calls `listener` with every change. Returns a function that removes the listener. */
  onChange(listener: (change: Change) => void): () => void;
  /**
   * Calls `listener` when changes may have been missed. Absent if none can be missed. Returns a function that removes
   * the listener.
   */
  onMissed?(listener: () => void): () => void;
}

/**
 * Notifies the clients that subscribed to a change. Methods return immediately. Clients are notified of the first
 * change immediately, and of frequent changes at most four times a second, including the last one. The server logs a warning
 * for the first call that reports a change of a list without `enabled` or `list`.
 */
export interface Notify {
  /** Reports that the list of tools changed because the result of an `enabled` callback changed. */
  toolsChanged(): void;
  /** Reports that the list of prompts changed. */
  promptsChanged(): void;
  /**
   * Reports that the list of resources or resource templates changed because the result of `enabled` or `list` changed.
   */
  resourcesChanged(): void;
  /**
   * Reports that the content of this resource changed. Only clients that subscribed to exactly this URI, and may still
   * read the resource, are notified, so encode it as in `list`: `note://b%20c` is not `note://b c`. If the server has no
   * such resource, it logs a warning for the first such URI.
   */
  resourceUpdated(uri: string): void;
  /**
   * Reports that the user has completed the interaction at the URL that was sent with this ID: `ElicitUrlResult.id`, or
   * the `id` of a `UrlElicitation`. Notifies the client once, if it is still connected. Clients of 2026-07-28 have no
   * such IDs.
   *
   * @see https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation
   * @example
   * // In the handler of the URL to which the page redirects
   * notifier.elicitationCompleted(flows.get(state).elicitationId);
   */
  elicitationCompleted(id: string): void;
}

/** A `Notify` for code outside handlers. */
export interface Notifier extends Notify {
  /**
   * Calls `listener` with every change that this process announces, not with changes of other processes.
   *
   * @returns a function that removes the listener
   */
  onChange(listener: (change: Change) => void): () => void;
}

/**
 * Creates a notifier. Pass it to `defineServer` as `notifier`, and to the code that detects changes.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/utilities/subscriptions
 * @example
 * const notifier = createNotifier();
 * export default defineServer({ notifier, provide: [new Library(openDatabase(notifier))] });
 */
export function createNotifier(): Notifier {
  const listeners = new Set<(change: Change) => void>();
  const notify = (change: Change): void => {
    let failure: { error: unknown } | undefined;
    for (const listener of listeners) {
      try {
        listener(change);
      } catch (error) {
        // The other listeners, such as the one that notifies the clients, receive the change as well.
        failure ??= { error };
      }
    }
    if (failure) throw failure.error;
  };
  return {
    toolsChanged: () => notify({ kind: "tools" }),
    promptsChanged: () => notify({ kind: "prompts" }),
    resourcesChanged: () => notify({ kind: "resources" }),
    resourceUpdated: (uri) => notify({ kind: "resource", uri }),
    elicitationCompleted: (id) => notify({ kind: "elicitation", id }),
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
