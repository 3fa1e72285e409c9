/**
 * How the author's code reports that something changed. Who is notified, and how, is decided in `subscriptions/`.
 * @module
 */

/** The lists whose changes clients can be notified of. */
export type ListName = "tools" | "prompts" | "resources";

/** Something that changed while the server runs. */
export type Change =
  | { kind: ListName }
  | { kind: "resource"; uri: string }
  /** A user is done at a URL. */
  | { kind: "elicitation"; id: string };

/** The same for each change of the same thing. */
export function changeKey(change: Change): string {
  if (change.kind === "resource") return `resource ${change.uri}`;
  return change.kind === "elicitation" ? `elicitation ${change.id}` : change.kind;
}

/** Where changes are heard of. */
export interface ChangeSource {
  /** Calls back with every change. Returns a function that stops it. */
  onChange(listener: (change: Change) => void): () => void;
  /** Calls back when changes may have been missed. Absent where none can be. Returns a function that stops it. */
  onGap?(listener: () => void): () => void;
}

/**
 * Notifies the clients that subscribed to a change. Each returns at once; clients are notified soon after: of what changes
 * again and again, at once and then four times a second, the last change included.
 */
export interface Notify {
  /** The list of tools changed: what an `enabled` behaviour says of one is different. */
  toolsChanged(): void;
  /** The list of prompts changed. */
  promptsChanged(): void;
  /** The list of resources (or of resource templates) changed: by `enabled`, or by a template's `list`. */
  resourcesChanged(): void;
  /** What the resource of this URI holds changed. Only clients that subscribed to the URI are notified. */
  resourceUpdated(uri: string): void;
  /**
   * A user is done at the URL that was elicited under this id: `ElicitUrlAnswer.id`, or the `id` of a `RequiredUrl`. The
   * client that was asked is notified, once, if it is still there; clients of 2026-07-28 have no such ids.
   *
   * @see https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation
   * @example
   * // Where the page sends its visitors back to
   * notifier.elicitationCompleted(flows.get(state).elicitationId);
   */
  elicitationCompleted(id: string): void;
}

/**
 * A `Notify` for code outside of handlers; `onChange` passes each change on. Processes that share a `store` tell each
 * other: what one of them has announced, the `onChange` of the others does not call back with.
 */
export interface Notifier extends Notify {
  /** Calls back with every change that is announced in this process. Returns a function that stops it. */
  onChange(listener: (change: Change) => void): () => void;
}

/**
 * Makes a notifier that belongs to no server yet. Give it to `defineServer` as `notifier`, and to whatever
 * learns of changes.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/utilities/subscriptions
 * @example
 * const notifier = createNotifier();
 * export default defineServer({ notifier, provide: [new Library(openDatabase(notifier))] });
 */
export function createNotifier(): Notifier {
  const listeners = new Set<(change: Change) => void>();
  const notify = (change: Change): void => {
    for (const listener of listeners) listener(change);
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
