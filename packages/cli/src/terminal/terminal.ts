import { createInterface } from "node:readline";
import pc from "picocolors";

/** The environment of a command: its folder, input, and output. Tests replace it. */
export interface Terminal {
  /** The current folder, absolute. */
  cwd: string;
  /** Whether a user can answer prompts. */
  interactive: boolean;
  /** Reads typed lines until the returned function is called. Absent if the terminal is not interactive. */
  readLines?: (onLine: (line: string) => void) => () => void;
  /** Reads standard input to its end, or until it exceeds this many bytes. Absent if there is no input. */
  readInput?: (maxBytes: number) => Promise<Buffer>;
  /** Standard output, for results that scripts may read. */
  out: Sink;
  /** Standard error, for messages to users. */
  err: Sink;
}

/** One output stream. */
export interface Sink {
  write(text: string): void;
  /** Resolves when everything has been written. */
  flush(): Promise<void>;
  /** The error of a failed write. A reader that closed the pipe is not an error. */
  failure?: NodeJS.ErrnoException | undefined;
  /** Functions that color text, or return it unchanged if `color` is false. */
  paint: Paint;
  color: boolean;
  /** The width in columns. */
  columns: number;
  /** Whether lines can be redrawn, as in an interactive terminal. */
  canRedraw?: boolean;
}

/** Functions that color text. */
export type Paint = ReturnType<typeof pc.createColors>;

/** The width of files, pipes, and terminals that do not report a width. */
const DEFAULT_COLUMNS = 100;

/** Returns the terminal of this process. */
export function processTerminal(process: NodeJS.Process): Terminal {
  const interactive = Boolean(process.stdin.isTTY && process.stdout.isTTY && !process.env["CI"]);
  return {
    cwd: process.cwd(),
    interactive,
    ...(interactive && { readLines: createLineReader(process) }),
    readInput: (maxBytes) => readInput(process, maxBytes),
    out: createSink(process.stdout, process.env),
    err: createSink(process.stderr, process.env),
  };
}

async function readInput({ stdin, stderr }: NodeJS.Process, maxBytes: number): Promise<Buffer> {
  if (stdin.isTTY) stderr.write("Type the input, then press Ctrl-D.\n");
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of stdin as AsyncIterable<Buffer>) {
    parts.push(part);
    size += part.length;
    if (size > maxBytes) break;
  }
  return Buffer.concat(parts);
}

/** Creates the function that reads lines. It reads single characters, because a terminal in line mode truncates lines at 1024 or 4096 characters. */
function createLineReader(process: NodeJS.Process): NonNullable<Terminal["readLines"]> {
  const { stdin, stderr, pid } = process;
  return (onLine) => {
    const lines = createInterface({ input: stdin, output: stderr, terminal: true, historySize: 0 });
    lines.on("line", onLine);
    // Readline reports Ctrl-C as an event instead of a signal.
    lines.on("SIGINT", () => {
      lines.close();
      // On Windows, `kill` would end the process without calling the handlers of the signal.
      if (!process.emit("SIGINT", "SIGINT")) process.kill(pid, "SIGINT");
    });
    return () => lines.close();
  };
}

/** Returns a sink that keeps using the current `stream.write`, even if it is replaced later. */
function createSink(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): Sink {
  const color = wantsColor(stream, env);
  const write = stream.write.bind(stream);
  // With 0 columns, prompt libraries would show one letter per line.
  if (stream.isTTY && stream.columns === 0) stream.columns = DEFAULT_COLUMNS;
  let failure: NodeJS.ErrnoException | undefined;
  // A reader such as `head` may close the pipe before everything is written.
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") failure ??= error;
  });
  return {
    write: (text) => void write(text),
    flush: () => new Promise((resolve) => (stream.writable ? write("", () => resolve()) : resolve())),
    paint: pc.createColors(color),
    color,
    canRedraw: Boolean(stream.isTTY) && env["TERM"] !== "dumb",
    get columns() {
      return stream.columns || DEFAULT_COLUMNS;
    },
    get failure() {
      return failure;
    },
  };
}

/** Returns whether to color output, according to https://no-color.org and https://force-color.org. `NO_COLOR` takes precedence. */
function wantsColor(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): boolean {
  if (env["NO_COLOR"]) return false;
  const forced = env["FORCE_COLOR"];
  if (forced !== undefined && forced !== "") return forced !== "0" && forced !== "false";
  return Boolean(stream.isTTY) && env["TERM"] !== "dumb";
}
