import type { Application as Assembly } from "./assembly/application.js";
import { Connection, type Dispatcher } from "./connection/connection.js";
import type { Peer, TransportConnection } from "./transports/transport.js";
import type { Principal } from "./api/caller.js";
import type { UsedProofs } from "./auth/dpop/used-proofs.js";
import type { Auth } from "./auth/authenticator.js";
import type { HttpConfig } from "./api/define-server.js";
import type { Limits } from "./api/limits.js";
import type { LogSink } from "./api/log.js";
import type { Observer } from "./api/observer.js";
import { joinable } from "./replicas/sharing.js";
import type { Sharing } from "./api/store.js";
import { createRefusalLog, type RefusalLog } from "./log/refusal-log.js";
import type { Agreement } from "./connection/agreement.js";
import type { Call } from "./connection/call.js";
import { disposeOwners } from "./assembly/dispose-owners.js";
import { createEntries } from "./assembly/create-entries.js";
import { usesContext } from "./assembly/entries.js";
import { outdated } from "./assembly/lookup.js";
import { createPlainAsking } from "./ask/plain-asking.js";
import { countedIds } from "./ask/client-requests.js";
import { Elicitations } from "./ask/elicitations.js";
import {
  createReport,
  type InternalErrorReporter,
  logEntryOf,
  publicMessage,
  timeoutMessage,
  debugMessage,
} from "./connection/internal-errors.js";
import { type Manifest, MANIFEST_VERSION } from "./manifest.js";
import { createAuthorization } from "./middleware/authorization.js";
import { MemoryCallCounts } from "./middleware/call-counts.js";
import { CallsInProgress } from "./middleware/calls-in-progress.js";
import { createSteps } from "./middleware/chain.js";
import { observed } from "./middleware/observed.js";
import { createRateLimits } from "./middleware/rate-limit.js";
import { createTimeLimits } from "./middleware/time-limit.js";
import { createHeaderCheck } from "./methods/header-parameters.js";
import type { Part } from "./methods/part.js";
import { createDispatch } from "./methods/table.js";
import { createNotifier, type Notify } from "./api/notifier.js";
import type { Implementation } from "./protocol/specification.js";
import { createResultWriter } from "./results/envelope.js";
import { createOutputRefusal } from "./results/output-check.js";
import { createRunner } from "./methods/run-handler.js";
import { createResultSanitizer, createTextSanitizer } from "./results/sanitize.js";
import { createSettings } from "./assembly/settings.js";
import type { Shared } from "./replicas/sharing.js";
import { announcedChanges, Subscriptions } from "./subscriptions/subscriptions.js";
import type { SharedStreams } from "./transports/http/session-streams.js";
import { createSessionSeal, type SessionSeal } from "./transports/http/session-seal.js";

export type { HandlerClass } from "./assembly/application.js";
export type { Validator, Validators } from "./validation/validators.js";

export interface Application extends Assembly {
  /** What serves the manifest besides its tools; `allParts` of `@tenon/runtime/parts` serves whatever it holds. */
  parts?: readonly Part[];
}

/** A server without a transport: it talks to any number of peers at once, in any served revision. */
export interface Server {
  readonly info: Implementation;
  readonly limits: Limits;
  readonly http: HttpConfig;
  /** How callers over HTTP show who they are. */
  readonly auth: Auth | undefined;
  /** The scopes that anything served needs. */
  readonly scopes: readonly string[];
  /** On whose behalf whoever starts the server calls it. */
  readonly localPrincipal: Principal | undefined;
  /** False for a server that sends nothing but answers. */
  readonly sendsMessages: boolean;
  /**
   * Notifies clients that a list or a resource changed. Clients can subscribe to resources only of a server that has a
   * `notifier`, or whose sources use `resourceUpdated`: only that is announced as a capability.
   */
  readonly notify: Notify;
  /** Makes session ids of what was agreed, where other processes have the keys to open them. */
  readonly sessionSeal: SessionSeal | undefined;
  /** Where an HTTP endpoint has its legacy sessions, if not for itself. */
  readonly httpSessions: Shared["httpSessions"] | undefined;
  /** Tells this process from the others that may serve its sessions; absent where there are none. */
  readonly processId: string | undefined;
  /** The streams of legacy sessions, where other processes go on with them. */
  readonly sharedStreams: SharedStreams | undefined;
  /** Takes the errors that clients do not get to read. */
  readonly onInternalError: InternalErrorReporter;
  /** Takes what happens to the server. */
  readonly log: LogSink;
  /** Has errors that clients do not get to read logged by another sink than `log`. */
  logErrorsBy(sink: LogSink): void;
  /** Takes note of requests that are refused for who makes them. */
  readonly logRefusal: RefusalLog;
  readonly observers: readonly Observer[];
  /** Rejects when what the server shares with others can never be reached, so that it must not start. */
  readonly opened?: Promise<void> | undefined;
  /** The DPoP proofs that were used at any process of this server; absent where there is one alone. */
  readonly usedProofs?: UsedProofs | undefined;
  /** Other processes can know what outlives a request here. */
  readonly isShared: boolean;
  /** Tasks are worked on by way of a queue, and so can be by a process that serves no client. */
  readonly hasTaskQueue: boolean;
  /** Opens the conversation with one peer. */
  connect(peer: Peer, options?: ConnectionOptions): TransportConnection;
  /**
   * Ends subscriptions, closes every connection, with it the calls in progress, and disposes of the handlers' instances
   * that have `Symbol.asyncDispose` or `Symbol.dispose`.
   */
  close(): Promise<void>;
}

const UNUSED_REDIS =
  "TENON_REDIS_URL is set, but this server keeps everything in its own process. Run `npm install @redis/client` and " +
  "build it again, or name the store in src/server.ts: `store: redis()` of @tenon/runtime/redis.";

export interface ServerOptions {
  /** Lets every peer read what handlers throw. For development only: the text may hold paths and secrets. */
  exposeErrors?: boolean;
  /** Receives the errors that clients do not get to read. Default: the log. */
  onInternalError?: InternalErrorReporter;
  /**
   * The keys that protect what clients carry: between the rounds of a call (modern), and from one process to the other
   * in the ids of their sessions (legacy). Comma-separated: the first encrypts, all decrypt. Instances that serve the same
   * clients need the same. Default: `TENON_STATE_KEYS` of the environment, else a key of this process.
   */
  stateKeys?: string;
  /** How this process shares what outlives a request with others, where the configuration names no `store`. */
  store?: Sharing | undefined;
  /** What rate limits go by: milliseconds that never go back, as a test wants them. Default: `performance.now`. */
  now?: () => number;
}

export interface ConnectionOptions {
  /** The peer is the server's author, who gets to read what handlers throw. Default false. */
  isDevelopment?: boolean;
  /** What was agreed where the session was opened in another process. */
  agreement?: Agreement | undefined;
}

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
  const { stateKeys = process.env.TENON_STATE_KEYS, now = monotonic } = options;
  let logError = log;
  const { onInternalError = (report) => logError(logEntryOf(report)) } = options;
  const logRefusal = createRefusalLog(log);
  const reportError = createErrorReporting(options.exposeErrors === true, onInternalError);
  const write = createResultWriter(info);
  const sharing = settings.store ?? (options.store && joinable(options.store));
  const shared = sharing?.join({ name: info.name, log, limits, notifier });
  if (shared === undefined && process.env.TENON_REDIS_URL)
    log({ level: "warn", event: "warning", msg: UNUSED_REDIS });
  const changes = shared?.changes ?? notifier;
  const subscriptions = new Subscriptions(changes, announcedChanges(entries, settings));
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
    refusal,
    inProgress,
  };
  const dispatch = createDispatch(source, parts);

  const sessionSeal = createSessionSeal(stateKeys, info.name, limits.sessionMs);
  const processId = shared?.replica.id ?? (sessionSeal && globalThis.crypto.randomUUID());
  const connect: Server["connect"] = (peer, { isDevelopment = false, agreement } = {}) => {
    const onClose = (): void => {
      connections.delete(connection);
    };
    const connection: Connection = new Connection(dispatcher, { peer, isDevelopment, agreement, onClose });
    connections.add(connection);
    // A conversation about one call alone hears of nothing else.
    if (agreement !== undefined && peer.stream === undefined)
      subscriptions.subscribeToLists(connection.session);
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
    restoreSubscriptions: (session, uris) => subscriptions.restore(session, uris),
    calls,
    logRefusal,
    dispatch: observed(dispatch, settings.observe, (error) => reportError(error, "observer")),
    checkHeaderParameters: createHeaderCheck(entries.tools),
  };
  tasks?.start?.(dispatcher);
  const connections = new Set<Connection>();
  const { lists, updates } = subscriptions.announced;
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
    sessionSeal,
    httpSessions: shared?.httpSessions,
    processId,
    sharedStreams: shared?.streams,
    onInternalError,
    log,
    logErrorsBy: (sink) => {
      logError = sink;
    },
    logRefusal,
    observers: settings.observe,
    opened: tasks?.opened === undefined ? shared?.opened : bothOpened(shared?.opened, tasks.opened),
    usedProofs: shared?.usedProofs,
    isShared: shared !== undefined,
    hasTaskQueue: tasks?.opened !== undefined,
    // Code that has a notifier may always have something to send: at the least, that a user is done at a URL.
    sendsMessages:
      usesContext(entries) ||
      tasks !== undefined ||
      lists.size > 0 ||
      updates ||
      settings.notifier !== undefined,
    connect,
    close: async () => {
      subscriptions.close();
      elicitations.close();
      await tasks?.close();
      for (const connection of connections) connection.finish();
      // What has just been finished is sent before its connection goes.
      await new Promise((resolve) => {
        setTimeout(resolve);
      });
      for (const connection of connections) {
        connection.stop(SHUTTING_DOWN);
        connection.close(SHUTTING_DOWN);
      }
      await disposeOwners(entries.owners, onInternalError);
      await calls?.close();
      await shared?.close();
    },
  };
}

const SHUTTING_DOWN = "The server is shutting down.";

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

/** @param exposeErrors whether every peer gets to read errors, not only in development */
function createErrorReporting(
  exposeErrors: boolean,
  onInternalError: InternalErrorReporter,
): (error: unknown, subject: string, call?: Call) => string {
  return (error, subject, call) => {
    // An expected abort is not reported.
    if (call?.stopped === true && isAbort(error)) return `The ${subject} was stopped.`;
    const report = createReport(subject, error);
    if (call?.notes !== undefined) call.notes.reference = report.reference;
    onInternalError(report);
    const isAuthor = exposeErrors || call?.session.isDevelopment === true;
    if (isAuthor) return debugMessage(error);
    return isTimeout(error) ? timeoutMessage(report) : publicMessage(report);
  };
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === "AbortError" || isTimeout(error));
}

/** True for what `AbortSignal.timeout()` makes of a request of the author's, also where it is the cause of another. */
function isTimeout(error: unknown): boolean {
  return error instanceof Error && (error.name === "TimeoutError" || isTimeoutError(error.cause));
}

function isTimeoutError(error: unknown): boolean {
  return error instanceof Error && error.name === "TimeoutError";
}
