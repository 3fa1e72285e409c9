/**
 * Subscriptions to changes: `subscriptions/listen` (modern), `resources/subscribe`, and `resources/unsubscribe` (legacy).
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/utilities/subscriptions
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/resources#subscriptions
 * @module
 */
import { hasCapabilities } from "../questions/capabilities.js";
import { Call } from "../connection/call.js";
import { LATEST_LEGACY } from "../../protocol/revisions.js";
import type { Session } from "../connection/session.js";
import type { Limits } from "../../api/limits.js";
import { createInvalidParamsError, isProtocolError, ProtocolError } from "../../api/errors.js";
import * as ErrorCode from "../../protocol/error-codes.js";
import { SUBSCRIPTION_ID } from "../../protocol/meta-keys.js";
import { isObject, toNotificationText } from "../../protocol/jsonrpc.js";
import { getBinding, getShare, hasUsedShare, onExpiry } from "../../access/principal.js";
import type { Peer } from "../../transports/transport.js";
import { createMethodNotFoundError } from "../connection/modern-request.js";
import type { ListName } from "../../api/notifier.js";
import type { AnnouncedChanges, Subscriber, Subscriptions } from "../subscriptions/subscriptions.js";
import { TASKS_CAPABILITY } from "../tasks/tasks-extension.js";
import type { ScopedTask, TaskWatch } from "../tasks/server-tasks.js";
import { createResourceFinder, describeResource, type FoundResource } from "./find-resource.js";
import { checkScopes, findMissingScopes } from "../stages/authorize.js";
import type { ServerParts } from "../stages/stage.js";
import { canSeeTool } from "./tasks.js";
import { throwHandlerFailure, type Method, type MethodFamily, respondAfterStoring } from "./method.js";

/** The lists by their names in `subscriptions/listen`. */
const LIST_FLAGS: readonly (readonly [flag: string, list: ListName])[] = [
  ["toolsListChanged", "tools"],
  ["promptsListChanged", "prompts"],
  ["resourcesListChanged", "resources"],
];

const MAX_URI_CHARACTERS = 8192;

/** The part of a subscription request that the server grants. */
interface Granted {
  lists: ListName[];
  uris: string[];
  /** The granted resources whose access a callback may revoke later. */
  revocable: Set<string>;
  /** The granted part in the format of the request. */
  filter: Record<string, unknown>;
}

export const subscriptions: MethodFamily = {
  createMethods: (source) => {
    const { subscriptions } = source;
    if (subscriptions === undefined) return {};
    const { lists, hasUpdates } = subscriptions.announced;
    const hasChanges = lists.size > 0 || hasUpdates || source.tasks !== undefined;
    return hasChanges ? createSubscriptionMethods(source, subscriptions) : {};
  },
};

function createSubscriptionMethods(source: ServerParts, subscribers: Subscriptions): Record<string, Method> {
  const { settings, write } = source;
  const finder = createResourceFinder(source.entries);
  const { announced } = subscribers;
  const { limits } = settings;
  /** The callers of open subscriptions, with one item for each subscription. */
  const callers: string[] = [];

  const listen = (call: Call, granted: Granted, tasks: TaskWatch | undefined): Promise<string> => {
    const meta = { [SUBSCRIPTION_ID]: call.id };
    if (tasks !== undefined) granted.filter.taskIds = tasks.ids;
    const acknowledged = { notifications: granted.filter, _meta: meta };
    const subscriber: Subscriber = {
      notify: (notification) => call.peer.send(notification.formatFor(call.id)),
      mayRead: (uri) => !granted.revocable.has(uri) || isReadable(call, uri),
    };
    const remove = subscribers.add(subscriber, granted.lists, granted.uris);
    call.peer.send(toNotificationText("notifications/subscriptions/acknowledged", acknowledged));
    tasks?.begin((details) =>
      call.peer.send(toNotificationText("notifications/tasks", { ...details, _meta: meta })),
    );
    return new Promise((resolve) => {
      let isDone = false;
      const end = (): void => {
        if (isDone) return;
        isDone = true;
        forget(call);
        remove();
        tasks?.end();
        stopWaiting();
        call.endStream = undefined;
        resolve(write(call.revision, { _meta: meta }));
      };
      // A client that watches tasks is still notified when they end.
      const finish = (): void => void (tasks?.whenDone?.().then(end) ?? end());
      const stop = (): void => (call.isCancelled ? end() : finish());
      const stopWaiting = onExpiry(call.peer.principal, end);
      call.endStream = finish;
      if (call.signal.aborted) stop();
      else call.signal.addEventListener("abort", stop, { once: true });
    });
  };

  /** Reads a legacy request. Without the capability to subscribe, its method does not exist. */
  const readSubscription = (call: Call): { session: Session; uri: string } => {
    const { session } = call;
    if (!announced.hasUpdates || session === undefined) throw createMethodNotFoundError(call);
    const { uri } = call.params;
    if (!isUri(uri)) throw createInvalidParamsError("`uri` must be the URI of a resource.");
    return { session, uri };
  };

  /** Rejects clients that may not read a resource. Returns whether a callback may revoke the access later. */
  const checkAccess = (call: Call, uri: string): { isRevocable: boolean } => {
    let found: FoundResource | undefined;
    try {
      found = finder.find(call, uri);
      checkScopes(call, found.target.entry, settings);
      finder.checkArguments(call, uri, found);
      const { entry, handler } = found.target;
      const needsScopes = entry.scopes !== undefined && entry.scopes.length > 0;
      return { isRevocable: needsScopes || handler.canBeDisabled || handler.authorizesArguments };
    } catch (error) {
      return throwHandlerFailure(source, error, describeResource(found?.target, uri), call);
    }
  };

  const findAccess = (call: Call, uri: string): { isRevocable: boolean } | undefined => {
    try {
      return checkAccess(call, uri);
    } catch (error) {
      if (isProtocolError(error)) return undefined;
      throw error;
    }
  };

  const forget = ({ peer }: Call): void => {
    callers.splice(callers.indexOf(getBinding(peer.principal)), 1);
  };

  /** @throws ProtocolError if too many subscriptions are open, of all callers or of this one */
  const checkCount = ({ principal }: Peer): void => {
    const { maxSubscriptions } = limits;
    if (callers.length >= maxSubscriptions)
      throw createTooManySubscriptionsError("Too many subscriptions are open.");
    if (hasUsedShare(getBinding(principal), callers, maxSubscriptions))
      throw createTooManySubscriptionsError(
        `A caller may have at most ${getShare(maxSubscriptions)} open subscriptions.`,
      );
  };

  const createTaskCheck = (call: Call) => async (task: ScopedTask) =>
    findMissingScopes(call, task, settings.auth).length === 0 && canSeeTool(call, task, source);

  const isReadable = (call: Call, uri: string): boolean => findAccess(call, uri) !== undefined;
  subscribers.mayRead = (session, uri) => {
    const { server, revision = LATEST_LEGACY, client, peer } = session;
    const call = new Call(server, session, 0, "resources/read", { uri }, revision, client, peer);
    return isReadable(call, uri);
  };

  return {
    "subscriptions/listen": async (call) => {
      if (call.peer.acceptsEvents === false) {
        const message = "Accept must allow text/event-stream for a subscription.";
        throw new ProtocolError(ErrorCode.InvalidRequest, message, undefined, 406);
      }
      // Resources that do not exist are omitted from the acknowledgment.
      const granted = grant(call.params.notifications, announced, limits, (uri) => findAccess(call, uri));
      const taskIds = source.tasks && readTaskIds(call, limits);
      checkCount(call.peer);
      callers.push(getBinding(call.peer.principal));
      try {
        // Without tasks there is no `await`, so that the client misses no change after this turn.
        const taskWatch =
          taskIds && (await source.tasks?.watch(taskIds, call.peer.principal, createTaskCheck(call)));
        return await listen(call, granted, taskWatch);
      } catch (error) {
        forget(call);
        throw error;
      }
    },

    "resources/subscribe": (call) => {
      const { session, uri } = readSubscription(call);
      const { isRevocable } = checkAccess(call, uri);
      if (!subscribers.subscribe(session, uri, limits.maxSubscribedResources, isRevocable)) {
        throw createInvalidParamsError(
          `A client may subscribe to at most ${limits.maxSubscribedResources} resources.`,
        );
      }
      return respondAfterStoring(session, { subscribed: uri }, write(call.revision, {}));
    },

    "resources/unsubscribe": (call) => {
      const { session, uri } = readSubscription(call);
      subscribers.unsubscribe(session, uri);
      return respondAfterStoring(session, { unsubscribed: uri }, write(call.revision, {}));
    },
  };
}

function grant(
  wanted: unknown,
  announced: AnnouncedChanges,
  limits: Limits,
  findAccess: (uri: string) => { isRevocable: boolean } | undefined,
): Granted {
  if (!isObject(wanted)) throw createInvalidParamsError("`notifications` must be an object.");
  const granted: Granted = { lists: [], uris: [], revocable: new Set(), filter: {} };
  for (const [flag, list] of LIST_FLAGS) {
    const value = wanted[flag];
    if (value !== undefined && typeof value !== "boolean") {
      throw createInvalidParamsError(`\`notifications.${flag}\` must be a boolean.`);
    }
    if (value !== true || !announced.lists.has(list)) continue;
    granted.lists.push(list);
    granted.filter[flag] = true;
  }
  const uris = wanted.resourceSubscriptions;
  if (uris === undefined) return granted;
  if (!Array.isArray(uris) || !uris.every(isUri)) {
    throw createInvalidParamsError("`notifications.resourceSubscriptions` must be an array of URIs.");
  }
  if (uris.length > limits.maxSubscribedResources) {
    throw createInvalidParamsError(
      `A client may subscribe to at most ${limits.maxSubscribedResources} resources.`,
    );
  }
  if (announced.hasUpdates) {
    for (const uri of new Set(uris)) {
      const access = findAccess(uri);
      if (access === undefined) continue;
      granted.uris.push(uri);
      if (access.isRevocable) granted.revocable.add(uri);
    }
    granted.filter.resourceSubscriptions = granted.uris;
  }
  return granted;
}

/** Returns the IDs of the tasks to watch, if the client supports tasks. */
function readTaskIds(call: Call, limits: Limits): readonly unknown[] | undefined {
  const { taskIds } = call.params.notifications as { taskIds?: unknown };
  if (taskIds === undefined || !hasCapabilities(call.client.capabilities, TASKS_CAPABILITY)) return undefined;
  if (!Array.isArray(taskIds) || taskIds.length > limits.maxTasks) {
    throw createInvalidParamsError(
      `\`notifications.taskIds\` must be an array of at most ${limits.maxTasks} IDs.`,
    );
  }
  return [...new Set(taskIds)];
}

/** Returns whether a value can be a URI. The length is limited, since URIs stay in memory while subscribed. */
function isUri(value: unknown): value is string {
  return typeof value === "string" && value.length <= MAX_URI_CHARACTERS;
}

function createTooManySubscriptionsError(message: string): ProtocolError {
  return new ProtocolError(ErrorCode.InternalError, message, undefined, 503);
}
