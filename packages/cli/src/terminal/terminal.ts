import { createInterface } from "node:readline";
import pc from "picocolors";

/** Where a command runs and what it may print to: everything it knows of the outside, so that tests can replace it. */
export interface Terminal {
  /** The current folder, absolute. */
  cwd: string;
  /** True when a person can answer questions. */
  interactive: boolean;
  /** Reads the lines that a person types, until what it returns is called. Absent where nobody does. */
  readLines?: (onLine: (line: string) => void) => () => void;
  /** Reads standard input to its end, or until there is more than so many bytes. Absent where there is none. */
  readInput?: (mostBytes: number) => Promise<Buffer>;
  /** What a script may read. */
  out: Sink;
  /** What only people read. */
  err: Sink;
}

/** One output stream. */
export interface Sink {
  write(text: string): void;
  /** Resolves when everything written is on its way. */
  flush(): Promise<void>;
  /** Why something could not be written, once that is so. A reader that has left is no reason. */
  failure?: NodeJS.ErrnoException | undefined;
  /** Colours that do nothing where colours are not wanted. */
  paint: Paint;
  color: boolean;
  /** Width in columns. */
  columns: number;
  /** A line can be drawn again: somebody looks at a terminal. */
  redraws?: boolean;
}

export type Paint = ReturnType<typeof pc.createColors>;

/** Used where the width is unknown: output to a file or a pipe, or a terminal that says it has none. */
const DEFAULT_COLUMNS = 100;

/** The terminal this process was started in. */
export function processTerminal(process: NodeJS.Process): Terminal {
  const interactive = Boolean(process.stdin.isTTY && process.stdout.isTTY && !process.env["CI"]);
  return {
    cwd: process.cwd(),
    interactive,
    ...(interactive && { readLines: lineReader(process) }),
    readInput: (mostBytes) => readInput(process, mostBytes),
    out: sinkOf(process.stdout, process.env),
    err: sinkOf(process.stderr, process.env),
  };
}

async function readInput({ stdin, stderr }: NodeJS.Process, mostBytes: number): Promise<Buffer> {
  if (stdin.isTTY) stderr.write("Type it, then press Ctrl-D.\n");
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of stdin as AsyncIterable<Buffer>) {
    parts.push(part);
    size += part.length;
    if (size > mostBytes) break;
  }
  return Buffer.concat(parts);
}

/** Letter by letter: a terminal that hands over whole lines cuts them at 1024 or 4096 characters. */
function lineReader({ stdin, stderr, pid, kill }: NodeJS.Process): NonNullable<Terminal["readLines"]> {
  return (onLine) => {
    const lines = createInterface({ input: stdin, output: stderr, terminal: true, historySize: 0 });
    lines.on("line", onLine);
    // Otherwise Ctrl-C is a letter like others.
    lines.on("SIGINT", () => {
      lines.close();
      kill(pid, "SIGINT");
    });
    return () => lines.close();
  };
}

/** Writes to wherever `stream.write` went when this was called, whatever replaces it later. */
function sinkOf(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): Sink {
  const color = wantsColor(stream, env);
  const write = stream.write.bind(stream);
  // Libraries that ask questions take it at its word, and would show a letter on each line.
  if (stream.isTTY && stream.columns === 0) stream.columns = DEFAULT_COLUMNS;
  let failure: NodeJS.ErrnoException | undefined;
  // A reader such as `head` may leave before everything is written; that is no failure.
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") failure ??= error;
  });
  return {
    write: (text) => void write(text),
    flush: () => new Promise((resolve) => (stream.writable ? write("", () => resolve()) : resolve())),
    paint: pc.createColors(color),
    color,
    redraws: Boolean(stream.isTTY) && env["TERM"] !== "dumb",
    get columns() {
      return stream.columns || DEFAULT_COLUMNS;
    },
    get failure() {
      return failure;
    },
  };
}

/** As https://no-color.org and https://force-color.org have it; `NO_COLOR` is the stronger. */
function wantsColor(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): boolean {
  if (env["NO_COLOR"]) return false;
  const forced = env["FORCE_COLOR"];
  if (forced !== undefined && forced !== "") return forced !== "0" && forced !== "false";
  return Boolean(stream.isTTY) && env["TERM"] !== "dumb";
}
