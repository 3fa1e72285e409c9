import { rmSync } from "node:fs";
import { join } from "node:path";
import { createCompiler, writeFileTree, type Compiler, type Diagnostic } from "@tenon/compiler";
import type { Manifest } from "@tenon/runtime/manifest";
import { createBundler } from "../bundle.js";
import { reportFailure } from "../report-failure.js";
import { printDiagnostics } from "../print-diagnostics.js";
import type { Sink } from "../terminal.js";
import { devEntry, type DevTransport } from "./dev-entry.js";
import { manifestDiff, type Change } from "./manifest-diff.js";
import { startServerProcess, type ServerProcess } from "./server-process.js";
import { watchProject, type ProjectChange } from "./watch-project.js";

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
  const folder = join(root, ".tenon", "dev");
  rmSync(folder, { recursive: true, force: true });

  const bundler = await createBundler({
    root,
    outDir: join(folder, "0"),
    entries: [devEntry.name],
    // They are where they were, and each edit would copy them and each start read them.
    sourcesContent: false,
    color: sink.color,
  });
  let compiler: Compiler | undefined;
  let current: { server: ServerProcess; manifest: Manifest } | undefined;
  let count = 0;
  let closing = false;
  let warned = new Set<string>();
  const running = new Set<Promise<void>>();

  const start = async (manifest: Manifest, started: number, module: string): Promise<void> => {
    const startedAt = performance.now();
    const server = await startServerProcess({ module, cwd: root, onOutput: (text) => sink.write(text) });
    const previous = current;
    const changes = previous ? manifestDiff(previous.manifest, manifest) : [];
    current = { server, manifest };
    options.swap(server, changes);
    if (previous) log.swapped(changes, performance.now() - started);
    else log.started(manifest, performance.now() - started);
    follow(server, async () => {
      if (closing || options.isEnding() || current?.server !== server) return;
      current = undefined;
      options.drop(server);
      const restarting = performance.now() - startedAt > RESTART_AFTER_MS;
      log.crashed(restarting);
      if (restarting) await attempt(() => start(manifest, performance.now(), module));
    });
    if (previous) follow(previous.server, () => undefined, previous.server.stop());
  };

  /** Remembers what is still going on, so that closing can wait for it. */
  const follow = (
    server: ServerProcess,
    afterwards: () => Promise<void> | undefined,
    work: Promise<void> = server.exited,
  ): void => {
    const task: Promise<void> = work.then(afterwards).finally(() => running.delete(task));
    running.add(task);
  };

  /** Errors are in the way and told every time; a warning is told until it has been told. */
  const notYetSaid = (diagnostics: readonly Diagnostic[]): Diagnostic[] => {
    const fresh = diagnostics.filter((each) => each.severity === "error" || !warned.has(warningKey(each)));
    warned = new Set(diagnostics.map(warningKey));
    return fresh;
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
    if (!compiler || change?.settings) compiler = createCompiler({ root });
    else compiler.refresh(change?.files ?? []);
    const { manifest, files, insertions, diagnostics } = compiler.compile();
    printDiagnostics(sink, notYetSaid(diagnostics));
    if (!manifest || !files) {
      log.refused(current !== undefined);
      return;
    }
    count += 1;
    const outDir = join(folder, String(count));
    writeFileTree(
      await bundler.bundle(
        new Map([...files, [devEntry.name, devEntry.text(options.transport)]]),
        insertions,
      ),
      outDir,
    );
    await start(manifest, started, join(outDir, devEntry.name));
    // Two generations are kept: the one before may still be loading a part of itself.
    if (count > 2) rmSync(join(folder, String(count - 2)), { recursive: true, force: true });
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
      await bundler.dispose();
      await current?.server.stop();
      await Promise.all(running);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Tells warnings apart wherever the edit has moved them. */
function warningKey({ code, message, span }: Diagnostic): string {
  return JSON.stringify([code, message, span?.file]);
}
