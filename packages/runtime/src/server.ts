import { Connection, type Dispatcher } from "./connection/connection.js";
import { joinable } from "./replicas/sharing.js";
import { createRefusalLog } from "./log/refusal-log.js";
import { disposeOwners } from "./assembly/dispose-owners.js";
import { createEntries } from "./assembly/create-entries.js";
import { usesContext } from "./assembly/entries.js";
import { outdated } from "./assembly/lookup.js";
import { createPlainAsking } from "./ask/plain-asking.js";
import { countedIds } from "./connection/client-requests.js";
import { Elicitations } from "./connection/elicitations.js";
import type { Application, Server, ServerOptions } from "./server-interface.js";
import { createErrorReporting, createFailureText } from "./connection/error-reporting.js";
import { logEntryOf } from "./connection/internal-errors.js";
import { type Manifest, MANIFEST_VERSION } from "./manifest.js";
import { createAuthorization } from "./middleware/authorization.js";
import { MemoryCallCounts } from "./middleware/call-counts.js";
import { CallsInProgress } from "./middleware/calls-in-progress.js";
import { createSteps } from "./middleware/chain.js";
import { observed } from "./middleware/observed.js";
import { createRateLimits } from "./middleware/rate-limit.js";
import { createTimeLimits } from "./middleware/time-limit.js";
import { createHeaderCheck } from "./methods/header-parameters.js";
import { createDispatch } from "./methods/table.js";
import { createNotifier } from "./api/notifier.js";
import { createResultWriter } from "./results/envelope.js";
import { createOutputRefusal } from "./results/output-check.js";
import { createRunner } from "./methods/run-handler.js";
import { createResultSanitizer, createTextSanitizer } from "./results/sanitize.js";
import { createSettings } from "./assembly/settings.js";
import { announcedChanges } from "./subscriptions/subscriptions.js";
import { SHUTTING_DOWN } from "./transports/drain.js";
import { createSessionIdCipher } from "./transports/http/sessions/session-id-cipher.js";

export type { Application, ConnectionOptions, Server, ServerOptions } from "./server-interface.js";
export type { HandlerClass } from "./assembly/application.js";
export type { Validator, Validators } from "./validation/validators.js";

const UNUSED_REDIS =
  "TENON_REDIS_URL is set, but this server keeps everything in its own process. Run `npm install @redis/client` and " +
  "build it again, or name the store in src/server.ts: `store: redis()` of @tenon/runtime/redis.";

/**
 * Makes a server of what the compiler emitted. All that can be computed once is computed here.
 *
 * @throws Error when manifest, classes and validators do not belong together, or a class cannot be constructed.
 * @example
 * const server = createServer({ manifest, validators, classes });
 * await serve(server, process.argv.slice(2));
 */
export function createServer(application: Application, options: ServerOptions = {}): Server {
  checkVersion(application.manifest);
  const settings = createSettings(application.manifest, application.config);
  const { parts = [] } = application;
  const entries = createEntries(application, settings, parts);

  const { info, limits, http, auth, localPrincipal, notifier = createNotifier(), log } = settings;
  const { stateKeys = process.env.TENON_STATE_KEYS, now = monotonic, changeIntervalMs } = options;
  let logError = log;
  const { onInternalError = (report) => logError(logEntryOf(report)) } = options;
  const reportError = createErrorReporting(options.exposeErrors === true, onInternalError);
  const onObserverError = (error: unknown): void => void reportError(error, "observer");
  const refusals = createRefusalLog(log, settings.observe, onObserverError);
  const write = createResultWriter(info);
  const sharing = settings.store ?? (options.store && joinable(options.store));
  const shared = sharing?.join({ name: info.name, log, limits, notifier });
  if (shared === undefined && process.env.TENON_REDIS_URL)
    log({ level: "warn", event: "warning", msg: UNUSED_REDIS });
  const changes = shared?.changes ?? notifier;
  const announced = announcedChanges(entries, settings);
  const createSubscriptions = parts.find(
    (part) => part.createSubscriptions !== undefined,
  )?.createSubscriptions;
  const subscriptions = createSubscriptions?.(changes, announced, changeIntervalMs);
  if (subscriptions === undefined && announced.lists.size > 0)
    throw outdated("The server has lists that change, of which no part of it tells clients.");
  const createAsking = parts.find((part) => part.createAsking !== undefined)?.createAsking;
  const asking = (createAsking ?? createPlainAsking)({
    application,
    limits,
    serverName: info.name,
    stateKeys,
    shared,
    calls: () => calls,
  });
  const inProgress = new CallsInProgress(limits.callsPerCaller);
  const createTasks = parts.find((part) => part.createTasks !== undefined)?.createTasks;
  const authorize = createAuthorization(auth);
  const tasks = createTasks?.(
    entries,
    { limits, forms: asking.forms, write, inProgress, serverName: info.name, log, executor: settings.tasks },
    shared?.tasks,
  );
  const counts = shared?.counts ?? new MemoryCallCounts(limits.countedCallers, now);
  const run = createRunner({
    write,
    invoke: asking.invoke,
    sanitize: createResultSanitizer(settings.sanitize),
    stepsOf: createSteps({
      use: settings.use,
      authorize,
      limitRate: createRateLimits(settings.rateLimit, entries, counts),
      limitTime: createTimeLimits(limits.callMs, entries, reportError),
    }),
  });
  const refusal = createOutputRefusal(settings.outputChecks, reportError);

  const source = {
    authorize,
    settings,
    entries,
    subscriptions,
    tasks,
    run,
    write,
    reportError,
    failureText: createFailureText(reportError, (entry) => logError(entry)),
    refusal,
    inProgress,
  };
  const dispatch = createDispatch(source, parts);

  const sessionIdCipher = createSessionIdCipher(stateKeys, info.name, limits.sessionMs);
  const processId = shared?.replica.id ?? (sessionIdCipher && globalThis.crypto.randomUUID());
  const connect: Server["connect"] = (peer, { isDevelopment = false, agreement } = {}) => {
    const onClose = (): void => {
      connections.delete(connection);
    };
    const connection: Connection = new Connection(dispatcher, { peer, isDevelopment, agreement, onClose });
    connections.add(connection);
    // A conversation about one call alone hears of nothing else.
    if (agreement !== undefined && peer.stream === undefined)
      subscriptions?.subscribeToLists(connection.session);
    return connection;
  };
  const calls = shared?.calls({ limits, log, forms: asking.forms, connect });
  const elicitations = new Elicitations(changes);
  const dispatcher: Dispatcher = {
    limits,
    notify: notifier,
    elicitations,
    reportError,
    sanitize: createTextSanitizer(settings.sanitize),
    log,
    // An answer must not be taken for that to a question of another process, and has to find its way there.
    requestId: processId === undefined ? undefined : countedIds(`tenon-${processId}`),
    restoreSubscriptions: (session, uris) => subscriptions?.restore(session, uris),
    calls,
    refusals,
    dispatch: observed(dispatch, settings.observe, onObserverError),
    checkHeaderParameters: createHeaderCheck(entries.tools),
  };
  tasks?.start?.(dispatcher);
  const connections = new Set<Connection>();
  const { lists, updates } = announced;
  const open = (): { sessions: number; streams: number } => {
    const sessions = Array.from(connections, ({ session }) => session);
    return {
      sessions: sessions.filter(({ peer }) => peer.endsWithAnswer !== true).length,
      streams: sessions.reduce((sum, { openStreams }) => sum + openStreams.size, 0),
    };
  };
  for (const each of settings.observe) each.attach?.({ info, log, open });
  return {
    info,
    limits,
    http,
    auth,
    scopes: neededScopes(application.manifest),
    localPrincipal,
    notify: notifier,
    sessionIdCipher,
    httpSessions: shared?.httpSessions,
    processId,
    sharedStreams: shared?.streams,
    onInternalError,
    log,
    logErrorsBy: (sink) => {
      logError = sink;
    },
    refusals,
    observers: settings.observe,
    opened: tasks?.opened === undefined ? shared?.opened : bothOpened(shared?.opened, tasks.opened),
    usedProofs: shared?.usedProofs,
    isShared: shared !== undefined,
    hasTaskQueue: tasks?.opened !== undefined,
    endingTasks: tasks?.ending,
    // Code that has a notifier may always have something to send: at the least, that a user is done at a URL.
    sendsMessages:
      usesContext(entries) ||
      tasks !== undefined ||
      lists.size > 0 ||
      updates ||
      settings.notifier !== undefined,
    connect,
    close: async (withinMs = limits.drainMs) => {
      const until = performance.now() + withinMs * SHARE_BEFORE_THE_STORE;
      subscriptions?.close();
      elicitations.close();
      await tasks?.close(withinMs);
      for (const connection of connections) connection.finish();
      // What has just been finished is sent before its connection goes.
      await new Promise((resolve) => {
        setTimeout(resolve);
      });
      for (const connection of connections) {
        connection.stop(SHUTTING_DOWN);
        connection.close(SHUTTING_DOWN);
      }
      // The other way round than they came into being, so that what uses another goes first.
      const owners = [...new Set([...settings.provide, ...entries.owners])].toReversed();
      await disposeOwners(owners, until, log, onInternalError);
      await calls?.close();
      await shared?.close();
    },
  };
}

/** Of the time to close, what is left after it is for the store, and for saying what has not ended. */
const SHARE_BEFORE_THE_STORE = 0.9;

async function bothOpened(...opened: (Promise<void> | undefined)[]): Promise<void> {
  await Promise.all(opened);
}

function monotonic(): number {
  return performance.now();
}

function neededScopes({ tools, prompts, resources, resourceTemplates }: Manifest): string[] {
  const entries = [...tools, ...prompts, ...resources, ...resourceTemplates];
  return [...new Set(entries.flatMap(({ scopes = [] }) => scopes))].sort();
}

function checkVersion({ manifestVersion }: Manifest): void {
  if (manifestVersion === MANIFEST_VERSION) return;
  throw outdated(
    `The manifest has version ${String(manifestVersion)}, but this runtime reads version ${MANIFEST_VERSION}.`,
  );
}
