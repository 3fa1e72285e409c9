/**
 * Runs an emitted server as its command line specifies.
 * @module
 */
import { isLoopback } from "./data/options/host-and-origin-values.js";
import type { LogSink } from "./api/log.js";
import type { ServeFlags } from "./command-line.js";
import { createReport } from "./data/results/internal-error.js";
import { createInternalErrorEntry } from "./observe/log/internal-error-entry.js";
import { exitWhenWritten, writeStderr } from "./observe/log/stderr-write.js";
import { createSourceMappedLog } from "./observe/log/source-mapped-errors.js";
import { withTimeout } from "./transports/with-timeout.js";
import type { Server } from "./server.js";
import { serveStdio } from "./transports/stdio/stdio.js";

const EXPOSED =
  "Configure `auth` in src/server.ts, or listen on 127.0.0.1 behind a proxy that authenticates callers. " +
  "To serve everyone, start it with --allow-anonymous or TENON_ALLOW_ANONYMOUS=true.";

const LOCAL_SCOPES =
  "To give the user scopes, set `stdio: { principal: { subject, scopes } }` in src/server.ts.";

const NO_STORE =
  "--workers needs a `store` in src/server.ts to share sessions, tasks, and limits. " +
  "On one machine, use `store: workers()` from @tenon/runtime/workers.";

const NO_QUEUE =
  "--tasks-only needs a tool with tasks, and a queue in src/server.ts, " +
  "such as `tasks: bullmq(…)` from @tenon/runtime/bullmq.";

/** The interval of a timer that keeps the process alive, in milliseconds. */
const KEEP_ALIVE_INTERVAL_MS = 3_600_000;

/** The time in which a server whose drain timeout has passed can still report unfinished disposals, in milliseconds. */
const FINAL_REPORT_MS = 100;

/** A worker process of `--workers` that is about to serve. */
export interface ServingWorker {
  /** The number of the worker, starting at 1. The first worker logs on behalf of all. */
  readonly number: number;
  /**
   * Reports to the parent process that this one is serving, and listens for its request to stop.
   *
   * Signals stop a worker too, but repeated signals do nothing more: Ctrl-C and service managers signal all processes
   * of a group, and the parent process decides what a second signal means.
   *
   * @param stopsWithinMs the maximum time that stopping takes
   * @param stop called once
   * @returns the worker that this one replaces, if any, such as `"worker 4711, which was killed by SIGKILL"`
   */
  join(stopsWithinMs: number, stop: (signal: string) => void): Promise<string | undefined>;
  /** Logs a warning for what several workers cannot serve. */
  check(server: Server, options: { readonly sse?: boolean | undefined }): void;
}

/**
 * Serves until a signal or the end of stdin, then ends the process. Uses stdio if `argv` is empty, and Streamable HTTP
 * with `--http`. Exit codes: 0 after a normal stop, 1 if the port cannot be used, 2 for a usage error.
 *
 * @param argv the arguments after the script's name
 * @param worker this process among the workers, with `--workers`
 */
export async function serve(server: Server, argv: readonly string[], worker?: ServingWorker): Promise<void> {
  // Clients usually start servers without flags, which do not need the parser.
  const flags = argv.length === 0 ? {} : await readFlags(server, argv, worker);
  if (server.opened !== undefined) await server.opened.catch(reportStartFailure);
  const errors = createSourceMappedLog(server.log);
  server.logErrorsTo(errors.log);
  surviveStrayErrors(errors.log);
  const countdown = createCountdown();
  const isLogged = flags.tasksOnly === true || (flags.http === true && (worker?.number ?? 1) === 1);
  if (flags.http === true) await serveOverHttp(server, flags, countdown, worker);
  else await (flags.tasksOnly === true ? runTasks(server, countdown) : serveOverStdio(server, countdown));
  await withTimeout(countdown.getRemainingMs() + FINAL_REPORT_MS, server.close(countdown.getRemainingMs()));
  // Node reports unhandled rejections at the end of a turn.
  await new Promise(setImmediate);
  await errors.whenWritten();
  logEvent(server, "stopped", "has stopped", isLogged);
  await exitWhenWritten(0);
}

/** Reads the flags, and ends the process if this server does not support them. */
async function readFlags(
  server: Server,
  argv: readonly string[],
  worker: ServingWorker | undefined,
): Promise<ServeFlags> {
  const { readCommandLine, rejectCommandLine } = await import("./command-line.js");
  const flags = readCommandLine(argv, server.info);
  // If a store may be configured, the primary process starts workers before it would load this module.
  const isWorker = worker !== undefined && server.isShared;
  if (flags.workers === true && !isWorker) rejectCommandLine(NO_STORE);
  if (flags.tasksOnly === true && !server.hasTaskQueue) rejectCommandLine(NO_QUEUE);
  return flags;
}

/** The time in which the server must stop. */
interface Countdown {
  /** Starts the countdown when the server is to stop. Further calls have no effect. */
  begin(ms: number): void;
  /** Returns the remaining time in milliseconds; 0 before the start. */
  getRemainingMs(): number;
}

function createCountdown(): Countdown {
  let until: number | undefined;
  return {
    begin: (ms) => {
      until ??= performance.now() + ms;
    },
    getRemainingMs: () => (until === undefined ? 0 : Math.max(0, until - performance.now())),
  };
}

/**
 * Logs errors outside calls, such as one thrown in a timer, instead of ending the process and all other calls.
 *
 * @returns a function that lets such errors end the process again
 */
export function surviveStrayErrors(log: LogSink): () => void {
  const report = (error: unknown): void =>
    log(createInternalErrorEntry(createReport("background work", error)));
  process.on("unhandledRejection", report);
  process.on("uncaughtException", report);
  return () => {
    process.off("unhandledRejection", report);
    process.off("uncaughtException", report);
  };
}

/**
 * Logs an event of the server. `isLogged` is false over stdio, since clients show stderr as errors, and in all workers
 * but the first.
 */
function logEvent(
  { info: { name, version }, log }: Server,
  event: string,
  does: string,
  isLogged = false,
): void {
  log({ level: isLogged ? "info" : "debug", event, msg: `${name} ${version} ${does}` });
}

async function serveOverStdio(server: Server, countdown: Countdown): Promise<void> {
  const { drainTimeoutMs, stdinDrainTimeoutMs } = server.limits;
  const transport = serveStdio(server);
  for (const event of ["end", "close", "error"]) {
    process.stdin.once(event, () => countdown.begin(stdinDrainTimeoutMs));
  }
  if (process.stdin.isTTY) {
    writeStderr(
      `${server.info.name} waits for MCP messages on stdin. See --help for other ways to run it.\n`,
    );
  }
  onStopSignal((signal) => {
    logEvent(server, "stopping", `stops: ${signal}`);
    countdown.begin(drainTimeoutMs);
    void transport.close();
  });
  logEvent(server, "serving", "serves MCP over stdio");
  if (server.scopes.length > 0 && (server.localPrincipal?.scopes ?? []).length === 0) {
    const names = server.scopes.map((each) => `\`${each}\``).join(" or ");
    const msg = `over stdio, the caller has no scopes, so calls that need ${names} are rejected. ${LOCAL_SCOPES}`;
    server.log({ level: "warn", event: "access", msg });
  }
  await transport.closed;
  // If stdout failed, the countdown has not begun.
  countdown.begin(stdinDrainTimeoutMs);
}

/** Runs queued tasks. The queue started when the server was created. */
async function runTasks(server: Server, countdown: Countdown): Promise<void> {
  const stopObservers = await startObservers(server, countdown);
  const stopped = new Promise<void>((resolve) => {
    onStopSignal((signal) => {
      logEvent(server, "stopping", `stops: ${signal}`, true);
      countdown.begin(server.limits.drainTimeoutMs);
      resolve();
    });
  });
  logEvent(server, "working", "works on tasks", true);
  // A queue does not necessarily keep the process alive.
  const keepAlive = setInterval(() => {}, KEEP_ALIVE_INTERVAL_MS);
  await stopped;
  clearInterval(keepAlive);
  await stopObservers();
}

/** Starts the observers. Returns a function that stops them in the remaining time, and logs what fails. */
async function startObservers(
  { observers, log }: Server,
  countdown: Countdown,
): Promise<() => Promise<unknown>> {
  const stops = await Promise.all(observers.map((each) => each.start?.()));
  const stop = async (each: (() => Promise<void>) | undefined): Promise<void> => {
    try {
      // The other half is for the author's instances.
      if (each && !(await withTimeout(countdown.getRemainingMs() / 2, each())))
        throw new Error("It took too long.");
    } catch (error) {
      log(createInternalErrorEntry(createReport("stop of an observer", error)));
    }
  };
  return () => Promise.all(stops.map(stop));
}

async function serveOverHttp(
  server: Server,
  flags: ServeFlags,
  countdown: Countdown,
  worker: ServingWorker | undefined,
): Promise<void> {
  const isLogged = (worker?.number ?? 1) === 1;
  const { listen, ListenError } = await import("./transports/http/node/node-server.js");
  const { allowAnonymous = false, http: _http, workers: _workers, tasksOnly: _tasksOnly, ...options } = flags;
  const { host = "127.0.0.1" } = options;
  const isLocal = isLoopback(host);
  try {
    if (isOpenToAll(server) && !isLocal && !allowAnonymous)
      await failToListen(
        server,
        `Other machines can reach ${host}, and ${describeAccess(server)}. ${EXPOSED}`,
      );
    const stopObservers = await startObservers(server, countdown);
    const listener = await listen(server, options);
    const { shutdownDelayMs = 0 } = server.http.health || {};
    const stopsWithinMs = shutdownDelayMs + server.limits.drainTimeoutMs;
    let stop = (_signal: string): void => {};
    // A program that waits for the address may stop the server as soon as it is announced.
    const stopped = new Promise<void>((resolve) => {
      stop = (signal) => {
        logEvent(server, "stopping", `stops: ${signal}`, isLogged);
        countdown.begin(stopsWithinMs);
        void listener.close().finally(resolve);
      };
    });
    const replaces = worker === undefined ? onStopSignal(stop) : await worker.join(stopsWithinMs, stop);
    if (replaces === undefined) {
      logEvent(server, "listening", `listens on ${listener.url}`, isLogged);
      if (isLogged) {
        logAccess(server, isLocal);
        worker?.check(server, options);
      }
    } else {
      const msg = `${server.info.name}: worker ${process.pid} replaces ${replaces}`;
      server.log({ level: "warn", event: "worker-replaced", msg });
    }
    await stopped;
    await stopObservers();
  } catch (error) {
    if (error instanceof ListenError) await failToListen(server, error.message);
    await reportStartFailure(error);
  }
}

function failToListen({ log }: Server, msg: string): Promise<never> {
  log({ level: "fatal", event: "listen-failed", msg });
  return exitWhenWritten(1);
}

async function reportStartFailure(error: unknown): Promise<never> {
  const { failToStart } = await import("./start-failure.js");
  return failToStart(error, import.meta.url);
}

/** Logs how the server identifies its callers, with a warning if it accepts anyone and that may be unintended. */
function logAccess(server: Server, isLocal: boolean): void {
  const isOpen = isOpenToAll(server);
  const reach = isLocal ? "only programs on this machine can connect" : "anyone who can reach it may call it";
  const msg = `${describeAccess(server)}${isOpen ? `: ${reach}` : ""}`;
  const isExpected = !isOpen || (isLocal && !server.declaresAuth);
  if (isExpected) server.log({ level: "info", event: "access", msg: `${server.info.name}: ${msg}` });
  else server.log({ level: "warn", event: "access", msg });
  server.auth?.logProblems?.(server.scopes, server.log);
}

/** Describes how a server identifies its callers over HTTP, and why. */
function describeAccess({ auth, http, declaresAuth }: Server): string {
  if (auth !== undefined) return `callers authenticate with ${auth.summary ?? "`auth` in src/server.ts"}`;
  if (http.principal !== undefined) return "callers are identified by `http.principal`";
  return `callers are not authenticated, since ${
    declaresAuth ? "`auth` in src/server.ts is undefined in this environment" : "src/server.ts has no `auth`"
  }`;
}

/** Returns whether the server accepts callers without authentication. */
function isOpenToAll({ auth, http }: Server): boolean {
  return auth === undefined && http.principal === undefined;
}

/** Handles stop signals: the first lets calls in progress finish, and the second ends the process. */
function onStopSignal(stop: (signal: string) => void): undefined {
  let stopping = false;
  const onSignal = (signal: string): void => {
    if (stopping) process.exit(1);
    stopping = true;
    stop(signal);
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
}
