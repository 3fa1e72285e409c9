import type { Manifest } from "@tenon/runtime/manifest";
import { reportFailure } from "../terminal/report-failure.js";
import type { Sink } from "../terminal/terminal.js";
import { createCompilerThread } from "./compile/compiler-thread.js";
import type { DevTransport } from "./process/host-module.js";
import { manifestDiff, type Change } from "./manifest-diff.js";
import type { ServerProcess } from "./process/server-process.js";
import { watchProject, type ProjectChange } from "./watch.js";
import { createWorkshop } from "./builds.js";

export interface DevServerOptions {
  /** The project folder, absolute. */
  root: string;
  transport: DevTransport;
  /** Hands over to a new server. The one before is stopped afterwards. */
  swap(next: ServerProcess, changes: readonly Change[]): void;
  /** The server is gone and there is none to take its place. Not asked when that is as it should be. */
  drop(server: ServerProcess): void;
  /** True when a server that ends does so because its client has left. */
  isEnding(): boolean;
  log: DevLog;
  /** Where diagnostics and the server's own output go. */
  sink: Sink;
}

/** What a person following along wants to know. */
export interface DevLog {
  /** The first server of this run. */
  started(manifest: Manifest, ms: number): void;
  changed(files: readonly string[]): void;
  swapped(changes: readonly Change[], ms: number): void;
  /** There were errors. `serving` says whether an older server is still there. */
  refused(serving: boolean): void;
  crashed(restarting: boolean): void;
}

export interface DevServer {
  close(): Promise<void>;
}

/** A server that ends sooner than this would only end again. */
const RESTART_AFTER_MS = 2000;

/**
 * Compiles, bundles and starts the project, and does so again after every change. A version that cannot be
 * built or started never replaces one that serves.
 */
export async function startDevServer(options: DevServerOptions): Promise<DevServer> {
  const { root, log, sink } = options;
  const workshop = createWorkshop({
    root,
    transport: options.transport,
    onOutput: (text) => sink.write(text),
    color: sink.color,
  });
  const compiler = createCompilerThread({ root, color: sink.color });
  let current: { server: ServerProcess; manifest: Manifest; module: string } | undefined;
  let closing = false;
  const running = new Set<Promise<void>>();

  const serve = async (
    manifest: Manifest,
    started: number,
    module: string,
    next = workshop.start(module),
  ): Promise<void> => {
    const server = await next;
    const servingSince = performance.now();
    const previous = current;
    const changes = previous ? manifestDiff(previous.manifest, manifest) : [];
    current = { server, manifest, module };
    options.swap(server, changes);
    if (previous) log.swapped(changes, performance.now() - started);
    else log.started(manifest, performance.now() - started);
    follow(
      server.exited.then(async () => {
        if (closing || options.isEnding() || current?.server !== server) return;
        current = undefined;
        options.drop(server);
        const restarting = performance.now() - servingSince > RESTART_AFTER_MS;
        log.crashed(restarting);
        if (restarting) await attempt(() => serve(manifest, performance.now(), module));
      }),
    );
    if (previous) follow(previous.server.stop().then(() => workshop.discard(previous.module)));
  };

  /** Remembers what is still going on, so that closing can wait for it. */
  const follow = (work: Promise<void>): void => {
    const task: Promise<void> = work.finally(() => running.delete(task));
    running.add(task);
  };

  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      reportFailure(error, { err: sink });
      log.refused(current !== undefined);
    }
  };

  const build = async (change?: ProjectChange): Promise<void> => {
    const started = performance.now();
    const opened = workshop.isOpen && !change?.settings ? undefined : workshop.open();
    // Why it cannot be opened is told only when the compiler has nothing to say about it.
    opened?.catch(() => undefined);
    const compilation = compiler.compile(change);
    /** True when there are errors; whatever there is has been told then. */
    const refuse = async (): Promise<boolean> => {
      const { text, refused } = await compilation.verdict;
      sink.write(text);
      if (refused) log.refused(current !== undefined);
      return refused;
    };
    const compiled = await compilation.server;
    if (!compiled) {
      await refuse();
      return;
    }
    const { manifest, modules, sourceEdits } = compiled;
    let module: string;
    try {
      await opened;
      module = await workshop.make(modules, sourceEdits);
    } catch (error) {
      // What is no TypeScript cannot be bundled either, and the compiler tells it better.
      if (await refuse()) return;
      throw error;
    }
    const next = workshop.start(module);
    next.catch(() => undefined);
    if (!(await refuse())) {
      await serve(manifest, started, module, next);
      return;
    }
    const unused = next.then((server) => server.stop()).catch(() => undefined);
    follow(unused.then(() => workshop.discard(module)));
  };

  // Watching begins first, so that no edit falls between reading the sources and watching them.
  let first: Promise<void> | undefined;
  const watcher = await watchProject(root, async (change) => {
    await first;
    log.changed(change.files);
    await attempt(() => build(change));
  });
  first = attempt(() => build());
  await first;
  return {
    async close() {
      closing = true;
      await watcher.close();
      await current?.server.stop();
      await Promise.all(running);
      await Promise.all([workshop.close(), compiler.close()]);
    },
  };
}
