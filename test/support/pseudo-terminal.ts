import { spawn } from "node:child_process";
import { once } from "node:events";
import { stripVTControlCharacters } from "node:util";

/** A program in its own terminal, as a person would run it. */
export interface PseudoTerminal {
  /** Returns the output so far, without colors and cursor movements. */
  screen(): string;
  /** Returns the output with colors and cursor movements. */
  raw(): string;
  /** Waits until the screen matches. */
  waitForScreen(pattern: RegExp): Promise<void>;
  type(text: string): void;
  /** The exit code. */
  readonly exited: Promise<number>;
  /** Stops the program, whatever its state. */
  kill(): void;
}

export interface PseudoTerminalOptions {
  cwd: string;
  columns?: number;
  env?: NodeJS.ProcessEnv;
}

export const CTRL_C = "\x03";

/** Runs a program in a pseudo-terminal, which `script` of util-linux creates. */
export function pseudoTerminal(
  program: string,
  args: readonly string[],
  { cwd, columns = 100, env = process.env }: PseudoTerminalOptions,
): PseudoTerminal {
  const command = [program, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
  const child = spawn("script", ["-qec", `stty cols ${columns} rows 40 && exec ${command}`, "/dev/null"], {
    cwd,
    env: { ...env, TERM: "xterm", CI: undefined, NO_COLOR: undefined, FORCE_COLOR: undefined },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let text = "";
  let hasExited = false;
  child.stdout.setEncoding("utf8").on("data", (more: string) => {
    text += more;
  });
  const exited = once(child, "close").then(([code]) => {
    hasExited = true;
    return (code as number | null) ?? -1;
  });
  const screen = (): string => stripVTControlCharacters(text).replaceAll("\r\n", "\n");
  return {
    screen,
    raw: () => text,
    async waitForScreen(pattern) {
      while (!pattern.test(screen())) {
        if (hasExited) throw new Error(`The program ended without showing ${pattern}:\n${screen()}`);
        await Promise.race([once(child.stdout, "data"), exited]);
      }
    },
    type: (typed) => void child.stdin.write(typed),
    exited,
    kill: () => child.kill("SIGKILL"),
  };
}
