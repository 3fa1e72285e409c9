/**
 * What an emitted server does with its command line.
 * @module
 */
import type { LogSink } from "./api/log.js";
import type { ServeFlags } from "./command-line.js";
import { createReport, logEntryOf } from "./connection/internal-errors.js";
import { writeStderr } from "./log/stderr-write.js";
import { createPlacedErrorLog } from "./log/placed-errors.js";
import { withTimeout } from "./transports/with-timeout.js";
import type { Server } from "./server.js";
import { serveStdio } from "./transports/stdio/stdio.js";
import type { ServingWorker } from "./workers/worker.js";

const OPEN_TO_ALL =
  "this address can be reached from other machines, and the server asks nobody who they are. " +
  "Say who may call, by `auth` in src/server.ts, or listen on 127.0.0.1 behind something that does.";

const NO_STORE =
  "--workers needs a `store` in src/server.ts, through which the processes share sessions, tasks and limits: " +
  "`store: workers()`, of @tenon/runtime/workers, is enough on one machine. Then build again.";

const NO_QUEUE =
  "--tasks-only needs a queue, `tasks` in src/server.ts, and a tool with tasks. " +
  "`tasks: bullmq(…)` of @tenon/runtime/bullmq is one.";

/** So often, in milliseconds, does a process wake up that has nothing else to wait for. */
const KEPT_MS = 3_600_000;

/** What a server that has used up its time still has to say which disposal has not ended, in milliseconds. */
const LAST_WORDS_MS = 100;

/**
 * Serves until told to stop, then ends the process: over stdio when `argv` is empty, over Streamable HTTP with
 * `--http`. Exit codes: 0 when stopped or when stdin ended, 1 when the port cannot be used, 2 for a usage error.
 *
 * @param argv What follows the script's name on the command line.
 * @param worker With `--workers`, what this process is among the others.
 */
export async function serve(server: Server, argv: readonly string[], worker?: ServingWorker): Promise<void> {
  // Clients start servers without any flag, and then nothing has to be loaded to read them.
  const flags = argv.length === 0 ? {} : await readFlags(server, argv, worker);
  if (server.opened !== undefined) await server.opened.catch(cannotStart);
  const errors = createPlacedErrorLog(server.log);
  server.logErrorsBy(errors.log);
  surviveStrayErrors(errors.log);
  const countdown = createCountdown();
  const isHeard = flags.tasksOnly === true || (flags.http === true && (worker?.number ?? 1) === 1);
  if (flags.http === true) await overHttp(server, flags, countdown, worker);
  else await (flags.tasksOnly === true ? onTasks(server, countdown) : overStdio(server, countdown));
  await withTimeout(countdown.left() + LAST_WORDS_MS, server.close(countdown.left()));
  // A rejection that nobody handles is told at the end of a turn.
  await new Promise(setImmediate);
  await errors.written();
  tell(server, "stopped", "has stopped", isHeard);
  process.exit(0);
}

/** The flags that this server can be started with; ends the process where it cannot. */
async function readFlags(
  server: Server,
  argv: readonly string[],
  worker: ServingWorker | undefined,
): Promise<ServeFlags> {
  const { readCommandLine, refuseCommandLine } = await import("./command-line.js");
  const flags = readCommandLine(argv, server.info);
  // Where there may be a store, the first process has started the workers before it would have loaded any of this.
  const isWorker = worker !== undefined && server.isShared;
  if (flags.workers === true && !isWorker) refuseCommandLine(NO_STORE);
  if (flags.tasksOnly === true && !server.hasTaskQueue) refuseCommandLine(NO_QUEUE);
  return flags;
}

/** The time that is left to stop. */
interface Countdown {
  /** The server is told to stop, and has so many milliseconds. What it is told later changes nothing. */
  begin(ms: number): void;
  left(): number;
}

function createCountdown(): Countdown {
  let until: number | undefined;
  return {
    begin: (ms) => {
      until ??= performance.now() + ms;
    },
    left: () => (until === undefined ? 0 : Math.max(0, until - performance.now())),
  };
}

/**
 * An error that no call waits for, such as one thrown in a timer of one handler, must not end the calls of
 * everybody else.
 */
function surviveStrayErrors(log: LogSink): void {
  const report = (error: unknown): void => log(logEntryOf(createReport("background work", error)));
  process.on("unhandledRejection", report);
  process.on("uncaughtException", report);
}

/**
 * Logs what the server does. Over stdio that is only for its author: clients show stderr as if it were errors. What all
 * workers do, one of them says.
 */
function tell({ info: { name, version }, log }: Server, event: string, does: string, isHeard = false): void {
  log({ level: isHeard ? "info" : "debug", event, msg: `${name} ${version} ${does}` });
}

async function overStdio(server: Server, countdown: Countdown): Promise<void> {
  const { drainMs, stdinDrainMs } = server.limits;
  const transport = serveStdio(server);
  for (const event of ["end", "close", "error"]) {
    process.stdin.once(event, () => countdown.begin(stdinDrainMs));
  }
  if (process.stdin.isTTY) {
    writeStderr(
      `${server.info.name} waits for MCP messages on stdin. See --help for other ways to run it.\n`,
    );
  }
  onStopSignal((signal) => {
    tell(server, "stopping", `stops: ${signal}`);
    countdown.begin(drainMs);
    void transport.close();
  });
  tell(server, "serving", "serves MCP over stdio");
  await transport.closed;
  // Nothing of the above has happened when it was stdout that failed.
  countdown.begin(stdinDrainMs);
}

/** Works on what is queued, which began as the server was made. */
async function onTasks(server: Server, countdown: Countdown): Promise<void> {
  const stops = await Promise.all(server.observers.map((each) => each.start?.()));
  const stopped = new Promise<void>((resolve) => {
    onStopSignal((signal) => {
      tell(server, "stopping", `stops: ${signal}`, true);
      countdown.begin(server.limits.drainMs);
      resolve();
    });
  });
  tell(server, "working", "works on tasks", true);
  // A queue need not keep the process.
  const kept = setInterval(() => {}, KEPT_MS);
  await stopped;
  clearInterval(kept);
  await Promise.all(stops.map((stop) => stop?.()));
}

async function overHttp(
  server: Server,
  flags: ServeFlags,
  countdown: Countdown,
  worker: ServingWorker | undefined,
): Promise<void> {
  const isHeard = (worker?.number ?? 1) === 1;
  const { listen, ListenError } = await import("./transports/http/node/node-server.js");
  const { isLoopback } = await import("./transports/http/host-and-origin.js");
  try {
    const stops = await Promise.all(server.observers.map((each) => each.start?.()));
    const listener = await listen(server, flags);
    const { shutdownDelayMs = 0 } = server.http.health || {};
    const stopsWithinMs = shutdownDelayMs + server.limits.drainMs;
    let stop = (_signal: string): void => {};
    // Whoever waits for the address to be announced may stop the server as soon as it is.
    const stopped = new Promise<void>((resolve) => {
      stop = (signal) => {
        tell(server, "stopping", `stops: ${signal}`, isHeard);
        countdown.begin(stopsWithinMs);
        void listener.close().then(resolve);
      };
    });
    const replaces = worker === undefined ? onStopSignal(stop) : await worker.join(stopsWithinMs, stop);
    if (replaces === undefined) {
      tell(server, "listening", `listens on ${listener.url}`, isHeard);
      if (isHeard && isOpenToAll(server) && !isLoopback(flags.host ?? "127.0.0.1")) {
        server.log({ level: "warn", event: "warning", msg: OPEN_TO_ALL });
      }
    } else {
      const msg = `${server.info.name}: worker ${process.pid} replaces ${replaces}`;
      server.log({ level: "warn", event: "worker-replaced", msg });
    }
    await stopped;
    await Promise.all(stops.map((stop) => stop?.()));
  } catch (error) {
    if (error instanceof ListenError) {
      server.log({ level: "fatal", event: "not-listening", msg: error.message });
      process.exit(1);
    }
    await cannotStart(error);
  }
}

async function cannotStart(error: unknown): Promise<never> {
  const { failToStart } = await import("./start-failure.js");
  return failToStart(error, import.meta.url);
}

/** True where nobody asks callers who they are. */
function isOpenToAll({ auth, http }: Server): boolean {
  return auth === undefined && http.principal === undefined;
}

/** The first signal asks to finish calls in progress; a second one does not wait for them. */
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
