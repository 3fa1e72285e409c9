import { spawn, type ChildProcess } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { Failure } from "../failure.js";

/** A built server running in a process of its own, so that an edit leaves nothing of the version before behind. */
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

export interface StartOptions {
  /** The module to run. It sends `{ ready: port }` to its parent once it serves. */
  module: string;
  /** The project folder. */
  cwd: string;
  /** Whatever the server prints for people. */
  onOutput(text: string): void;
}

const GRACE_MS = 10_000;

/** @throws Failure when the process ends before it serves: what the user wrote failed while it was loaded */
export function startServerProcess({ module, cwd, onOutput }: StartOptions): Promise<ServerProcess> {
  const child = spawn(process.execPath, ["--enable-source-maps", module], {
    cwd,
    stdio: ["pipe", "pipe", "pipe", "ipc"],
    env: { ...process.env, TENON_DEV: "1" },
  });
  const { stdin, stdout, stderr } = child;
  if (!stdin || !stdout || !stderr) throw new TypeError("A process started with pipes has none.");
  stderr.setEncoding("utf8").on("data", onOutput);
  const exited = new Promise<void>((resolve) => child.once("close", () => resolve()));

  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => {
      reject(
        new Failure(
          `The server stopped while it was starting${code === null ? "" : ` (exit code ${code})`}.`,
        ),
      );
    };
    child.once("exit", onExit);
    child.once("error", reject);
    child.once("message", (message: { ready: number }) => {
      child.off("exit", onExit);
      resolve({
        port: message.ready,
        input: stdin,
        output: stdout,
        exited,
        stop: (graceMs = GRACE_MS) => stop(child, exited, graceMs),
      });
    });
  });
}

async function stop(child: ChildProcess, exited: Promise<void>, graceMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return exited;
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), graceMs);
  await exited;
  clearTimeout(timer);
}
