/** A module of tools that write to stdout and stderr, and fail, in every way there is. */
export const NOISY_SOURCE = `
import { Console } from "node:console";
import { once } from "node:events";
import { writeSync } from "node:fs";
import { Tool } from "@tenon/runtime";

const { stdout, stderr } = process;
const released = once(process, "SIGUSR2");
const MANY = "x".repeat(1_000_000);

if (process.env["LOUD"] !== undefined) {
  stderr.write("loading\\n");
  stdout.write("still loading\\n");
  // What cannot be written fails before anything is served.
  await new Promise((resolve) => setImmediate(resolve));
}

const WAYS = {
  throw: () => {
    throw new Error("thrown by a handler");
  },
  stray: () => {
    setTimeout(() => {
      throw new Error("thrown in a timer");
    });
    void Promise.reject(new Error("rejected by nobody"));
  },
  console: () => {
    for (const method of ["log", "info", "debug", "warn", "error", "trace", "dir", "table"] as const) {
      console[method](["of the console"]);
    }
  },
  strictConsole: () => new Console({ stdout, stderr, ignoreErrors: false }).log("of a separate console"),
  stdout: () => void stdout.write("on stdout\\n"),
  stderr: () => void stderr.write("on stderr\\n"),
  descriptor: () => void writeSync(2, MANY),
  lateDescriptor: () => void setTimeout(() => writeSync(2, MANY)),
  unguarded: () => {
    stderr.removeAllListeners("error");
    stderr.write("on stderr, whatever comes of it\\n");
  },
  inAGetter: () => {
    throw Object.defineProperty(new Error(), "stack", { get: () => WAYS.throw() });
  },
  inACircle: () => {
    const error = new Error("thrown in a circle");
    error.cause = error;
    throw error;
  },
};

const EVERY = ["stray", "console", "strictConsole", "stdout", "stderr", "lateDescriptor", "throw"] as const;

export class Noisy {
  /**
   * Writes or fails.
   * @param held waits for SIGUSR2 first
   */
  @Tool()
  async write(way: keyof typeof WAYS | "every", held = false): Promise<string> {
    if (held) await released;
    if (way === "every") for (const each of EVERY) WAYS[each]();
    else WAYS[way]();
    return "written";
  }

  /** Writes and fails again and again. */
  @Tool()
  writeForever(): string {
    setInterval(() => {
      WAYS.stderr();
      WAYS.stray();
    }, 20);
    return "begun";
  }

  /** The process that answers. */
  @Tool()
  pid(): string {
    return String(process.pid);
  }
}
`;

/** Values that the tool `write` accepts. */
export const WAYS = [
  "throw",
  "stray",
  "console",
  "strictConsole",
  "stdout",
  "stderr",
  "descriptor",
  "lateDescriptor",
  "unguarded",
  "inAGetter",
  "inACircle",
  "every",
];

/** The answer to every call, whether the handler failed or not. */
export const ANSWERED = { result: { content: [{ type: "text" }] } };
