import { Worker } from "node:worker_threads";
import type { FileTree, SourceEdits } from "@tenon/compiler";
import type { Manifest } from "@tenon/runtime/manifest";
import type { ProjectChange } from "../watch.js";

/**
 * A compiler in a thread of its own: calls reach the server while an edit is compiled, and TypeScript's own
 * errors are looked for while what was compiled is bundled and loaded.
 */
export interface CompilerThread {
  /**
   * Compiles the project, or what has changed in it. One at a time.
   *
   * @param change absent to read everything
   */
  compile(change?: ProjectChange): ThreadCompilation;
  close(): Promise<void>;
}

export interface ThreadCompilation {
  /** What can be served, unless TypeScript itself objects; absent when the compiler does. */
  readonly server: Promise<CompiledServer | undefined>;
  readonly verdict: Promise<Verdict>;
}

export interface CompiledServer {
  manifest: Manifest;
  /** What the compiler emitted. */
  modules: FileTree;
  sourceEdits: SourceEdits;
}

/** What there is to say about the project, every diagnostic considered. */
export interface Verdict {
  /** For people. Empty when there is nothing new. */
  text: string;
  /** True when there are errors. */
  refused: boolean;
}

/** How the thread is started. */
export interface ThreadData {
  /** The project folder, absolute. */
  root: string;
  /** Colours in diagnostics. */
  color: boolean;
}

export type ToThread = { compile: ProjectChange | undefined } | { close: true };
export type FromThread = { server: CompiledServer | undefined } | { verdict: Verdict } | { failed: unknown };

export function createCompilerThread(data: ThreadData): CompilerThread {
  let worker: Worker | undefined;
  const started = (): Worker => {
    const fresh = new Worker(new URL("./compiler-worker.js", import.meta.url), { workerData: data });
    fresh.once("exit", () => {
      if (worker === fresh) worker = undefined;
    });
    return fresh;
  };
  const post = (port: Worker, message: ToThread): void => port.postMessage(message);
  // It loads TypeScript while others get ready.
  worker = started();
  return {
    compile(change) {
      // A new thread has nothing to build on.
      const known = worker !== undefined;
      const thread = (worker ??= started());
      const server = answer(thread, (said) => ("server" in said ? [said.server] : undefined));
      const verdict = answer(thread, (said) => ("verdict" in said ? [said.verdict] : undefined));
      // Whoever waits for the first may never come to the second.
      verdict.catch(() => undefined);
      post(thread, { compile: known ? change : undefined });
      return { server, verdict };
    },
    async close() {
      const closing = worker;
      worker = undefined;
      if (!closing) return;
      const gone = new Promise<void>((resolve) => closing.once("exit", () => resolve()));
      post(closing, { close: true });
      await gone;
    },
  };
}

/** The next thing of a kind that a thread says; rejects when the thread fails before. */
function answer<T>(thread: Worker, pick: (said: FromThread) => [T] | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      thread.off("message", onMessage);
      thread.off("error", onError);
    };
    const onError = (error: unknown): void => {
      end();
      reject(error);
    };
    const onMessage = (said: FromThread): void => {
      if ("failed" in said) {
        onError(said.failed);
        return;
      }
      const picked = pick(said);
      if (!picked) return;
      end();
      resolve(picked[0]);
    };
    thread.on("message", onMessage);
    thread.on("error", onError);
  });
}
