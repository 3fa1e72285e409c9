import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Compilation, Diagnostic } from "@tenon/compiler";
import type { Manifest } from "@tenon/runtime/manifest";
import { formatErrors, hasErrors } from "../terminal/print-diagnostics.js";
import { reportFailure } from "../terminal/report-failure.js";
import type { Sink } from "../terminal/terminal.js";
import {
  type FailedDeclarations,
  findFailedDeclarations,
  hasNoWorkingEntries,
  areAllListed,
  hasOnlySkillErrors,
  NO_FAILURES,
} from "./failed-declarations.js";
import { createDevBuilds, type DevBuild } from "./builds.js";
import { startCommandService } from "./command-service.js";
import { createDiagnosticsReport } from "./diagnostics-report.js";
import { createDevCompiler } from "./dev-compiler.js";
import type { DevLog } from "./log.js";
import { findVisibleChanges } from "./diff/visible-changes.js";
import { ResourceConflictError } from "./process/resource-conflict.js";
import { startStandbyProcess, type DevTransport, type ServerProcess } from "./process/server-process.js";
import { createStandby } from "./process/standby-process.js";
import type { DevProxy } from "./proxy/dev-proxy.js";
import { emitWithViews } from "../project/emit-with-views.js";
import { writeServerTypes } from "../project/server-types.js";
import { watchProject, type ProjectChange } from "./watch.js";

/** The options of a dev server. */
export interface DevServerOptions {
  /** The project folder, absolute. */
  root: string;
  transport: DevTransport;
  proxy: DevProxy<ServerProcess>;
  log: DevLog;
  /** Receives diagnostics and the output of the server. */
  sink: Sink;
  /** Aborted when the dev server stops. Ctrl-C also ends the bundler and the servers, whose failures are then not reported. */
  signal: AbortSignal;
  /** Observers of builds and errors. */
  observers?: readonly DevObserver[];
}

/** An observer of builds and errors. */
export interface DevObserver {
  /** Receives the version that clients now reach. */
  onServed(version: Version): void;
  /** Receives the problem of an edit that cannot be served. @param failed the failed declarations of the current server */
  onRejected?(problem: string, failed: FailedDeclarations): void;
}

/** A running dev server. */
export interface DevServer {
  close(): Promise<void>;
}

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

/** Minimum lifetime of a crashed server that is restarted. A server that crashed sooner would probably crash again. */
const MIN_RESTART_LIFETIME_MS = 2000;

/** Maximum time that a replaced server has to finish its calls. */
const MAX_DRAIN_MS = 300_000;

/** Maximum number of repeated reads when files change while they are read. */
const MAX_READS = 3;

/** Time within which the watcher notices a change. */
const MAX_NOTICE_MS = 300;
/** Interval at which the watcher is checked for the change. */
const NOTICE_INTERVAL_MS = 10;

const NO_SERVER = "The server is not running. `tenon dev` starts it when the errors are fixed.";

/**
 * Compiles, bundles, and starts the project, and repeats this after every change. A version that cannot be built or started
 * never replaces one that serves.
 */
export async function startDevServer(options: DevServerOptions): Promise<DevServer> {
  const { root, transport, proxy, log, observers = [], sink, signal } = options;
  const builds = createDevBuilds({ root, color: sink.color });
  const printDiagnostics = createDiagnosticsReport(sink);
  const compiler = createDevCompiler(root);
  let current: Version | undefined;
  /** The server that ends before the next one starts. */
  let stopped: Version | undefined;
  /** Whether a change waits for the end of the first build. */
  let isChangeWaiting = false;
  const pending = new Set<Promise<void>>();
  const emptiedBefore = new Set<string>();

  // All versions share the key, so that the next one accepts answers to requests of the previous one.
  const stateKey = randomBytes(32).toString("base64");
  const standby = createStandby(() =>
    startStandbyProcess({ root, transport, stateKey, onOutput: (text) => sink.write(text) }),
  );
  const closed = new AbortController();
  const stopping = AbortSignal.any([signal, closed.signal]);
  stopping.addEventListener("abort", () => log.idle());

  /** Tracks a pending operation, so that `close` can wait for it. */
  const track = (work: Promise<void>): void => {
    const task: Promise<void> = work.finally(() => pending.delete(task));
    pending.add(task);
  };

  /** Reports a problem, also to clients if they have no server. */
  const reject = async (problem: string, failed = NO_FAILURES): Promise<void> => {
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

  /** Shows the current step, unless the dev server is stopping. */
  const step = (label: string): void => {
    if (!stopping.aborted) log.step(label);
  };

  /** Returns whether sources have changed since they were compiled, so that only the next build can report their problems. */
  const isRebuildDue = async (): Promise<boolean> => {
    for (let ms = 0; ms < MAX_NOTICE_MS && compiler.isOutdated(); ms += NOTICE_INTERVAL_MS) {
      if (isChangeWaiting || watcher.hasChanges) return true;
      await setTimeout(NOTICE_INTERVAL_MS);
    }
    return false;
  };

  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      const isOutdated = !stopping.aborted && (await isRebuildDue());
      if (stopping.aborted || isOutdated) return;
      reportFailure(error, { err: sink });
      await reject(error instanceof Error ? error.message : String(error));
    }
  };

  /** Discards everything that was created with earlier settings and packages. */
  const reset = async (): Promise<void> => {
    compiler.reset();
    await Promise.all([builds.reset(), standby.close()]);
  };

  const compile = (change?: ProjectChange, attempt = 1): Compilation => {
    const since = Date.now();
    const { compilation } = compiler.compile();
    if (attempt < MAX_READS && change?.isOutdated()) return compile(change, attempt + 1);
    const pages = (compilation.views ?? []).filter(({ kind }) => kind === "html");
    const paths = pages.map(({ path }) => join(root, path));
    watcher.follow(compilation.findOutsideFiles?.() ?? [], since, paths);
    return compilation;
  };

  /**
   * Prints the diagnostics. If the current server stays, clients receive the errors from it.
   *
   * @param isBuilt whether there is a new server
   * @param viewDiagnostics the diagnostics about built views
   * @returns the failed declarations of the next server, or undefined if it must not be served
   */
  const accept = async (
    compilation: Compilation,
    isBuilt: boolean,
    viewDiagnostics: readonly Diagnostic[],
  ): Promise<FailedDeclarations | undefined> => {
    const diagnostics = [...viewDiagnostics, ...(await compilation.typeCheck())];
    if (stopping.aborted) return undefined;
    printDiagnostics(diagnostics);
    if (!hasErrors(diagnostics)) return NO_FAILURES;
    const failed = findFailedDeclarations(compilation, diagnostics, current?.manifest);
    if (isBuilt && failed.isComplete && !hasNoWorkingEntries(failed, compilation.manifest)) return failed;
    await reject(formatErrors(diagnostics), failed);
    return undefined;
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

  /**
   * Starts a server after the running one has ended, because both need the same resource. Clients wait. If it cannot start,
   * the previous one is started again.
   */
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

  const buildAndServe = async (change?: ProjectChange): Promise<void> => {
    const started = performance.now();
    if (change?.settings) await reset();
    const build = builds.next();
    const standbyProcess = standby.take();
    let isServing = false;
    try {
      step("Compiling");
      const compilation = compile(change);
      const { manifest, locate, findMemoryState, emit, emitOthers, sourceEdits } = compilation;
      // A declaration without a schema cannot be listed, so the server that still lists it stays.
      const canServeOthers = current !== undefined && areAllListed(current.failed, current.manifest);
      // A skill is not called, so the new tools are served without it.
      const keepsServer = canServeOthers && !hasOnlySkillErrors(compilation.diagnostics);
      const {
        modules,
        diagnostics,
        manifest: served = manifest,
      } = await emitWithViews(compilation, emit ?? (keepsServer ? undefined : emitOthers), root, {
        color: sink.color,
      });
      step("Bundling");
      try {
        if (modules) await build.write(modules, sourceEdits);
      } catch (error) {
        // Invalid syntax also fails in the bundler, but the compiler explains it better.
        if (await accept(compilation, false, diagnostics)) throw error;
        return;
      }
      // The server loads while types are checked.
      const loading = modules && standbyProcess.load(build.module, current !== undefined);
      loading?.catch(() => undefined);
      step("Checking types");
      const failed = await accept(compilation, modules !== undefined, diagnostics);
      if (!failed || !served || !loading) return;
      step("Starting the server");
      const server = await loading.catch((error: unknown) => {
        if (!(error instanceof ResourceConflictError) || !current) throw error;
        return startAfter(current, build, error.code);
      });
      if (stopping.aborted) return track(server.stop());
      writeServerTypes(served, root);
      serve({ manifest: served, locate, findMemoryState, build, server, failed }, started);
      isServing = true;
    } finally {
      log.idle();
      if (!isServing) track(standbyProcess.stop().then(() => build.remove()));
      if (!stopping.aborted) standby.prepare();
    }
  };

  const service = await startCommandService({ root, compile: compiler.compile });
  // Watching starts first, so that no edit is missed while the sources are read.
  let first: Promise<void> | undefined;
  const watcher = await watchProject(root, async (change) => {
    isChangeWaiting = true;
    await first;
    isChangeWaiting = false;
    log.changed(change.files);
    await attempt(() => buildAndServe(change));
  });
  first = attempt(() => buildAndServe());
  await first;
  return {
    async close() {
      closed.abort();
      await watcher.close();
      await current?.server.stop();
      await Promise.all(pending);
      await Promise.all([standby.close(), builds.close(), service.close()]);
    },
  };
}
