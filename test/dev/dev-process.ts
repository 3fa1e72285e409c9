import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";

export const program = resolve(import.meta.dirname, "../../packages/cli/bin/tenon.js");

export interface DevProcess {
  readonly pid: number | undefined;
  input: NodeJS.WritableStream;
  output: NodeJS.ReadableStream;
  /** Everything printed for people since the last call of `forget`. */
  log(): string;
  /** Waits until the log matches, and returns the match. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
  forget(): void;
  signal(name: NodeJS.Signals): void;
  /** The exit code. */
  readonly exited: Promise<number | null>;
  /** Ends it in whatever state it is. */
  kill(): void;
}

/** Runs `tenon dev` as a person would. */
export function startDev(cwd: string, ...args: string[]): DevProcess {
  const child = spawn(process.execPath, [program, "dev", ...args], { cwd, stdio: "pipe" });
  let log = "";
  let gone = false;
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    log += text;
  });
  const exited = once(child, "close").then(([code]) => code as number | null);
  child.once("close", () => {
    gone = true;
  });
  return {
    pid: child.pid,
    input: child.stdin,
    output: child.stdout,
    log: () => log,
    async says(pattern) {
      for (;;) {
        const match = pattern.exec(log);
        if (match) return match;
        if (gone) throw new Error(`tenon dev ended without saying ${pattern}:\n${log}`);
        await Promise.race([once(child.stderr, "data"), exited]);
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
