import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Compilation, Diagnostic } from "@tenon/compiler";
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
import { createDevBuilds } from "./builds.js";
import { startCommandService } from "./command-service.js";
import { createDiagnosticsReport } from "./diagnostics-report.js";
import { createDevCompiler } from "./dev-compiler.js";
import type { DevLog } from "./log.js";
import { ResourceConflictError } from "./process/resource-conflict.js";
import { startStandbyProcess, type DevTransport, type ServerProcess } from "./process/server-process.js";
import { createStandby } from "./process/standby-process.js";
import type { DevProxy } from "./proxy/dev-proxy.js";
import { emitWithViews } from "../project/emit-with-views.js";
import { writeServerTypes } from "../project/server-types.js";
import { endSlowStart } from "./slow-start.js";
import { createServing, type DevObserver } from "./serving.js";
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

/** A running dev server. */
export interface DevServer {
  close(): Promise<void>;
}

/** Maximum number of repeated reads when files change while they are read. */
const MAX_READS = 3;

/** Time within which the watcher notices a change. */
const MAX_NOTICE_MS = 300;
/** Interval at which the watcher is checked for the change. */
const NOTICE_INTERVAL_MS = 10;

/**
 * Compiles, bundles, and starts the project, and repeats this after every change. A version that cannot be built or started
 * never replaces one that serves.
 */
export async function startDevServer(options: DevServerOptions): Promise<DevServer> {
  const { root, transport, proxy, log, observers = [], sink, signal } = options;
  const builds = createDevBuilds({ root, color: sink.color });
  const printDiagnostics = createDiagnosticsReport(sink);
  const compiler = createDevCompiler(root);
  /** Whether a change waits for the end of the first build. */
  let isChangeWaiting = false;

  // All versions share the key, so that the next one accepts answers to requests of the previous one.
  const stateKey = randomBytes(32).toString("base64");
  const standby = createStandby(() =>
    startStandbyProcess({ root, transport, stateKey, onOutput: (text) => sink.write(text) }),
  );
  const closed = new AbortController();
  const stopping = AbortSignal.any([signal, closed.signal]);
  stopping.addEventListener("abort", () => {
    log.idle();
    void standby.endStarting();
  });

  /** Shows the current step, unless the dev server is stopping. */
  const step = (label: string): void => {
    if (!stopping.aborted) log.step(label);
  };

  /** Returns whether a change waits for the end of the current build. */
  const hasChanges = (): boolean => isChangeWaiting || watcher.hasChanges;

  /** Returns whether sources have changed since they were compiled, so that only the next build can report their problems. */
  const isRebuildDue = async (): Promise<boolean> => {
    for (let ms = 0; ms < MAX_NOTICE_MS && compiler.isOutdated(); ms += NOTICE_INTERVAL_MS) {
      if (hasChanges()) return true;
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
      await serving.reject(error instanceof Error ? error.message : String(error));
    }
  };

  const serving = createServing({ proxy, log, observers, standby, stopping, attempt });

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
   * Prints the diagnostics. If the current server keeps running, clients receive the errors from it.
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
    const failed = findFailedDeclarations(compilation, diagnostics, serving.current?.manifest);
    if (isBuilt && failed.isComplete && !hasNoWorkingEntries(failed, compilation.manifest)) return failed;
    await serving.reject(formatErrors(diagnostics), failed);
    return undefined;
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
      // A declaration without a schema cannot be listed, so the server that still lists it keeps running.
      const { current } = serving;
      const canServeOthers = current !== undefined && areAllListed(current.failed, current.manifest);
      // No call would return the errors of a skill, so the new tools are served without it.
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
      const loading = modules && standbyProcess.load(build.module, serving.current !== undefined);
      loading?.catch(() => undefined);
      step("Checking types");
      const failed = await accept(compilation, modules !== undefined, diagnostics);
      if (!failed || !served || !loading) return;
      step("Starting the server");
      const start = loading.catch((error: unknown) => {
        const holder = serving.current;
        if (!(error instanceof ResourceConflictError) || !holder) throw error;
        return serving.startAfter(holder, build, error.code);
      });
      const server = await endSlowStart(start, hasChanges, standby.endStarting, log.starting);
      if (stopping.aborted) return serving.track(server.stop());
      writeServerTypes(served, root);
      serving.serve({ manifest: served, locate, findMemoryState, build, server, failed }, started);
      isServing = true;
    } finally {
      log.idle();
      if (!isServing) serving.track(standbyProcess.stop().then(() => build.remove()));
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
      await serving.close();
      await Promise.all([standby.close(), builds.close(), service.close()]);
    },
  };
}
