import type { Readable } from "node:stream";
import type { Message } from "../../protocol/jsonrpc.js";
import type { Answer, Reply } from "../transport.js";
import type { Server } from "../../server.js";
import { drain, SHUTTING_DOWN } from "../drain.js";
import { stdoutWrite } from "./stdout-write.js";
import { splitLines } from "./lines.js";

export interface StdioOptions {
  /** Default `process.stdin`. */
  input?: Readable;
  /** Default stdout, around the guard. */
  output?: StdioOutput;
}

/** The part of a writable stream that replies need. */
export interface StdioOutput {
  /** False asks to wait for `drain`. */
  write(text: string, onDone?: (error?: Error | null) => void): boolean;
  on(event: "drain" | "error" | "close", listener: () => void): unknown;
}

/** A conversation over stdio. */
export interface StdioTransport {
  /** Settles when the input has ended (or the peer has gone) and every accepted request is answered. */
  readonly closed: Promise<void>;
  /** Stops accepting messages and waits for requests in progress, at most as long as the limits say. */
  close(): Promise<void>;
}

/** Replies of this many characters are written without waiting for the end of the turn. */
const MOST_UNWRITTEN = 256 * 1024;

/**
 * Serves one client over stdin and stdout: one JSON message per line.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports#stdio
 * @example
 * const transport = serveStdio(server);
 * await transport.closed;
 */
export function serveStdio(server: Server, options: StdioOptions = {}): StdioTransport {
  const { input = process.stdin, output = realStdout() } = options;
  const { endingTasks } = server;
  const { lineBytes, streamBytes, drainMs, stdinDrainMs } = server.limits;
  /** Requests accepted whose answers are still to be written. */
  let owed = 0;
  let outgoing = "";
  let isFlushing = false;
  let isBlocked = false;
  /** How much has been written since the client was last seen to read. */
  let unread = 0;
  let isEnded = false;
  let isReading = true;
  /** What waits for the end of tasks. */
  let waiting = 0;
  let onClosed: () => void = () => {};
  const closed = new Promise<void>((resolve) => {
    onClosed = resolve;
  });

  const write = (): void => {
    const text = outgoing;
    outgoing = "";
    if (text === "" || output.write(text)) return;
    unread += text.length;
    // A client that does not read is not read from either, so that it cannot fill this process's memory.
    isBlocked = true;
    input.pause();
  };

  /** Replies of one turn of the event loop leave in one write. */
  const send = (text: string): void => {
    outgoing += text;
    outgoing += "\n";
    if (isFlushing) return;
    isFlushing = true;
    setImmediate(flush);
  };

  const flush = (): void => {
    isFlushing = false;
    write();
    finishIfDone();
  };

  const answer = (given: Answer | undefined): void => {
    if (given !== undefined) send(given.text);
  };

  const connection = server.connect({
    principal: server.localPrincipal,
    // Answers are owed; what is said besides is left out once too much waits for a client that does not read, so
    // that changes told to it cannot fill this process's memory.
    send: (text) => {
      if (unread + outgoing.length <= streamBytes) send(text);
    },
  });

  const receive = (text: string): void => {
    if (text === "") return;
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      // Blank lines are no messages; they are rare enough to be told apart only here.
      if (text.trim() !== "") answer(connection.refuseText("The line is not valid JSON."));
      return;
    }
    const reply = isEnded ? receiveLate(message) : connection.receive(message);
    if (!(reply instanceof Promise)) {
      answer(reply);
      return;
    }
    owed++;
    void reply.then((given) => {
      owed--;
      answer(given);
      // It may have been the last, and answered with a task.
      if (isEnded && owed === 0) waitForTasks();
      finishIfDone();
    });
  };

  /** The server is told to stop: what is asked of tasks is answered, and nothing else begins. */
  const receiveLate = (message: unknown): Reply => {
    // Answers have no method, and batches none that could be for tasks.
    const { id, method = Array.isArray(message) ? "" : "tasks/" } = Object(message) as Message;
    return /^(?:tasks|notifications)\//.test(method)
      ? connection.receive(message)
      : connection.refuse(SHUTTING_DOWN, 503, id);
  };

  const waitForTasks = (): void => {
    if (endingTasks === undefined) return;
    waiting++;
    // Who has closed stdin cannot ask for them.
    void (isReading ? endingTasks.known() : endingTasks.over()).then(() => {
      waiting--;
      finishIfDone();
    });
  };

  const takesMore = (): boolean => {
    if (outgoing.length > MOST_UNWRITTEN) write();
    return !isBlocked;
  };

  const lines = splitLines(lineBytes, {
    line: (text) => {
      receive(text);
      return takesMore();
    },
    unusable: (problem) => {
      answer(
        problem === "too long"
          ? connection.refuse(`A line may have at most ${lineBytes} bytes.`)
          : connection.refuseText("The line is not valid UTF-8."),
      );
      return takesMore();
    },
  });

  const onData = (chunk: Buffer | string): void => {
    const rest = lines.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
    if (rest !== undefined) input.unshift(rest);
  };

  const stopReading = (): void => {
    if (!isReading) return;
    isReading = false;
    input.off("data", onData);
    input.pause();
    lines.end();
  };

  const end = (ms: number): void => {
    if (isEnded) return;
    isEnded = true;
    connection.finish();
    waitForTasks();
    finishIfDone();
    void drain(ms, closed, () => [connection], endingTasks).then(abandon);
  };

  const finishIfDone = (): void => {
    if (!isEnded || waiting > 0 || owed > 0 || isFlushing) return;
    stopReading();
    // An empty write comes back after everything written before it has left.
    output.write("", abandon);
  };

  const abandon = (): void => {
    isEnded = true;
    stopReading();
    connection.close();
    onClosed();
  };

  input.on("data", onData);
  for (const event of ["end", "close", "error"]) {
    input.on(event, () => {
      stopReading();
      end(stdinDrainMs);
    });
  }
  output.on("drain", () => {
    if (!isBlocked) return;
    isBlocked = false;
    unread = 0;
    if (isReading) input.resume();
    finishIfDone();
  });
  // One that is destroyed without an error says so by closing alone.
  for (const event of ["error", "close"] as const) output.on(event, abandon);
  return {
    closed,
    close: () => {
      end(drainMs);
      return closed;
    },
  };
}

function realStdout(): StdioOutput {
  const write = stdoutWrite();
  return {
    write: (text, onDone) => write(text, "utf8", onDone),
    on: (event, listener) => process.stdout.on(event, listener),
  };
}
