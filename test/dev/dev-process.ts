import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { setTimeout } from "node:timers/promises";

export const program = resolve(import.meta.dirname, "../../packages/cli/bin/tenon.js");

export interface DevProcess {
  readonly pid: number | undefined;
  input: NodeJS.WritableStream;
  output: NodeJS.ReadableStream;
  /** Returns everything that was printed since the last call of `forget`. */
  log(): string;
  /** Waits until the log matches, and returns the match. Fails with the log after a minute. */
  waitForOutput(pattern: RegExp): Promise<RegExpExecArray>;
  forget(): void;
  signal(name: NodeJS.Signals): void;
  /** The exit code. */
  readonly exited: Promise<number | null>;
  /** Stops the process, whatever its state. */
  kill(): void;
}

/** The time limit for a message. Builds on a busy machine are slow. */
const MESSAGE_TIMEOUT_MS = 60_000;

/** Runs `tenon dev` as in a terminal. */
export function startDev(cwd: string, ...args: string[]): DevProcess {
  const child = spawn(process.execPath, [program, "dev", ...args], { cwd, stdio: "pipe" });
  let log = "";
  let hasExited = false;
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    log += text;
  });
  const exited = once(child, "close").then(([code]) => code as number | null);
  child.once("close", () => {
    hasExited = true;
  });
  return {
    pid: child.pid,
    input: child.stdin,
    output: child.stdout,
    log: () => log,
    async waitForOutput(pattern) {
      const deadline = Date.now() + MESSAGE_TIMEOUT_MS;
      for (;;) {
        const match = pattern.exec(log);
        if (match) return match;
        if (hasExited) throw new Error(`tenon dev ended without printing ${pattern}:\n${log}`);
        const remainingMs = deadline - Date.now();
        if (remainingMs <= 0) throw new Error(`tenon dev has not printed ${pattern}:\n${log}`);
        await Promise.race([
          once(child.stderr, "data"),
          exited,
          setTimeout(remainingMs, undefined, { ref: false }),
        ]);
      }
    },
    forget: () => {
      log = "";
    },
    signal: (name) => child.kill(name),
    exited,
    kill: () => child.kill("SIGKILL"),
  };
}
