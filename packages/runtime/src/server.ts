import { Connection } from "./call/connection/connection.js";
import type { Dispatcher } from "./call/connection/dispatcher.js";
import { StatelessRequests } from "./call/connection/stateless-requests.js";
import { toJoinable } from "./call/joined-store.js";
import { createRejectionLog } from "./transports/rejection-log.js";
import { disposeOwners } from "./call/assembly/dispose-owners.js";
import { createEntries, findConverters } from "./call/assembly/create-entries.js";
import { findPublicCaches } from "./call/assembly/public-caches.js";
import { usesContext } from "./call/assembly/entries.js";
import { createMissingFeatureError, createOutdatedBuildError } from "./call/application/lookup.js";
import { createUrlOnlyInput } from "./call/input/url-only-input.js";
import { createIdCounter } from "./call/connection/client-requests.js";
import { Elicitations } from "./call/connection/elicitations.js";
import type { Application, Server, ServerOptions } from "./server-interface.js";
import { createErrorReporting, createFailureFormatter } from "./call/connection/error-reporting.js";
import { createInternalErrorEntry } from "./observe/log/internal-error-entry.js";
import type { LogEntry } from "./api/log.js";
import type { LeveledSink } from "./observe/log/text-log.js";
import { maskSecrets } from "./observe/log/mask-secrets.js";
import { type Manifest, MANIFEST_VERSION } from "./manifest.js";
import { MemoryCallCounts } from "./call/limits/call-counts.js";
import { CallsInProgress } from "./call/limits/calls-in-progress.js";
import type { Feature } from "./call/methods/feature.js";
import { listPublicTools } from "./call/methods/public-tools.js";
import { createDispatch } from "./call/methods/table.js";
import { ProtocolError } from "./api/errors.js";
import { createNotifier } from "./api/notifier.js";
import * as ErrorCode from "./protocol/error-codes.js";
import { createResultWriter } from "./data/results/envelope.js";
import { createResultSanitizer, createTextSanitizer } from "./data/results/sanitize.js";
import { createSettings } from "./call/assembly/settings.js";
import { checkSenderScopes } from "./call/stages/authorize.js";
import { Validation } from "./call/application/validation.js";
import { findAnnouncedChanges } from "./call/subscriptions/subscriptions.js";
import { watchUnservedLists } from "./call/subscriptions/unserved-lists.js";
import { SHUTTING_DOWN } from "./transports/drain.js";

export type { Application, ConnectionOptions, Server, ServerOptions } from "./server-interface.js";
export type { HandlerClass } from "./call/application/application.js";
export type { Validator, Validators } from "./data/validation/validators.js";

const UNUSED_REDIS =
  "TENON_REDIS_URL is set, but this server stores everything in its own process. Run `npm install @redis/client` and " +
  "build it again, or set `store: redis()` from @tenon/runtime/redis in src/server.ts.";

/**
 * Creates a server from the output of the compiler. Everything that can be computed in advance is computed here.
 *
 * @throws Error if the manifest, classes, and validators do not match, or a class cannot be constructed
 * @example
 * const server = createServer({ manifest, validators, classes });
 * await serve(server, process.argv.slice(2));
 */
export function createServer(application: Application, options: ServerOptions = {}): Server {
  checkVersion(application.manifest);
  const { config, features = [] } = application;
  const findFeature = <Name extends keyof Feature>(name: Name): Feature[Name] | undefined =>
    features.find((feature) => feature[name] !== undefined)?.[name];
  if (config !== undefined) findFeature("checkConfig")?.(config);
  const declared = createSettings(application.manifest, config);
  let logError = declared.log;
  const log: LeveledSink = Object.assign(
    (entry: LogEntry) => (entry.err === undefined ? declared.log : logError)(entry),
    { minLevel: declared.log.minLevel },
  );
  const settings = { ...declared, log };
  const store = settings.store ?? options.store;
  const joinableStore = store && toJoinable(store);
  const validation = new Validation(application.validators, findFeature("checks"));
  const stateKeys = toNonBlank(options.stateKeys ?? process.env.TENON_STATE_KEYS);
  const entries = createEntries(application, settings, features, validation, stateKeys);

  const { info, limits, http, auth, localPrincipal, notifier = createNotifier() } = settings;
  const { now = () => performance.now(), changeIntervalMs } = options;
  for (const msg of [
    ...(findFeature("findUnused")?.(settings, entries.owners) ?? []),
    ...findPublicCaches(entries, settings),
  ])
    log({ level: "warn", event: "warning", msg });
  const createMask = findFeature("createMask") ?? (() => maskSecrets);
  const {
    onInternalError = (report) => log(createInternalErrorEntry(report, createMask(report.secrets ?? []))),
  } = options;
  const reportError = createErrorReporting(options.exposeErrors === true, onInternalError);
  const onObserverError = (error: unknown): void => void reportError(error, "observer");
  const rejections = createRejectionLog(log, settings.observe, onObserverError);
  const write = createResultWriter(info);
  const shared = joinableStore?.join({ name: info.name, log, limits, notifier, stateKeys });
  if (shared === undefined && process.env.TENON_REDIS_URL)
    log({ level: "warn", event: "warning", msg: UNUSED_REDIS });
  const changes = shared?.changes ?? notifier;
  const announced = findAnnouncedChanges(entries, settings);
  const stopWatching = watchUnservedLists(changes, announced.lists, log);
  const subscriptions = findFeature("createSubscriptions")?.(changes, announced, changeIntervalMs, {
    entries,
    log,
  });
  if (subscriptions === undefined && announced.lists.size > 0)
    throw createMissingFeatureError("notifies clients of changes");
  const clientInput = (findFeature("createClientInput") ?? createUrlOnlyInput)({
    application,
    validation,
    converters: findConverters(features),
    limits,
    serverName: info.name,
    stateKeys,
    shared,
    getCalls: () => calls,
  });
  const inProgress = new CallsInProgress(limits.maxConcurrentCallsPerCaller);
  const tasks = findFeature("createTasks")?.(
    entries,
    {
      limits,
      forms: clientInput.forms,
      write,
      trackCall: (call) => inProgress.trackCall(call),
      authorizesArguments: (tool) => entries.tools.get(String(tool))?.handler.authorizesArguments === true,
      getScopes: (tool) => entries.tools.get(String(tool))?.entry.scopes,
      serverName: info.name,
      log,
      executor: settings.tasks,
    },
    shared?.createTasks,
  );
  const sanitizeText = createTextSanitizer(settings.sanitize);
  const dispatch = createDispatch(
    {
      settings,
      entries,
      validation,
      subscriptions,
      tasks,
      clientInput,
      createHeaderCheck: findFeature("createHeaderCheck"),
      createResultLimit: findFeature("createResultLimit"),
      createToolSearch: settings.toolSearch && findFeature("createToolSearch"),
      createDownloads: findFeature("createDownloads"),
      createObservation: findFeature("createObservation"),
      createFileResults: findFeature("createFileResults"),
      write,
      sanitizeResult: createResultSanitizer(settings.sanitize),
      sanitizeText,
      reportError,
      formatFailure: createFailureFormatter(reportError, log, createMask),
      inProgress,
      counts: shared?.counts ?? new MemoryCallCounts(limits.maxTrackedCallers, now),
    },
    features,
  );

  const processId = shared?.processId ?? (stateKeys && globalThis.crypto.randomUUID());
  const connect: Server["connect"] = (peer, { isDevelopment = false, agreement } = {}) => {
    const onClose = (): void => {
      connections.delete(connection);
    };
    const connection: Connection = new Connection(dispatcher, { peer, isDevelopment, agreement, onClose });
    connections.add(connection);
    // A connection for a single call receives no other messages.
    if (agreement !== undefined && peer.stream === undefined)
      subscriptions?.subscribeToLists(connection.session);
    return connection;
  };
  const calls = shared?.createCalls({ limits, log, forms: clientInput.forms, connect });
  const elicitations = new Elicitations(changes);
  const dispatcher: Dispatcher = {
    limits,
    notify: notifier,
    elicitations,
    reportError,
    sanitize: sanitizeText,
    listSecretTexts: findFeature("listSecretTexts"),
    log,
    exchange: options.exchange ?? auth?.exchange,
    // The ID distinguishes questions of this process from those of others, and routes each answer to its process.
    createRequestId: processId === undefined ? undefined : createIdCounter(`tenon-${processId}`),
    checkScopes: (sender, scopes) => checkSenderScopes(sender, scopes, auth),
    restoreSubscriptions: (session, uris) => {
      // The check that the client may still read the resources may need the validators of URI variables. That check
      // reports a failure to load them.
      if (uris.length > 0) validation.load(undefined, undefined)?.catch(() => {});
      subscriptions?.restore(session, uris);
    },
    calls,
    rejections,
    dispatch,
  };
  tasks?.start?.(dispatcher);
  const connections = new Set<Connection>();
  const { lists, hasUpdates } = announced;
  const stateless = new Set<StatelessRequests>();
  const counts = (): { sessions: number; streams: number } => ({
    sessions: connections.size,
    streams: [...connections, ...stateless].reduce((sum, { openStreams }) => sum + openStreams, 0),
  });
  for (const each of settings.observe) each.attach?.({ info, log, counts });
  let closing: Promise<void> | undefined;
  const close = async (withinMs: number): Promise<void> => {
    const until = performance.now() + withinMs * SHARE_BEFORE_STORE;
    stopWatching();
    subscriptions?.close();
    elicitations.close();
    await tasks?.close(withinMs);
    const all = (): (Connection | StatelessRequests)[] => [...connections, ...stateless];
    for (const each of all()) each.finish();
    // Finished responses are sent first. Then the other calls are abandoned, and finally connections close.
    await waitForNextTurn();
    // Later calls would use instances that have been disposed of.
    dispatcher.dispatch = () => {
      throw new ProtocolError(ErrorCode.InternalError, SHUTTING_DOWN, undefined, 503);
    };
    for (const each of all()) {
      each.stop(SHUTTING_DOWN);
      each.abandon(SHUTTING_DOWN);
    }
    await waitForNextTurn();
    for (const each of all()) each.close(SHUTTING_DOWN);
    // Reverse creation order, so that users of an instance are disposed of before it.
    const owners = [...new Set([...settings.provide, ...entries.owners])].toReversed();
    await disposeOwners(owners, until, log, onInternalError);
    await calls?.close();
    await shared?.close();
  };
  return {
    info,
    limits,
    http,
    files: settings.files,
    auth,
    declaresAuth: application.manifest.auth !== undefined,
    scopes: collectScopes(application.manifest),
    listPublicTools: () => (auth === undefined ? listPublicTools(entries, dispatcher) : []),
    localPrincipal,
    notify: notifier,
    stateKeys,
    sessionDirectory: shared?.sessions,
    processId,
    sharedStreams: shared?.streams,
    onInternalError,
    log: declared.log,
    logErrorsTo: (sink) => {
      logError = sink;
    },
    rejections,
    observers: settings.observe,
    opened:
      tasks?.opened === undefined
        ? shared?.opened
        : Promise.all([shared?.opened, tasks.opened]).then(() => {}),
    usedProofs: shared?.usedProofs,
    isShared: shared !== undefined,
    hasTaskQueue: tasks?.opened !== undefined,
    drainableTasks: tasks?.drainable,
    // Code with a notifier may always send something, at least that a user has completed the interaction at a URL.
    sendsMessages:
      usesContext(entries) ||
      tasks !== undefined ||
      lists.size > 0 ||
      hasUpdates ||
      settings.notifier !== undefined,
    connect,
    acceptStateless: ({ isDevelopment = false } = {}) =>
      new StatelessRequests(dispatcher, stateless, isDevelopment),
    close: (withinMs = limits.drainTimeoutMs) => (closing ??= close(withinMs)),
  };
}

/**
 * The share of the close timeout for everything but the store. The rest is for the store and for reporting unfinished
 * disposals.
 */
const SHARE_BEFORE_STORE = 0.9;

/** Resolves when the event loop has run everything that is ready. */
function waitForNextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve);
  });
}

/** Returns the keys, or `undefined` if the text of the list is blank. */
function toNonBlank(keys: string | undefined): string | undefined {
  return keys?.trim() === "" ? undefined : keys;
}

function collectScopes({ tools, prompts, resources, resourceTemplates }: Manifest): string[] {
  const entries = [...tools, ...prompts, ...resources, ...resourceTemplates];
  return [...new Set(entries.flatMap(({ scopes = [] }) => scopes))].sort();
}

function checkVersion({ manifestVersion }: Manifest): void {
  if (manifestVersion === MANIFEST_VERSION) return;
  throw createOutdatedBuildError(
    `The manifest has version ${String(manifestVersion)}, but this runtime reads version ${MANIFEST_VERSION}.`,
  );
}
