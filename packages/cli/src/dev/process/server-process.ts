import { spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Failure } from "../../terminal/failure.js";
import { HeldResourceError } from "./held-resource.js";
import type { BrokenDeclaration } from "./broken-calls.js";
import type { FromConnection, ToConnections } from "./ipc-connections.js";

/** A process was ended from outside before it served. */
export class KilledProcessError extends Failure {
  constructor() {
    super("The server was ended while it was starting.");
  }
}

/** A process that has loaded the runtime and waits for the server that it will run. */
export interface StandbyProcess {
  /** False once the process has ended, whatever the reason. */
  readonly alive: boolean;
  /**
   * Runs a server, once.
   *
   * @param module absolute path of the module that exports it
   * @param isBeside another version is running meanwhile
   * @throws HeldResourceError when it cannot start beside that one
   * @throws KilledProcessError when the process is ended from outside before it serves
   * @throws Failure when the process ends before it serves: what the user wrote failed while it was loaded
   */
  load(module: string, isBeside?: boolean): Promise<ServerProcess>;
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
  /** Has these answered with their errors, and no others. */
  refuse(broken: readonly BrokenDeclaration[]): void;
  /** Sends something to the clients that talk to the server through this process. */
  send(message: ToConnections): void;
  /** Takes over what the server says to those clients. */
  onMessage(listener: (message: FromConnection) => void): void;
  /** Asks it to finish its calls and leave; after `graceMs` it is made to. */
  stop(graceMs?: number): Promise<void>;
}

/** How a development server is reached. */
export type DevTransport = "http" | "stdio";

export interface ServerProcessOptions {
  /** The project folder, absolute. */
  root: string;
  transport: DevTransport;
  /** Protects what clients of 2026-07-28 carry between the rounds of a call, where the environment names nothing for it. */
  stateKey: string;
  /** Whatever the server prints for people. */
  onOutput(text: string): void;
}

/** A message to the process; the first is the URL of the module that exports the server. */
export type ToHost =
  { load: string; isBeside: boolean } | { broken: readonly BrokenDeclaration[] } | ToConnections;

/** Its messages; the first when it serves, or cannot since the server beside it holds what it needs. */
export type FromHost = { port: number } | { held: string } | FromConnection;

const HOST = fileURLToPath(new URL("./host.js", import.meta.url));
const GRACE_MS = 10_000;

/** Starts a process that waits for its server. It ends when this one does. */
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
  if (!stdin || !stdout || !stderr) throw new TypeError("A process started with pipes has none.");
  let alive = true;
  const exited = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const failed = new Promise<never>((_, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => {
      alive = false;
      // Ctrl-C ends both processes, and this one may hear of the other's end first: only afterwards of its own.
      setImmediate(() =>
        reject(
          code === null
            ? new KilledProcessError()
            : new Failure(`The server stopped while it was starting (exit code ${code}).`),
        ),
      );
    });
  });
  // Reported to whoever loads a server.
  failed.catch(() => {
    alive = false;
  });

  // A process that has ended meanwhile is noticed by its exit.
  const tell = (message: ToHost): void => void (child.connected && child.send(message, () => undefined));
  const stop = async (graceMs = GRACE_MS): Promise<void> => {
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
    async load(module, isBeside = false) {
      // Not before: where the project has no runtime, the compiler explains it better than Node.
      stderr.setEncoding("utf8").on("data", onOutput);
      const ready = new Promise<{ port: number } | { held: string }>((resolve) =>
        child.once("message", resolve),
      );
      tell({ load: pathToFileURL(module).href, isBeside });
      const answer = await Promise.race([ready, failed]);
      if ("held" in answer) throw new HeldResourceError(answer.held);
      const { port } = answer;
      return {
        port,
        input: stdin,
        output: stdout,
        exited,
        refuse: (broken) => tell({ broken }),
        send: tell,
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
