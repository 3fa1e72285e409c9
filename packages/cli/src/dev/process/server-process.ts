import { spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Failure } from "../../terminal/failure.js";
import { ResourceConflictError } from "./resource-conflict.js";
import type { FailedDeclaration } from "./failed-calls.js";
import type { FromConnection, ToConnections } from "./ipc-connections.js";

/** Thrown when a process is terminated from outside before it serves. */
export class KilledProcessError extends Failure {
  constructor() {
    super("The server was terminated while it was starting.");
  }
}

/** A process that has loaded the runtime and waits for its server. */
export interface StandbyProcess {
  /** Whether the process is still running. */
  readonly isAlive: boolean;
  /**
   * Runs a server. Call it only once.
   *
   * @param module the absolute path of the module that exports it
   * @param hasPredecessor whether another version is running
   * @throws ResourceConflictError if it cannot start while the other version runs
   * @throws KilledProcessError if the process is terminated from outside before it serves
   * @throws Failure if the process ends before it serves, because the user's code failed while it was loaded
   */
  load(module: string, hasPredecessor?: boolean): Promise<ServerProcess>;
  /** Ends a process that has not started a server. */
  stop(): Promise<void>;
}

/** A built server in its own process. */
export interface ServerProcess {
  /** The HTTP port on 127.0.0.1; 0 if it serves over its pipes. */
  readonly port: number;
  readonly input: Writable;
  readonly output: Readable;
  /** Resolves when the process has ended. */
  readonly exited: Promise<void>;
  /** Replaces the failed declarations, whose calls return errors. */
  setFailed(failed: readonly FailedDeclaration[]): void;
  /** Sends a message to the connections through this process. */
  send(message: ToConnections): void;
  /** Sets the listener for messages that the server sends to those connections. */
  onMessage(listener: (message: FromConnection) => void): void;
  /** Asks the process to finish its calls and exit. Kills it after `timeoutMs`. */
  stop(timeoutMs?: number): Promise<void>;
}

/** The transport of a dev server. */
export type DevTransport = "http" | "stdio";

/** The options of a server process. */
export interface ServerProcessOptions {
  /** The project folder, absolute. */
  root: string;
  transport: DevTransport;
  /** The key for `requestState`, unless the environment sets one. */
  stateKey: string;
  /** Receives the output of the server. */
  onOutput(text: string): void;
}

/** A message to the process. The first names the module that exports the server. */
export type ToHost =
  | { load: string; hasPredecessor: boolean }
  | { failed: readonly FailedDeclaration[] }
  | { stop: true }
  | ToConnections;

/** A message from the process. The first reports that the server is ready, or a resource conflict. */
export type FromHost = { port: number } | { conflict: string } | FromConnection;

const HOST = fileURLToPath(new URL("./host.js", import.meta.url));
const STOP_TIMEOUT_MS = 10_000;

/** Delay before reporting that SIGINT ended a server, since Ctrl-C usually ends this process as well. */
const INTERRUPTION_DELAY_MS = 500;

/** Starts a process that waits for its server, and ends when this process ends. */
export function startStandbyProcess({
  root,
  transport,
  stateKey,
  onOutput,
}: ServerProcessOptions): StandbyProcess {
  const child = spawn(process.execPath, ["--enable-source-maps", HOST, transport, root], {
    cwd: root,
    stdio: ["pipe", "pipe", "pipe", "ipc"],
    env: { TENON_STATE_KEYS: stateKey, ...process.env },
  });
  const { stdin, stdout, stderr } = child;
  if (!stdin || !stdout || !stderr) throw new TypeError("The process has no pipes.");
  let isAlive = true;
  const exited = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const failed = new Promise<never>((_, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      isAlive = false;
      const failure =
        code === null
          ? new KilledProcessError()
          : new Failure(`The server stopped while it was starting (exit code ${code}).`);
      // Ctrl-C sends SIGINT to both processes, and this one may receive it later.
      setTimeout(() => reject(failure), signal === "SIGINT" ? INTERRUPTION_DELAY_MS : 0);
    });
  });
  // `load` reports this error.
  failed.catch(() => {
    isAlive = false;
  });

  // If the process has ended, its exit event reports it.
  const sendMessage = (message: ToHost): void =>
    void (child.connected && child.send(message, () => undefined));
  const stop = async (timeoutMs = STOP_TIMEOUT_MS): Promise<void> => {
    if (!isAlive) return exited;
    // On Windows, a signal would end it before it has finished its calls.
    if (child.connected) sendMessage({ stop: true });
    else child.kill("SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), timeoutMs);
    await exited;
    clearTimeout(timer);
  };
  return {
    get isAlive() {
      return isAlive;
    },
    async load(module, hasPredecessor = false) {
      // Earlier output is not forwarded: if the project has no runtime, the compiler explains it better than Node.
      stderr.setEncoding("utf8").on("data", onOutput);
      const ready = new Promise<{ port: number } | { conflict: string }>((resolve) =>
        child.once("message", resolve),
      );
      sendMessage({ load: pathToFileURL(module).href, hasPredecessor });
      const report = await Promise.race([ready, failed]);
      if ("conflict" in report) throw new ResourceConflictError(report.conflict);
      const { port } = report;
      return {
        port,
        input: stdin,
        output: stdout,
        exited,
        setFailed: (failed) => sendMessage({ failed }),
        send: sendMessage,
        onMessage: (listener) => void child.on("message", listener),
        stop,
      };
    },
    async stop() {
      child.kill("SIGKILL");
      await failed.catch(() => undefined);
    },
  };
}
