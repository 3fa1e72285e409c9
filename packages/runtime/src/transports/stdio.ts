import type { Readable } from "node:stream";
import type { Answer, Connection } from "../connection.js";
import type { Server } from "../server.js";
import { stdoutWrite } from "../stdout-write.js";
import { LineSplitter } from "./lines.js";

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
  on(event: "drain" | "error", listener: () => void): unknown;
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
  return new StdioConversation(server, options.input ?? process.stdin, options.output ?? realStdout());
}

function realStdout(): StdioOutput {
  const write = stdoutWrite();
  return {
    write: (text, onDone) => write(text, "utf8", onDone),
    on: (event, listener) => process.stdout.on(event, listener),
  };
}

class StdioConversation implements StdioTransport {
  readonly closed: Promise<void>;
  readonly #server: Server;
  readonly #input: Readable;
  readonly #output: StdioOutput;
  readonly #connection: Connection;
  readonly #lines: LineSplitter;
  /** Requests accepted whose answers are still to be written. */
  #owed = 0;
  #outgoing = "";
  #flushing = false;
  #blocked = false;
  /** How much has been written since the client was last seen to read. */
  #unread = 0;
  #ended = false;
  #deadline: NodeJS.Timeout | undefined;
  #finish: () => void = () => {};

  constructor(server: Server, input: Readable, output: StdioOutput) {
    this.#server = server;
    this.#input = input;
    this.#output = output;
    this.#connection = server.connect({ send: (text) => this.#say(text) });
    this.#lines = new LineSplitter(server.limits.lineBytes, {
      line: (text) => {
        this.#receive(text);
        return this.#takesMore();
      },
      notText: () => {
        this.#answer(this.#connection.refuseText("The line is not valid UTF-8."));
        return this.#takesMore();
      },
      tooLong: () => {
        const problem = `A line may have at most ${server.limits.lineBytes} bytes.`;
        this.#answer(this.#connection.refuse(problem));
      },
    });
    this.closed = new Promise((resolve) => {
      this.#finish = resolve;
    });
    input.on("data", this.#onData);
    input.on("end", () => this.#end());
    input.on("close", () => this.#end());
    input.on("error", () => this.#end());
    output.on("drain", () => this.#unblock());
    output.on("error", () => this.#abandon());
  }

  close(): Promise<void> {
    this.#end();
    return this.closed;
  }

  readonly #onData = (chunk: Buffer | string): void => {
    const rest = this.#lines.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
    if (rest !== undefined) this.#input.unshift(rest);
  };

  #takesMore(): boolean {
    if (this.#outgoing.length > MOST_UNWRITTEN) this.#write();
    return !this.#blocked;
  }

  #receive(text: string): void {
    if (text === "") return;
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      // Blank lines are no messages; they are rare enough to be told apart only here.
      if (text.trim() !== "") this.#answer(this.#connection.refuseText("The line is not valid JSON."));
      return;
    }
    const reply = this.#connection.receive(message);
    if (!(reply instanceof Promise)) {
      this.#answer(reply);
      return;
    }
    this.#owed++;
    void reply.then((answer) => {
      this.#owed--;
      this.#answer(answer);
      this.#finishIfDone();
    });
  }

  #answer(answer: Answer | undefined): void {
    if (answer !== undefined) this.#send(answer.text);
  }

  /**
   * Answers are owed; what is said besides is left out once too much waits for a client that does not read, so
   * that changes told to it cannot fill this process's memory.
   */
  #say(text: string): void {
    if (this.#unread + this.#outgoing.length <= this.#server.limits.streamBytes) this.#send(text);
  }

  /** Replies of one turn of the event loop leave in one write. */
  #send(text: string): void {
    this.#outgoing += text;
    this.#outgoing += "\n";
    if (this.#flushing) return;
    this.#flushing = true;
    setImmediate(() => this.#flush());
  }

  #flush(): void {
    this.#flushing = false;
    this.#write();
    this.#finishIfDone();
  }

  #write(): void {
    const text = this.#outgoing;
    this.#outgoing = "";
    if (text === "" || this.#output.write(text)) return;
    this.#unread += text.length;
    this.#block();
  }

  /** A client that does not read is not read from either, so that it cannot fill this process's memory. */
  #block(): void {
    if (this.#blocked) return;
    this.#blocked = true;
    this.#input.pause();
  }

  #unblock(): void {
    if (!this.#blocked) return;
    this.#blocked = false;
    this.#unread = 0;
    if (!this.#ended) this.#input.resume();
    this.#finishIfDone();
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#input.off("data", this.#onData);
    this.#input.pause();
    this.#lines.end();
    this.#connection.finish();
    this.#deadline = setTimeout(() => this.#abandon(), this.#server.limits.drainMs);
    this.#finishIfDone();
  }

  #finishIfDone(): void {
    if (!this.#ended || this.#owed > 0 || this.#flushing) return;
    // An empty write comes back after everything written before it has left.
    this.#output.write("", () => this.#abandon());
  }

  #abandon(): void {
    this.#ended = true;
    clearTimeout(this.#deadline);
    this.#connection.close();
    this.#finish();
  }
}
