import { randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { createCompiler, type Compilation, type Compiler } from "@tenon/compiler";
import type { Manifest } from "@tenon/runtime/manifest";
import { errorsText, hasErrors, printDiagnostics } from "../terminal/print-diagnostics.js";
import { reportFailure } from "../terminal/report-failure.js";
import type { Sink } from "../terminal/terminal.js";
import { type Broken, brokenBy, isEverything, isEverythingListed, NOTHING_BROKEN } from "./broken.js";
import { createDevBuilds, type DevBuild } from "./builds.js";
import type { DevLog } from "./log.js";
import { manifestDiff } from "./diff/manifest-diff.js";
import { createNewDiagnosticsFilter } from "./new-diagnostics.js";
import { HeldResourceError } from "./process/held-resource.js";
import { startStandbyProcess, type DevTransport, type ServerProcess } from "./process/server-process.js";
import { createStandby } from "./process/standby-process.js";
import type { DevProxy } from "./proxy/dev-proxy.js";
import { writeServerTypes } from "../project/server-types.js";
import { watchProject, type ProjectChange } from "./watch.js";

export interface DevServerOptions {
  /** The project folder, absolute. */
  root: string;
  transport: DevTransport;
  proxy: DevProxy<ServerProcess>;
  log: DevLog;
  /** Where diagnostics and the server's own output go. */
  sink: Sink;
  /** Aborted when everything is to stop. The same Ctrl-C ends the bundler and the servers, which is no news then. */
  signal: AbortSignal;
  /** Told what becomes of the sources. */
  observers?: readonly DevObserver[];
}

/** Who watches what becomes of the sources. */
export interface DevObserver {
  /** Clients reach this version from now on. */
  served(version: Version): void;
  /** The last edit cannot be served. @param broken what the server that stays answers with errors now */
  refused?(problem: string, broken: Broken): void;
}

export interface DevServer {
  close(): Promise<void>;
}

/** The server that clients reach. */
export interface Version {
  manifest: Manifest;
  locate: Compilation["locate"];
  build: DevBuild;
  server: ServerProcess;
  /** What its sources have errors in. */
  broken: Broken;
}

/** A server that ends sooner than this would only end again. */
const RESTART_AFTER_MS = 2000;

/** So long a server that was replaced is kept for calls that it has begun. */
const LONGEST_CALL_MS = 300_000;

/** A file that changes while it is read may be read by half. One that changes all the time is not waited for. */
const MOST_READS = 3;

const NO_SERVER = "The server is not running. `tenon dev` starts it as soon as what is wrong is corrected.";

/**
 * Compiles, bundles and starts the project, and does so again after every change. A version that cannot be
 * built or started never replaces one that serves.
 */
export async function startDevServer(options: DevServerOptions): Promise<DevServer> {
  const { root, transport, proxy, log, observers = [], sink, signal } = options;
  const builds = createDevBuilds({ root, color: sink.color });
  const onlyNew = createNewDiagnosticsFilter();
  let compiler: Compiler | undefined;
  let current: Version | undefined;
  /** One that ends for the next one to start. */
  let leaving: Version | undefined;
  const pending = new Set<Promise<void>>();

  // Every version has the same, so that an answer is taken by the one after that which asked.
  const stateKey = randomBytes(32).toString("base64");
  const standby = createStandby(() =>
    startStandbyProcess({ root, transport, stateKey, onOutput: (text) => sink.write(text) }),
  );
  const closed = new AbortController();
  const stopping = AbortSignal.any([signal, closed.signal]);
  stopping.addEventListener("abort", () => log.idle());

  /** Remembers what is still going on, so that closing can wait for it. */
  const follow = (work: Promise<void>): void => {
    const task: Promise<void> = work.finally(() => pending.delete(task));
    pending.add(task);
  };

  /** Says what is wrong, to clients as well while they have no server. */
  const refuse = async (problem: string, broken = NOTHING_BROKEN): Promise<void> => {
    log.refused(current !== undefined, broken.names);
    for (const observer of observers) observer.refused?.(problem, broken);
    if (current) current.server.refuse(broken.declarations);
    else await proxy.explain(`${NO_SERVER}\n\n${problem}`);
  };

  /** Nothing is shown any more of what ends unfinished. */
  const step = (label: string): void => {
    if (!stopping.aborted) log.step(label);
  };

  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (stopping.aborted) return;
      reportFailure(error, { err: sink });
      await refuse(error instanceof Error ? error.message : String(error));
    }
  };

  /** Gives up what was made with the settings, and the packages, as they were. */
  const reset = async (): Promise<void> => {
    compiler = undefined;
    await Promise.all([builds.reset(), standby.close()]);
  };

  const compile = (change?: ProjectChange, attempt = 1): Compilation => {
    if (compiler && change) compiler.refresh(change.files);
    compiler ??= createCompiler({ root, typeCheck: false });
    const since = Date.now();
    const compilation = compiler.compile();
    if (attempt < MOST_READS && change?.isOutdated()) return compile(change, attempt + 1);
    watcher.follow(compilation.filesBeside?.() ?? [], since);
    return compilation;
  };

  /**
   * Prints what is new about a compilation, and tells clients what of it has errors where the server that they reach stays.
   *
   * @param isBuilt there is a server to take its place
   * @returns what the next server answers with errors; undefined when it must not be served
   */
  const accept = async (compilation: Compilation, isBuilt: boolean): Promise<Broken | undefined> => {
    const diagnostics = await compilation.checked();
    if (stopping.aborted) return undefined;
    printDiagnostics(sink, onlyNew(diagnostics));
    if (!hasErrors(diagnostics)) return NOTHING_BROKEN;
    const broken = brokenBy(compilation, diagnostics, current?.manifest);
    if (isBuilt && broken.isAll && !isEverything(broken, compilation.manifest)) return broken;
    await refuse(errorsText(diagnostics), broken);
    return undefined;
  };

  const serve = (next: Version, started: number): void => {
    const previous = current;
    const changes = previous ? manifestDiff(previous.manifest, next.manifest) : [];
    current = next;
    next.server.refuse(next.broken.declarations);
    proxy.swap(next.server, changes);
    for (const observer of observers) observer.served(next);
    const ms = performance.now() - started;
    if (previous) log.swapped(changes, ms, next.broken.names);
    else log.started(next.manifest, ms, next.broken.names);
    follow(restartWhenGone(next, performance.now()));
    if (previous) follow(retire(previous));
  };

  /** Lets a server that was replaced finish what it has begun, and ends it. */
  const retire = async ({ server, build }: Version): Promise<void> => {
    await finish(server);
    build.remove();
  };

  const finish = async (server: ServerProcess): Promise<void> => {
    const ended = new AbortController();
    const enough = setTimeout(LONGEST_CALL_MS, undefined, {
      signal: AbortSignal.any([stopping, ended.signal]),
      ref: false,
    });
    await Promise.race([proxy.settled(server), enough.catch(() => undefined)]);
    ended.abort();
    await server.stop();
  };

  /**
   * Starts a server that cannot start beside the one that is running, once that has ended; clients wait meanwhile. Where
   * it cannot start then either, the one before is started again.
   */
  const startAfter = async (holder: Version, build: DevBuild, code: string): Promise<ServerProcess> => {
    log.makingRoom(code);
    leaving = holder;
    proxy.hold();
    await finish(holder.server);
    try {
      return await standby.take().load(build.module);
    } catch (error) {
      if (stopping.aborted) throw error;
      current = undefined;
      const again = { ...holder, server: await standby.take().load(holder.build.module) };
      current = again;
      again.server.refuse(again.broken.declarations);
      proxy.swap(again.server, []);
      follow(restartWhenGone(again, performance.now()));
      throw error;
    } finally {
      leaving = undefined;
    }
  };

  const restartWhenGone = async (version: Version, servingSince: number): Promise<void> => {
    await version.server.exited;
    if (stopping.aborted || proxy.ended || current !== version || leaving === version) return;
    current = undefined;
    proxy.drop(version.server);
    const started = performance.now();
    const restarting = started - servingSince > RESTART_AFTER_MS;
    log.crashed(restarting);
    if (!restarting) {
      const problem = "It stopped unexpectedly, and starts again after the next change.";
      for (const observer of observers) observer.refused?.(problem, NOTHING_BROKEN);
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
      const { manifest, locate, emit, emitOthers, sourceEdits } = compilation;
      // What has no schema cannot be listed; a server that lists it, as it was, is better.
      const isWhole = current !== undefined && isEverythingListed(current.broken, current.manifest);
      const modules = await (emit ?? (isWhole ? undefined : emitOthers))?.();
      step("Bundling");
      try {
        if (modules) await build.write(modules, sourceEdits);
      } catch (error) {
        // What is no TypeScript cannot be bundled either, and the compiler explains it better.
        if (await accept(compilation, false)) throw error;
        return;
      }
      // The server is loaded while types are checked.
      const loading = modules && standbyProcess.load(build.module, current !== undefined);
      loading?.catch(() => undefined);
      step("Checking types");
      const broken = await accept(compilation, modules !== undefined);
      if (!broken || !manifest || !loading) return;
      step("Starting the server");
      const server = await loading.catch((error: unknown) => {
        if (!(error instanceof HeldResourceError) || !current) throw error;
        return startAfter(current, build, error.code);
      });
      if (stopping.aborted) return follow(server.stop());
      writeServerTypes(manifest, root);
      serve({ manifest, locate, build, server, broken }, started);
      isServing = true;
    } finally {
      log.idle();
      if (!isServing) follow(standbyProcess.stop().then(() => build.remove()));
      if (!stopping.aborted) standby.prepare();
    }
  };

  // Watching begins first, so that no edit falls between reading the sources and watching them.
  let first: Promise<void> | undefined;
  const watcher = await watchProject(root, async (change) => {
    await first;
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
      await Promise.all([standby.close(), builds.close()]);
    },
  };
}
