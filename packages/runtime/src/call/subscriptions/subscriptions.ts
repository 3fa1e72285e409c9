/**
 * Subscribers, and the notifications of changes that they receive. A notification is encoded once for all subscribers.
 * @module
 */
import type { Session } from "../connection/session.js";
import type { Entries } from "../assembly/entries.js";
import type { Handler } from "../assembly/handlers.js";
import { SUBSCRIPTION_ID } from "../../protocol/meta-keys.js";
import { toNotificationText, type RequestId } from "../../protocol/jsonrpc.js";
import type { Change, ChangeSource, ListName } from "../../api/notifier.js";
import type { Settings } from "../assembly/settings.js";
import type { LogSink } from "../../api/log.js";
import { ChangeThrottle } from "./change-throttle.js";
import { createUpdateCheck } from "./unserved-updates.js";

/** The changes that a server announces. */
export interface AnnouncedChanges {
  /** The lists that can change while the server runs. */
  readonly lists: ReadonlySet<ListName>;
  /** Whether there are resources, and code that can report that one was updated. */
  readonly hasUpdates: boolean;
}

/** Finds the changes that are possible with these entries. A list without callbacks never changes. */
export function findAnnouncedChanges(entries: Entries, settings: Settings): AnnouncedChanges {
  const { tools, prompts, resources, templates } = entries;
  const canChange = (served: ReadonlyMap<string, { handler: Handler }>): boolean =>
    [...served.values()].some(({ handler }) => handler.canBeDisabled);
  const hasLists = [...templates.values()].some(({ list }) => list !== undefined);
  const lists = new Set<ListName>();
  if (canChange(tools)) lists.add("tools");
  if (canChange(prompts)) lists.add("prompts");
  if (canChange(resources) || canChange(templates) || hasLists) lists.add("resources");
  const hasResources = resources.size + templates.size > 0;
  return { lists, hasUpdates: hasResources && settings.reportsUpdates };
}

/** A function that creates the subscriptions of a server. */
export type CreateSubscriptions = (...options: ConstructorParameters<typeof Subscriptions>) => Subscriptions;

/** A change to which clients can subscribe. */
type SubscribedChange = Exclude<Change, { kind: "elicitation" }>;

/** The notification of a change. */
export interface ChangeNotification {
  /** The notification for a legacy client, as JSON text. */
  readonly text: string;
  /** Returns the notification for one subscription of a modern client, as JSON text. */
  formatFor(id: RequestId): string;
}

export interface Subscriber {
  notify(notification: ChangeNotification): void;
  /** Returns whether the client may still read a resource. Its caller may have lost access after it subscribed. */
  mayRead(uri: string): boolean;
}

/** The subscribers of one server, by the lists and resources that they subscribed to. */
export class Subscriptions {
  readonly announced: AnnouncedChanges;
  readonly #byList: Record<ListName, Set<Subscriber>> = {
    tools: new Set(),
    prompts: new Set(),
    resources: new Set(),
  };
  readonly #byUri = new Map<string, Set<Subscriber>>();
  readonly #legacySubscribers = new WeakMap<Session, LegacySubscriber>();
  readonly #cleanups: (() => void)[];
  /** The changes of which clients with `setChangeFilter` were notified last, and the notifications. */
  #latest: { readonly changes: readonly Change[]; readonly texts: readonly string[] } = {
    changes: [],
    texts: [],
  };
  readonly #throttle: ChangeThrottle<SubscribedChange>;

  /**
   * Returns whether the caller of a legacy session may read a resource with its newest token. Set by the methods of
   * subscriptions.
   */
  mayRead: (session: Session, uri: string) => boolean = () => true;

  /** Receives the URI of an updated resource to which no client subscribed. */
  readonly #onUnwatchedUpdate: (uri: string) => void;

  /**
   * @param intervalMs the minimum time between two notifications of the same change
   * @param served the resources of the server, and the log of its author
   */
  constructor(
    changes: ChangeSource,
    announced: AnnouncedChanges,
    intervalMs: number | undefined,
    { entries, log }: { entries: Entries; log: LogSink },
  ) {
    this.#onUnwatchedUpdate = createUpdateCheck(entries, log);
    this.#throttle = new ChangeThrottle((each) => this.#announce(each), intervalMs);
    this.announced = announced;
    const onChange = changes.onChange((change) => {
      if (change.kind !== "elicitation") this.#queue(change);
    });
    const onMissed = changes.onMissed?.(() => this.#queueAll());
    this.#cleanups = onMissed === undefined ? [onChange] : [onChange, onMissed];
  }

  /** Adds a subscriber to lists and resources. Returns a function that removes it. */
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

  /** Subscribes a legacy client to all lists. Called when the client opens its session. */
  subscribeToLists(session: Session): void {
    if (this.#legacySubscribers.has(session)) return;
    const { lists, hasUpdates } = this.announced;
    if (lists.size === 0 && !hasUpdates) return;
    const subscriber = new LegacySubscriber(session, (uri) => this.mayRead(session, uri));
    this.#legacySubscribers.set(session, subscriber);
    const { peer } = session;
    if (peer.setChangeFilter !== undefined) {
      return peer.setChangeFilter((changes) => this.#createNotifications(subscriber, changes));
    }
    const remove = this.add(subscriber, lists, []);
    session.onClose(() => {
      remove();
      for (const uri of subscriber.uris.keys()) this.#removeFromUri(subscriber, uri);
    });
  }

  /**
   * Subscribes a legacy client to updates of a resource.
   *
   * @param isRevocable whether the client may lose access to it
   * @returns false if the client has already subscribed to `max` resources
   */
  subscribe(session: Session, uri: string, max: number, isRevocable: boolean): boolean {
    this.subscribeToLists(session);
    const subscriber = this.#legacySubscribers.get(session);
    if (subscriber === undefined) return true;
    if (subscriber.uris.size >= max && !subscriber.uris.has(uri)) return false;
    subscriber.uris.set(uri, isRevocable);
    if (session.peer.setChangeFilter === undefined) this.#addToUri(subscriber, uri);
    return true;
  }

  /** Ends the subscription of a legacy client to a resource. */
  unsubscribe(session: Session, uri: string): void {
    const subscriber = this.#legacySubscribers.get(session);
    if (subscriber?.uris.delete(uri) === true) this.#removeFromUri(subscriber, uri);
  }

  /** Subscribes a legacy client to exactly these resources, to which it subscribed through other processes. */
  restore(session: Session, uris: readonly string[]): void {
    this.subscribeToLists(session);
    const wanted = new Set(uris);
    for (const uri of this.#legacySubscribers.get(session)?.uris.keys() ?? []) {
      if (!wanted.has(uri)) this.unsubscribe(session, uri);
    }
    for (const uri of wanted) this.subscribe(session, uri, Infinity, true);
  }

  /** Announces the changes so far, and ignores later ones. */
  close(): void {
    for (const cleanUp of this.#cleanups) cleanUp();
    this.#throttle.flush();
  }

  /**
   * Returns a legacy client's notifications of changes; of everything that it subscribed to if `changes` is undefined.
   */
  #createNotifications(subscriber: LegacySubscriber, changes: readonly Change[] | undefined): string[] {
    const { uris } = subscriber;
    const isRelevant = (change: Change): change is SubscribedChange =>
      change.kind === "resource"
        ? uris.has(change.uri) && subscriber.mayRead(change.uri)
        : change.kind !== "elicitation" && this.announced.lists.has(change.kind);
    if (changes !== undefined) {
      // Many clients are notified of the same changes, one after the other.
      if (this.#latest.changes !== changes) this.#latest = { changes, texts: changes.map(toText) };
      return this.#latest.texts.filter((_, index) => isRelevant(changes[index] as Change));
    }
    const lists = Array.from(this.announced.lists, (kind): SubscribedChange => ({ kind }));
    const resources = Array.from(uris.keys(), (uri): SubscribedChange => ({ kind: "resource", uri }));
    return [...lists, ...resources].filter(isRelevant).map((change) => createNotification(change).text);
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
    if (this.#findSubscribers(change).size > 0) this.#throttle.add(change);
    else if (change.kind === "resource") this.#onUnwatchedUpdate(change.uri);
  }

  /** Reports that everything has changed, after changes may have been missed. Reading again does clients no harm. */
  #queueAll(): void {
    for (const kind of this.announced.lists) this.#queue({ kind });
    for (const uri of this.#byUri.keys()) this.#queue({ kind: "resource", uri });
  }

  #announce(changes: readonly SubscribedChange[]): void {
    for (const change of changes) {
      const subscribers = this.#findSubscribers(change);
      if (subscribers.size === 0) continue;
      const notification = createNotification(change);
      for (const subscriber of subscribers) {
        if (change.kind !== "resource" || subscriber.mayRead(change.uri)) subscriber.notify(notification);
      }
    }
  }

  #findSubscribers(change: SubscribedChange): ReadonlySet<Subscriber> {
    return (
      (change.kind === "resource" ? this.#byUri.get(change.uri) : this.#byList[change.kind]) ?? NO_SUBSCRIBERS
    );
  }
}

const NO_SUBSCRIBERS: ReadonlySet<Subscriber> = new Set();

class LegacySubscriber implements Subscriber {
  /** The resources, and whether the client may lose access to each. */
  readonly uris = new Map<string, boolean>();
  readonly #mayRead: (uri: string) => boolean;

  constructor(
    readonly session: Session,
    mayRead: (uri: string) => boolean,
  ) {
    this.#mayRead = mayRead;
  }

  mayRead(uri: string): boolean {
    return this.uris.get(uri) !== true || this.#mayRead(uri);
  }

  notify({ text }: ChangeNotification): void {
    this.session.peer.send(text);
  }
}

function toText(change: Change): string {
  return change.kind === "elicitation" ? "" : createNotification(change).text;
}

function createNotification(change: SubscribedChange): ChangeNotification {
  const isUpdate = change.kind === "resource";
  const method = isUpdate ? "notifications/resources/updated" : `notifications/${change.kind}/list_changed`;
  const uriMember = isUpdate ? `"uri":${JSON.stringify(change.uri)},` : "";
  const head = `{"jsonrpc":"2.0","method":"${method}","params":{${uriMember}"_meta":{"${SUBSCRIPTION_ID}":`;
  return {
    text: toNotificationText(method, isUpdate ? { uri: change.uri } : undefined),
    formatFor: (id) => `${head}${JSON.stringify(id)}}}}`,
  };
}
