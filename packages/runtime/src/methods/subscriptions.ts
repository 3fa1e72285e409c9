/**
 * How clients subscribe to changes: `subscriptions/listen` (modern), `resources/subscribe`
 * and `resources/unsubscribe` (legacy).
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/utilities/subscriptions
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/resources#subscriptions
 * @module
 */
import { declares } from "../ask/questions/capabilities.js";
import type { Call } from "../connection/call.js";
import type { Limits } from "../api/limits.js";
import { invalidParams, isProtocolError, ProtocolError } from "../api/errors.js";
import * as ErrorCode from "../protocol/error-codes.js";
import { SUBSCRIPTION_ID } from "../protocol/meta-keys.js";
import { isObject, notificationText } from "../protocol/jsonrpc.js";
import { onExpiry } from "../connection/principal.js";
import { settle } from "../connection/settle.js";
import { methodNotFound } from "../connection/modern-request.js";
import type { ListName } from "../api/notifier.js";
import type { AnnouncedChanges, Subscriber, Subscriptions } from "../subscriptions/subscriptions.js";
import { TASKS_CAPABILITY } from "../tasks/tasks-extension.js";
import type { FollowedTasks } from "../tasks/server-tasks.js";
import { createResourceFinder } from "./find-resource.js";
import {
  handlerFailure,
  type Method,
  type MethodFamily,
  type MethodSource,
  onceRemembered,
} from "./method.js";

/** The kinds of change as `subscriptions/listen` names them. */
const LIST_FLAGS: readonly (readonly [flag: string, list: ListName])[] = [
  ["toolsListChanged", "tools"],
  ["promptsListChanged", "prompts"],
  ["resourcesListChanged", "resources"],
];

const MOST_URI_CHARACTERS = 8192;

/** What a client subscribes to, as far as the server announces it. */
interface Granted {
  lists: ListName[];
  uris: string[];
  /** The same in the words of the request. */
  filter: Record<string, unknown>;
}

export const subscriptions: MethodFamily = {
  methods: (source) => {
    const { subscriptions } = source;
    if (subscriptions === undefined) return {};
    const { lists, updates } = subscriptions.announced;
    const hasChanges = lists.size > 0 || updates || source.tasks !== undefined;
    return hasChanges ? createSubscriptionMethods(source, subscriptions) : {};
  },
};

function createSubscriptionMethods(source: MethodSource, subscribers: Subscriptions): Record<string, Method> {
  const { settings, write } = source;
  const finder = createResourceFinder(source.entries);
  const { announced } = subscribers;
  const { limits } = settings;
  let open = 0;

  const listen = (call: Call, granted: Granted, tasks: FollowedTasks | undefined): Promise<string> => {
    const meta = { [SUBSCRIPTION_ID]: call.id };
    if (tasks !== undefined) granted.filter.taskIds = tasks.ids;
    const acknowledged = { notifications: granted.filter, _meta: meta };
    const subscriber: Subscriber = {
      notify: (notification) => call.peer.send(notification.textFor(call.id)),
    };
    const remove = subscribers.add(subscriber, granted.lists, granted.uris);
    call.peer.send(notificationText("notifications/subscriptions/acknowledged", acknowledged));
    tasks?.begin((details) =>
      call.peer.send(notificationText("notifications/tasks", { ...details, _meta: meta })),
    );
    return new Promise((resolve) => {
      let isOver = false;
      const end = (): void => {
        if (isOver) return;
        isOver = true;
        open--;
        remove();
        tasks?.end();
        stopWaiting();
        call.session.openStreams.delete(finish);
        resolve(write(call.revision, { _meta: meta }));
      };
      // A client that follows tasks is still told how they end.
      const finish = (): void => void (tasks?.over?.().then(end) ?? end());
      const stop = (): void => (call.cancelled ? end() : finish());
      const stopWaiting = onExpiry(call.peer.principal, end);
      call.session.openStreams.add(finish);
      if (call.signal.aborted) stop();
      else call.signal.addEventListener("abort", stop, { once: true });
    });
  };

  /** A capability lets legacy clients subscribe; without it the methods are not there. */
  const subscribedUri = (call: Call): string => {
    if (!announced.updates || call.session.peer.endsWithAnswer) throw methodNotFound(call);
    const { uri } = call.params;
    if (!isUri(uri)) throw invalidParams("`uri` must be the URI of a resource.");
    return uri;
  };

  /** Who may not read a resource is told nothing of it. */
  const checkAccess = (call: Call, uri: string): void => {
    const found = finder.find(call, uri);
    try {
      source.authorize(call, found.target.entry);
      finder.admit(call, uri, found);
    } catch (error) {
      handlerFailure(source, error, `resource "${uri}"`, call);
    }
  };

  const isReadable = (call: Call, uri: string): boolean => {
    try {
      checkAccess(call, uri);
      return true;
    } catch (error) {
      if (isProtocolError(error)) return false;
      throw error;
    }
  };

  return {
    "subscriptions/listen": (call) => {
      if (call.peer.acceptsEvents === false) {
        const message = "Accept must allow text/event-stream for a subscription.";
        throw new ProtocolError(ErrorCode.InvalidRequest, message, undefined, 406);
      }
      // What does not exist is left out of what the client is told that it will be notified of.
      const granted = grant(call.params.notifications, announced, limits, (uri) => isReadable(call, uri));
      const taskIds = source.tasks && wantedTasks(call, limits);
      if (open >= limits.subscriptions) throw tooMany("Too many subscriptions are open.");
      open++;
      return settle<string | Promise<string>>(
        () => taskIds && source.tasks?.follow(taskIds, call.peer.principal),
        (followed) => listen(call, granted, followed as FollowedTasks | undefined),
        (error) => {
          open--;
          throw error;
        },
      ) as Promise<string>;
    },

    "resources/subscribe": (call) => {
      const uri = subscribedUri(call);
      checkAccess(call, uri);
      if (!subscribers.subscribe(call.session, uri, limits.subscribedResources)) {
        throw tooMany(`A client may subscribe to at most ${limits.subscribedResources} resources.`);
      }
      return onceRemembered(call.session, { subscribed: uri }, write(call.revision, {}));
    },

    "resources/unsubscribe": (call) => {
      const uri = subscribedUri(call);
      subscribers.unsubscribe(call.session, uri);
      return onceRemembered(call.session, { unsubscribed: uri }, write(call.revision, {}));
    },
  };
}

function grant(
  wanted: unknown,
  announced: AnnouncedChanges,
  limits: Limits,
  isReadable: (uri: string) => boolean,
): Granted {
  if (!isObject(wanted)) throw invalidParams("`notifications` must be an object.");
  const granted: Granted = { lists: [], uris: [], filter: {} };
  for (const [flag, list] of LIST_FLAGS) {
    const value = wanted[flag];
    if (value !== undefined && typeof value !== "boolean") {
      throw invalidParams(`\`notifications.${flag}\` must be a boolean.`);
    }
    if (value !== true || !announced.lists.has(list)) continue;
    granted.lists.push(list);
    granted.filter[flag] = true;
  }
  const uris = wanted.resourceSubscriptions;
  if (uris === undefined) return granted;
  if (!Array.isArray(uris) || !uris.every(isUri)) {
    throw invalidParams("`notifications.resourceSubscriptions` must be an array of URIs.");
  }
  if (uris.length > limits.subscribedResources) {
    throw invalidParams(`A client may subscribe to at most ${limits.subscribedResources} resources.`);
  }
  if (announced.updates) {
    granted.uris = [...new Set(uris)].filter(isReadable);
    granted.filter.resourceSubscriptions = granted.uris;
  }
  return granted;
}

/** A client that knows tasks may follow its own. */
function wantedTasks(call: Call, limits: Limits): readonly unknown[] | undefined {
  const { taskIds } = call.params.notifications as { taskIds?: unknown };
  if (taskIds === undefined || !declares(call.client.capabilities, TASKS_CAPABILITY)) return undefined;
  if (!Array.isArray(taskIds) || taskIds.length > limits.tasks) {
    throw invalidParams(`\`notifications.taskIds\` must be an array of at most ${limits.tasks} ids.`);
  }
  return [...new Set(taskIds)];
}

/** Each URI is kept for as long as somebody subscribes to it, so none may be longer than any in use. */
function isUri(value: unknown): value is string {
  return typeof value === "string" && value.length <= MOST_URI_CHARACTERS;
}

function tooMany(message: string): ProtocolError {
  return new ProtocolError(ErrorCode.InternalError, message, undefined, 503);
}
