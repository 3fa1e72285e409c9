import { spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { pathToFileURL } from "node:url";
import { Failure } from "../../terminal/failure.js";

/**
 * A process that has loaded the runtime and waits to be told which server to run, so that an edit does not wait
 * for Node to start, and leaves nothing of the version before behind.
 */
export interface Host {
  /** False once the process has ended, whatever the reason. */
  readonly alive: boolean;
  /**
   * Runs a server, once.
   *
   * @param module absolute path of the module that exports it
   * @throws Failure when the process ends before it serves: what the user wrote failed while it was loaded
   */
  load(module: string): Promise<ServerProcess>;
  /** Ends a process that has nothing to finish. */
  stop(): Promise<void>;
}

/** A built server running in a process of its own. */
export interface ServerProcess {
  /** Where it serves HTTP, on 127.0.0.1; 0 when it serves over its pipes. */
  readonly port: number;
  readonly input: Writable;
  readonly output: Readable;
  /** Resolves when the process is gone. */
  readonly exited: Promise<void>;
  /** Asks it to finish its calls and leave; after `graceMs` it is made to. */
  stop(graceMs?: number): Promise<void>;
}

export interface HostOptions {
  /** The module to start with, with the text of `hostModule`. */
  entry: string;
  /** The project folder. */
  cwd: string;
  /** Whatever the server prints for people. */
  onOutput(text: string): void;
}

const GRACE_MS = 10_000;

/** Starts a process that waits. It ends when this one does. */
export function startHost({ entry, cwd, onOutput }: HostOptions): Host {
  const child = spawn(process.execPath, ["--enable-source-maps", entry], {
    cwd,
    stdio: ["pipe", "pipe", "pipe", "ipc"],
    env: { ...process.env, TENON_DEV: "1" },
  });
  const { stdin, stdout, stderr } = child;
  if (!stdin || !stdout || !stderr) throw new TypeError("A process started with pipes has none.");
  stderr.setEncoding("utf8").on("data", onOutput);
  let alive = true;
  const exited = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const failed = new Promise<never>((_, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => {
      const how = code === null ? "" : ` (exit code ${code})`;
      reject(new Failure(`The server stopped while it was starting${how}.`));
    });
  });
  // Who loads something hears of it; a process that nothing was loaded into is replaced.
  failed.catch(() => {
    alive = false;
  });

  const stop = async (graceMs: number): Promise<void> => {
    if (!alive) return exited;
    child.kill("SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), graceMs);
    await exited;
    clearTimeout(timer);
  };
  return {
    get alive() {
      return alive;
    },
    async load(module) {
      const ready = new Promise<{ ready: number }>((resolve) => child.once("message", resolve));
      // A process that has gone meanwhile says so by its exit.
      child.send({ load: pathToFileURL(module).href }, () => undefined);
      const { ready: port } = await Promise.race([ready, failed]);
      return {
        port,
        input: stdin,
        output: stdout,
        exited,
        stop: (graceMs = GRACE_MS) => stop(graceMs),
      };
    },
    stop: () => stop(GRACE_MS),
  };
}
