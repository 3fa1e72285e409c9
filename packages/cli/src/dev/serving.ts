import { setTimeout } from "node:timers/promises";
import type { Compilation } from "@tenon/compiler";
import type { Manifest } from "@tenon/runtime/manifest";
import type { DevBuild } from "./builds.js";
import { findVisibleChanges } from "./diff/visible-changes.js";
import { type FailedDeclarations, NO_FAILURES, withEarlierFailures } from "./failed-declarations.js";
import type { DevLog } from "./log.js";
import type { Standby } from "./process/standby-process.js";
import type { ServerProcess } from "./process/server-process.js";
import type { DevProxy } from "./proxy/dev-proxy.js";

/** The server that clients reach. */
export interface Version {
  manifest: Manifest;
  locate: Compilation["locate"];
  findMemoryState: Compilation["findMemoryState"];
  build: DevBuild;
  server: ServerProcess;
  /** The declarations whose sources have errors. */
  failed: FailedDeclarations;
}

/** An observer of builds and errors. */
export interface DevObserver {
  /** Receives the version that clients now reach. */
  onServed(version: Version): void;
  /**
   * Receives the problem of an edit that cannot be served.
   *
   * @param failed the failed declarations of the current server
   */
  onRejected?(problem: string, failed: FailedDeclarations): void;
}

/** Minimum lifetime of a crashed server that is restarted. A server that crashed sooner would probably crash again. */
const MIN_RESTART_LIFETIME_MS = 2000;

/** Maximum time that a replaced server has to finish its calls. */
const MAX_DRAIN_MS = 300_000;

const NO_SERVER = "The server is not running. `tenon dev` starts it when the errors are fixed.";

/** The options of `createServing`. */
export interface ServingOptions {
  proxy: DevProxy<ServerProcess>;
  log: DevLog;
  observers: readonly DevObserver[];
  standby: Standby;
  /** Aborted when the dev server stops. */
  stopping: AbortSignal;
  /** Runs work, and reports its failure unless the next build reports it. */
  attempt(work: () => Promise<void>): Promise<void>;
}

/** The version that clients reach, and those that it replaces. */
export interface Serving {
  /** Absent while no version can be served. */
  readonly current: Version | undefined;
  /**
   * Lets clients reach the next version.
   *
   * @param started when its build started, by `performance.now()`
   */
  serve(next: Version, started: number): void;
  /**
   * Starts a server after the running one has ended, because both need the same resource. Clients wait. If it cannot
   * start, the previous one is started again.
   *
   * @throws Error if the server cannot start
   */
  startAfter(holder: Version, build: DevBuild, code: string): Promise<ServerProcess>;
  /**
   * Reports a problem, also to clients if they have no server.
   *
   * @param failed the declarations with errors
   */
  reject(problem: string, failed?: FailedDeclarations): Promise<void>;
  /** Tracks a pending operation, for which `close` waits. */
  track(work: Promise<void>): void;
  /** Stops the current server, and waits until the previous ones have ended. */
  close(): Promise<void>;
}

/** Keeps track of the version that clients reach. Restarts a server that crashes, unless it crashed immediately after its start. */
export function createServing(options: ServingOptions): Serving {
  const { proxy, log, observers, standby, stopping, attempt } = options;
  let current: Version | undefined;
  /** The server that ends before the next one starts. */
  let stopped: Version | undefined;
  const pending = new Set<Promise<void>>();
  const emptiedBefore = new Set<string>();

  const track = (work: Promise<void>): void => {
    const task: Promise<void> = work.finally(() => pending.delete(task));
    pending.add(task);
  };

  const reject = async (problem: string, found = NO_FAILURES): Promise<void> => {
    const failed = current ? withEarlierFailures(found, current.failed, problem) : found;
    log.rejected(current !== undefined, failed.names);
    for (const observer of observers) observer.onRejected?.(problem, failed);
    if (current) current.server.setFailed(failed.declarations);
    else await proxy.explain(`${NO_SERVER}\n\n${problem}`);
  };

  /** Returns the names of the state that is lost with a version, except for those that were reported before. */
  const findEmptied = ({ findMemoryState }: Version): string[] => {
    const names = (findMemoryState?.() ?? []).filter((name) => !emptiedBefore.has(name));
    for (const name of names) emptiedBefore.add(name);
    return names;
  };

  const serve = (next: Version, started: number): void => {
    const previous = current;
    const changes = previous ? findVisibleChanges(previous.manifest, next.manifest) : [];
    current = next;
    next.server.setFailed(next.failed.declarations);
    proxy.swap(next.server, changes);
    for (const observer of observers) observer.onServed(next);
    const ms = performance.now() - started;
    if (previous) log.reloaded({ changes, ms, failed: next.failed.names, emptied: findEmptied(previous) });
    else log.started(next.manifest, ms, next.failed.names);
    track(restartAfterCrash(next, performance.now()));
    if (previous) track(retire(previous));
  };

  /** Ends a replaced server after it has finished its calls. */
  const retire = async ({ server, build }: Version): Promise<void> => {
    await finish(server);
    build.remove();
  };

  const finish = async (server: ServerProcess): Promise<void> => {
    const ended = new AbortController();
    const timeout = setTimeout(MAX_DRAIN_MS, undefined, {
      signal: AbortSignal.any([stopping, ended.signal]),
      ref: false,
    });
    await Promise.race([proxy.waitForCalls(server), timeout.catch(() => undefined)]);
    ended.abort();
    await server.stop();
  };

  const startAfter = async (holder: Version, build: DevBuild, code: string): Promise<ServerProcess> => {
    log.resourceConflict(code);
    stopped = holder;
    proxy.pause();
    await finish(holder.server);
    try {
      return await standby.take().load(build.module);
    } catch (error) {
      if (stopping.aborted) throw error;
      current = undefined;
      const restarted = { ...holder, server: await standby.take().load(holder.build.module) };
      current = restarted;
      restarted.server.setFailed(restarted.failed.declarations);
      proxy.swap(restarted.server, []);
      track(restartAfterCrash(restarted, performance.now()));
      throw error;
    } finally {
      stopped = undefined;
    }
  };

  const restartAfterCrash = async (version: Version, servingSince: number): Promise<void> => {
    await version.server.exited;
    if (stopping.aborted || proxy.hasEnded || current !== version || stopped === version) return;
    current = undefined;
    proxy.drop(version.server);
    const started = performance.now();
    const isRestarting = started - servingSince > MIN_RESTART_LIFETIME_MS;
    log.crashed(isRestarting);
    if (!isRestarting) {
      const problem = "It stopped unexpectedly and restarts after the next change.";
      for (const observer of observers) observer.onRejected?.(problem, NO_FAILURES);
      await proxy.explain(`${NO_SERVER}\n\n${problem}`);
      return;
    }
    await attempt(async () => {
      serve({ ...version, server: await standby.take().load(version.build.module) }, started);
      standby.prepare();
    });
  };

  return {
    get current() {
      return current;
    },
    serve,
    startAfter,
    reject,
    track,
    async close() {
      await current?.server.stop();
      await Promise.all(pending);
    },
  };
}
