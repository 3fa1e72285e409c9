/// <reference types="node" preserve="true" />
import type { Readable } from "node:stream";
import { getUnexpired } from "../../access/principal.js";
import * as ErrorCode from "../../protocol/error-codes.js";
import { type Message, toErrorText } from "../../protocol/jsonrpc.js";
import type { EncodedResponse, Peer, PendingResponse } from "../transport.js";
import type { Server } from "../../server.js";
import { drain, SHUTTING_DOWN } from "../drain.js";
import { getStdoutWrite } from "./stdout-write.js";
import { LineReader, type UnusableLine } from "./lines.js";
import { toWellFormedJson } from "../../protocol/well-formed.js";

export interface StdioOptions {
  /** Default: `process.stdin`. */
  input?: Readable | undefined;
  /** Default: stdout, bypassing the guard. */
  output?: StdioOutput | undefined;
}

/** The part of a writable stream that responses need. */
export interface StdioOutput {
  /** Returns false if the caller should wait for `drain`. */
  write(text: string, onDone?: (error?: Error | null) => void): boolean;
  on(event: "drain" | "error" | "close", listener: () => void): unknown;
}

/** A connection over stdio. */
export interface StdioTransport {
  /** Settles when the input has ended (or the peer has disconnected) and every accepted request has a response. */
  readonly closed: Promise<void>;
  /** Stops accepting messages and waits for requests in progress, for as long as the limits allow. */
  close(): Promise<void>;
}

/** Maximum size of responses that wait for the end of the turn, in characters. */
const MAX_UNWRITTEN_CHARACTERS = 256 * 1024;

/**
 * Serves one client over stdin and stdout: one JSON message per line.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports#stdio
 * @example
 * const transport = serveStdio(server);
 * await transport.closed;
 */
export function serveStdio(server: Server, options: StdioOptions = {}): StdioTransport {
  const { input = process.stdin, output = getStdout() } = options;
  const { drainableTasks: tasks } = server;
  const { maxLineBytes, maxStreamBufferBytes, drainTimeoutMs, stdinDrainTimeoutMs } = server.limits;
  /** Accepted requests whose responses are not written yet. */
  let pending = 0;
  let outgoing = "";
  let isFlushing = false;
  let isBlocked = false;
  /** The number of characters written since the client last read. */
  let unread = 0;
  let isEnded = false;
  let isReading = true;
  /** The number of pending waits for the end of tasks. */
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
    // While the client does not read, the server does not read either, so that responses cannot fill the server's
    // memory.
    isBlocked = true;
    input.pause();
  };

  /** Writes the responses of one turn of the event loop together. */
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

  const respond = (response: EncodedResponse | undefined, message?: unknown): void => {
    if (response === undefined) return;
    send(
      isLongerThan(maxLineBytes, response.text)
        ? createLongResponseError(message, maxLineBytes)
        : response.text,
    );
  };

  const peer: Peer = {
    get principal() {
      return getUnexpired(server.localPrincipal);
    },
    // Responses must be sent. Notifications are dropped if too much waits for a client that does not read, so that they
    // cannot fill the memory of this process.
    send: (text) => {
      if (unread + outgoing.length <= maxStreamBufferBytes) send(text);
    },
  };
  const connection = server.connect(peer);

  const receiveLine = (line: string | UnusableLine): void => {
    if (line === "") return;
    if (typeof line !== "string") return respond(rejectLine(line));
    let message: unknown;
    try {
      message = JSON.parse(toWellFormedJson(line));
    } catch {
      // Blank lines are not messages. They are so rare that they are checked only here.
      if (line.trim() !== "") respond(connection.rejectText("The line is not valid JSON."));
      return;
    }
    const response = isEnded ? receiveLate(message) : connection.receive(message, peer);
    if (!(response instanceof Promise)) return respond(response, message);
    pending++;
    void response.then((each) => {
      pending--;
      respond(each, message);
      // The response may be a task, and this may have been the last pending request.
      if (isEnded && pending === 0) waitForTasks();
      finishIfDone();
    });
  };

  const rejectLine = ({ problem }: UnusableLine): EncodedResponse =>
    problem === "too long"
      ? connection.reject(`A line may be at most ${maxLineBytes} bytes.`)
      : connection.rejectText("The line is not valid UTF-8.");

  /** Rejects requests while the server stops, except requests for tasks. */
  const receiveLate = (message: unknown): PendingResponse => {
    // Responses have no method, and batches contain no requests for tasks.
    const { id, method = Array.isArray(message) ? "" : "tasks/" } = Object(message) as Message;
    return /^(?:tasks|notifications)\//.test(method)
      ? connection.receive(message, peer)
      : connection.reject(SHUTTING_DOWN, 503, id);
  };

  const waitForTasks = (): void => {
    if (tasks === undefined) return;
    waiting++;
    // A client that has closed stdin cannot poll its tasks.
    void (isReading ? tasks.whenReported() : tasks.whenDone()).then(() => {
      waiting--;
      finishIfDone();
    });
  };

  const canContinue = (): boolean => {
    if (outgoing.length > MAX_UNWRITTEN_CHARACTERS) write();
    return !isBlocked;
  };

  const lines = new LineReader(maxLineBytes);

  const readInput = (chunk: Buffer | string): void => {
    lines.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
    for (let line = lines.next(); line !== undefined; line = lines.next()) {
      receiveLine(line);
      if (canContinue()) continue;
      const rest = lines.takeRest();
      if (rest !== undefined) input.unshift(rest);
      return;
    }
  };

  const stopReading = (): void => {
    if (!isReading) return;
    isReading = false;
    input.off("data", readInput);
    input.pause();
    const last = lines.end();
    if (last !== undefined) receiveLine(last);
  };

  const end = (ms: number): void => {
    if (isEnded) return;
    isEnded = true;
    connection.finish();
    waitForTasks();
    finishIfDone();
    void drain(ms, closed, () => [connection], tasks).then(abandon);
  };

  const finishIfDone = (): void => {
    if (!isEnded || waiting > 0 || pending > 0 || isFlushing) return;
    stopReading();
    // An empty write calls back after everything written before it has left.
    output.write("", abandon);
  };

  const abandon = (): void => {
    isEnded = true;
    stopReading();
    connection.close();
    onClosed();
  };

  input.on("data", readInput);
  for (const event of ["end", "close", "error"]) {
    input.on(event, () => {
      stopReading();
      end(stdinDrainTimeoutMs);
    });
  }
  output.on("drain", () => {
    if (!isBlocked) return;
    isBlocked = false;
    unread = 0;
    if (isReading) input.resume();
    finishIfDone();
  });
  // A stream that is destroyed without an error emits only `close`.
  for (const event of ["error", "close"] as const) output.on(event, abandon);
  return {
    closed,
    close: () => {
      end(drainTimeoutMs);
      return closed;
    },
  };
}

function getStdout(): StdioOutput {
  const write = getStdoutWrite();
  return {
    write: (text, onDone) => write(text, "utf8", onDone),
    on: (event, listener) => process.stdout.on(event, listener),
  };
}

/** Returns whether text has more bytes than a limit. Bytes are counted only if there may be too many. */
function isLongerThan(maxBytes: number, text: string): boolean {
  return text.length * MAX_BYTES_PER_CHARACTER > maxBytes && Buffer.byteLength(text) > maxBytes;
}

/** The maximum number of UTF-8 bytes for one UTF-16 code unit. */
const MAX_BYTES_PER_CHARACTER = 3;

/**
 * Returns the error in place of a response that clients cannot read. The official SDKs read lines of up to 10 MiB; other clients
 * disconnect, or wait for their timeout.
 *
 * @param message the request, or a batch of them
 */
function createLongResponseError(message: unknown, maxBytes: number): string {
  const problem =
    `The response has more than ${maxBytes} bytes, which clients cannot read over stdio. Request less, or let ` +
    "the server return pages or resource links.";
  const toError = (request: unknown): string =>
    toErrorText((Object(request) as Message).id ?? null, ErrorCode.InternalError, problem);
  if (!Array.isArray(message)) return toError(message);
  const requests = message.filter((each) => (Object(each) as Message).id !== undefined);
  return `[${requests.map(toError).join(",")}]`;
}
