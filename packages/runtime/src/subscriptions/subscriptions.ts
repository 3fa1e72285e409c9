/**
 * Who hears of which changes. A change is put into text once; telling it costs one write per subscriber.
 * @module
 */
import type { Session } from "../connection/session.js";
import { type Entries, usesContext } from "../assembly/entries.js";
import type { Handler } from "../assembly/handlers.js";
import { SUBSCRIPTION_ID } from "../protocol/meta-keys.js";
import { notificationText, type RequestId } from "../protocol/jsonrpc.js";
import type { Change, ListName, Notifier } from "../api/notifier.js";
import type { Settings } from "../assembly/settings.js";

/** What a server can truthfully promise to tell. */
export interface Announced {
  /** The lists that can change while the server runs. */
  readonly lists: ReadonlySet<ListName>;
  /** There are resources, and code that can say that one was updated. */
  readonly updates: boolean;
}

/** What the entries of a server let it promise. A list without behaviour is the same for as long as it runs. */
export function announcedBy(entries: Entries, settings: Settings): Announced {
  const { tools, prompts, resources, templates } = entries;
  const changes = (served: ReadonlyMap<string, { handler: Handler }>): boolean =>
    [...served.values()].some(({ handler }) => handler.canBeDisabled);
  const listing = [...templates.values()].some(({ list }) => list !== undefined);
  const lists = new Set<ListName>();
  if (changes(tools)) lists.add("tools");
  if (changes(prompts)) lists.add("prompts");
  if (changes(resources) || changes(templates) || listing) lists.add("resources");
  const hasResources = resources.size + templates.size > 0;
  return { lists, updates: hasResources && (settings.notifier !== undefined || usesContext(entries)) };
}

/** A change as it goes to clients. */
export interface Announcement {
  /** For a client that has one stream for everything. */
  readonly text: string;
  /** For one subscription among others. */
  textFor(id: RequestId): string;
}

/** One that wants to hear of changes. */
export interface Subscriber {
  hear(announcement: Announcement): void;
}

/** The subscribers of one server, by what they want to hear. */
export class Subscriptions {
  readonly announced: Announced;
  readonly #byList: Record<ListName, Set<Subscriber>> = {
    tools: new Set(),
    prompts: new Set(),
    resources: new Set(),
  };
  readonly #byUri = new Map<string, Set<Subscriber>>();
  readonly #legacy = new WeakMap<Session, LegacySubscriber>();
  readonly #stop: () => void;
  /** Changes of this turn not told yet, so that a hundred in a row are told once. */
  #waiting = new Map<string, Change>();

  constructor(notifier: Notifier, announced: Announced) {
    this.announced = announced;
    this.#stop = notifier.onChange((change) => this.#take(change));
  }

  /** Adds a subscriber to lists and resources; returns what takes it off again. */
  add(subscriber: Subscriber, lists: Iterable<ListName>, uris: Iterable<string>): () => void {
    const listed = [...lists];
    const followed = [...uris];
    for (const list of listed) this.#byList[list].add(subscriber);
    for (const uri of followed) this.#follow(subscriber, uri);
    return () => {
      for (const list of listed) this.#byList[list].delete(subscriber);
      for (const uri of followed) this.#unfollow(subscriber, uri);
    };
  }

  /** A legacy client hears of every list as soon as it has opened the conversation, without asking. */
  welcome(session: Session): void {
    if (session.peer.endsWithAnswer || this.#legacy.has(session)) return;
    const { lists, updates } = this.announced;
    if (lists.size === 0 && !updates) return;
    const subscriber = new LegacySubscriber(session);
    this.#legacy.set(session, subscriber);
    const leave = this.add(subscriber, lists, []);
    session.onClose(() => {
      leave();
      for (const uri of subscriber.uris) this.#unfollow(subscriber, uri);
    });
  }

  /**
   * Has a legacy client hear of updates of a resource.
   *
   * @returns False when the client follows `most` resources already.
   */
  subscribe(session: Session, uri: string, most: number): boolean {
    this.welcome(session);
    const subscriber = this.#legacy.get(session);
    if (subscriber === undefined) return true;
    if (subscriber.uris.size >= most && !subscriber.uris.has(uri)) return false;
    subscriber.uris.add(uri);
    this.#follow(subscriber, uri);
    return true;
  }

  unsubscribe(session: Session, uri: string): void {
    const subscriber = this.#legacy.get(session);
    if (subscriber?.uris.delete(uri) === true) this.#unfollow(subscriber, uri);
  }

  /** Tells nothing from here on. */
  close(): void {
    this.#stop();
    this.#waiting.clear();
  }

  #follow(subscriber: Subscriber, uri: string): void {
    const followers = this.#byUri.get(uri);
    if (followers === undefined) this.#byUri.set(uri, new Set([subscriber]));
    else followers.add(subscriber);
  }

  #unfollow(subscriber: Subscriber, uri: string): void {
    const followers = this.#byUri.get(uri);
    followers?.delete(subscriber);
    if (followers?.size === 0) this.#byUri.delete(uri);
  }

  #take(change: Change): void {
    if (this.#waiting.size === 0) queueMicrotask(() => this.#tell());
    this.#waiting.set(change.kind === "resource" ? `resource ${change.uri}` : change.kind, change);
  }

  #tell(): void {
    const changes = this.#waiting;
    this.#waiting = new Map();
    for (const change of changes.values()) {
      const subscribers =
        change.kind === "resource" ? this.#byUri.get(change.uri) : this.#byList[change.kind];
      if (subscribers === undefined || subscribers.size === 0) continue;
      const announcement = announce(change);
      for (const subscriber of subscribers) subscriber.hear(announcement);
    }
  }
}

class LegacySubscriber implements Subscriber {
  readonly uris = new Set<string>();

  constructor(readonly session: Session) {}

  hear({ text }: Announcement): void {
    this.session.peer.send(text);
  }
}

function announce(change: Change): Announcement {
  const updated = change.kind === "resource";
  const method = updated ? "notifications/resources/updated" : `notifications/${change.kind}/list_changed`;
  const own = updated ? `"uri":${JSON.stringify(change.uri)},` : "";
  const head = `{"jsonrpc":"2.0","method":"${method}","params":{${own}"_meta":{"${SUBSCRIPTION_ID}":`;
  return {
    text: notificationText(method, updated ? { uri: change.uri } : undefined),
    textFor: (id) => `${head}${JSON.stringify(id)}}}}`,
  };
}
