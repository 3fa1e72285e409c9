/**
 * Subscribers, and the notifications they get of changes. A change is put into text once; announcing it costs one
 * write per subscriber.
 * @module
 */
import type { Session } from "../connection/session.js";
import type { Entries } from "../assembly/entries.js";
import type { Handler } from "../assembly/handlers.js";
import { SUBSCRIPTION_ID } from "../protocol/meta-keys.js";
import { notificationText, type RequestId } from "../protocol/jsonrpc.js";
import type { Change, ChangeSource, ListName } from "../api/notifier.js";
import type { Settings } from "../assembly/settings.js";
import { ChangePace } from "./change-pace.js";

/** The changes that a server announces. */
export interface AnnouncedChanges {
  /** The lists that can change while the server runs. */
  readonly lists: ReadonlySet<ListName>;
  /** There are resources, and code that can report that one was updated. */
  readonly updates: boolean;
}

/** The changes that are possible with these entries: a list without behaviour never changes. */
export function announcedChanges(entries: Entries, settings: Settings): AnnouncedChanges {
  const { tools, prompts, resources, templates } = entries;
  const changes = (served: ReadonlyMap<string, { handler: Handler }>): boolean =>
    [...served.values()].some(({ handler }) => handler.canBeDisabled);
  const listing = [...templates.values()].some(({ list }) => list !== undefined);
  const lists = new Set<ListName>();
  if (changes(tools)) lists.add("tools");
  if (changes(prompts)) lists.add("prompts");
  if (changes(resources) || changes(templates) || listing) lists.add("resources");
  const hasResources = resources.size + templates.size > 0;
  return { lists, updates: hasResources && settings.reportsUpdates };
}

/** Keeps the subscribers of a server, where something changes that clients can be told of. */
export type CreateSubscriptions = (...options: ConstructorParameters<typeof Subscriptions>) => Subscriptions;

/** What clients can subscribe to. */
type SubscribedChange = Exclude<Change, { kind: "elicitation" }>;

/** A change as clients are notified of it. */
export interface ChangeNotification {
  /** As JSON text, for a client that has one stream for everything. */
  readonly text: string;
  /** For one subscription among others. */
  textFor(id: RequestId): string;
}

export interface Subscriber {
  notify(notification: ChangeNotification): void;
}

/** The subscribers of one server, by what they subscribed to. */
export class Subscriptions {
  readonly announced: AnnouncedChanges;
  readonly #byList: Record<ListName, Set<Subscriber>> = {
    tools: new Set(),
    prompts: new Set(),
    resources: new Set(),
  };
  readonly #byUri = new Map<string, Set<Subscriber>>();
  readonly #legacySubscribers = new WeakMap<Session, LegacySubscriber>();
  readonly #stops: (() => void)[];
  /** What clients that hear of changes by themselves were told last. */
  #told: { readonly changes: readonly Change[]; readonly texts: readonly string[] } = {
    changes: [],
    texts: [],
  };
  readonly #pace: ChangePace<SubscribedChange>;

  /** @param intervalMs the shortest time between two announcements of the same thing */
  constructor(changes: ChangeSource, announced: AnnouncedChanges, intervalMs: number | undefined) {
    this.#pace = new ChangePace((each) => this.#announce(each), intervalMs);
    this.announced = announced;
    const onChange = changes.onChange((change) => {
      if (change.kind !== "elicitation") this.#queue(change);
    });
    const onGap = changes.onGap?.(() => this.#queueAll());
    this.#stops = onGap === undefined ? [onChange] : [onChange, onGap];
  }

  /** Adds a subscriber to lists and resources; returns what takes it off again. */
  add(subscriber: Subscriber, lists: Iterable<ListName>, uris: Iterable<string>): () => void {
    const listed = [...lists];
    const resources = [...uris];
    for (const list of listed) this.#byList[list].add(subscriber);
    for (const uri of resources) this.#addToUri(subscriber, uri);
    return () => {
      for (const list of listed) this.#byList[list].delete(subscriber);
      for (const uri of resources) this.#removeFromUri(subscriber, uri);
    };
  }

  /** A legacy client is notified of every list as soon as it has opened the conversation, without asking. */
  subscribeToLists(session: Session): void {
    if (session.peer.endsWithAnswer || this.#legacySubscribers.has(session)) return;
    const { lists, updates } = this.announced;
    if (lists.size === 0 && !updates) return;
    const subscriber = new LegacySubscriber(session);
    this.#legacySubscribers.set(session, subscriber);
    const { peer } = session;
    if (peer.takeChanges !== undefined) {
      return peer.takeChanges((changes) => this.#notificationsFor(subscriber, changes));
    }
    const remove = this.add(subscriber, lists, []);
    session.onClose(() => {
      remove();
      for (const uri of subscriber.uris) this.#removeFromUri(subscriber, uri);
    });
  }

  /**
   * Subscribes a legacy client to updates of a resource.
   *
   * @returns False when the client has subscribed to `most` resources already.
   */
  subscribe(session: Session, uri: string, most: number): boolean {
    this.subscribeToLists(session);
    const subscriber = this.#legacySubscribers.get(session);
    if (subscriber === undefined) return true;
    if (subscriber.uris.size >= most && !subscriber.uris.has(uri)) return false;
    subscriber.uris.add(uri);
    if (session.peer.takeChanges === undefined) this.#addToUri(subscriber, uri);
    return true;
  }

  unsubscribe(session: Session, uri: string): void {
    const subscriber = this.#legacySubscribers.get(session);
    if (subscriber?.uris.delete(uri) === true) this.#removeFromUri(subscriber, uri);
  }

  /** Subscribes a legacy client to these resources alone, as it has asked other processes. */
  restore(session: Session, uris: readonly string[]): void {
    this.subscribeToLists(session);
    const kept = new Set(uris);
    for (const uri of this.#legacySubscribers.get(session)?.uris ?? []) {
      if (!kept.has(uri)) this.unsubscribe(session, uri);
    }
    for (const uri of kept) this.subscribe(session, uri, Infinity);
  }

  /** Announces what has changed so far, and nothing from here on. */
  close(): void {
    for (const stop of this.#stops) stop();
    this.#pace.flush();
  }

  /** What a legacy client is to be told of changes; of all that it subscribed to, where any may have happened. */
  #notificationsFor({ uris }: LegacySubscriber, changes: readonly Change[] | undefined): string[] {
    const concerns = (change: Change): change is SubscribedChange =>
      change.kind === "resource"
        ? uris.has(change.uri)
        : change.kind !== "elicitation" && this.announced.lists.has(change.kind);
    if (changes !== undefined) {
      // Many clients hear of the same changes, one after the other.
      if (this.#told.changes !== changes) this.#told = { changes, texts: changes.map(textOf) };
      return this.#told.texts.filter((_, index) => concerns(changes[index] as Change));
    }
    const lists = Array.from(this.announced.lists, (kind): SubscribedChange => ({ kind }));
    const resources = Array.from(uris, (uri): SubscribedChange => ({ kind: "resource", uri }));
    return [...lists, ...resources].map((change) => notificationOf(change).text);
  }

  #addToUri(subscriber: Subscriber, uri: string): void {
    const subscribers = this.#byUri.get(uri);
    if (subscribers === undefined) this.#byUri.set(uri, new Set([subscriber]));
    else subscribers.add(subscriber);
  }

  #removeFromUri(subscriber: Subscriber, uri: string): void {
    const subscribers = this.#byUri.get(uri);
    subscribers?.delete(subscriber);
    if (subscribers?.size === 0) this.#byUri.delete(uri);
  }

  #queue(change: SubscribedChange): void {
    if (this.#subscribersOf(change).size > 0) this.#pace.add(change);
  }

  /** Of what nobody knows whether it changed, all is said to have: a client that reads again loses nothing. */
  #queueAll(): void {
    for (const kind of this.announced.lists) this.#queue({ kind });
    for (const uri of this.#byUri.keys()) this.#queue({ kind: "resource", uri });
  }

  #announce(changes: readonly SubscribedChange[]): void {
    for (const change of changes) {
      const subscribers = this.#subscribersOf(change);
      if (subscribers.size === 0) continue;
      const notification = notificationOf(change);
      for (const subscriber of subscribers) subscriber.notify(notification);
    }
  }

  #subscribersOf(change: SubscribedChange): ReadonlySet<Subscriber> {
    return (change.kind === "resource" ? this.#byUri.get(change.uri) : this.#byList[change.kind]) ?? NOBODY;
  }
}

const NOBODY: ReadonlySet<Subscriber> = new Set();

class LegacySubscriber implements Subscriber {
  readonly uris = new Set<string>();

  constructor(readonly session: Session) {}

  notify({ text }: ChangeNotification): void {
    this.session.peer.send(text);
  }
}

function textOf(change: Change): string {
  return change.kind === "elicitation" ? "" : notificationOf(change).text;
}

function notificationOf(change: SubscribedChange): ChangeNotification {
  const updated = change.kind === "resource";
  const method = updated ? "notifications/resources/updated" : `notifications/${change.kind}/list_changed`;
  const own = updated ? `"uri":${JSON.stringify(change.uri)},` : "";
  const head = `{"jsonrpc":"2.0","method":"${method}","params":{${own}"_meta":{"${SUBSCRIPTION_ID}":`;
  return {
    text: notificationText(method, updated ? { uri: change.uri } : undefined),
    textFor: (id) => `${head}${JSON.stringify(id)}}}}`,
  };
}
