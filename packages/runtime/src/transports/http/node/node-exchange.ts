import type { IncomingMessage, ServerResponse } from "node:http";
import * as ErrorCode from "../../../protocol/error-codes.js";
import { refuse } from "../exchange/refusal.js";
import { type EventStream, HttpExchange, type ResponseSender } from "../exchange/exchange.js";

/** How much of a body is read beyond what it may have, for its client to see the refusal. */
const MOST_DROPPED_BYTES = 64 * 1024 * 1024;

/** What frameworks add to the requests of `node:http`. */
export interface FrameworkRequest extends IncomingMessage {
  /** The target before the framework has taken off where it found the handler. */
  readonly originalUrl?: string;
  /** What has been made of the body by whoever has read it. */
  readonly body?: unknown;
}

/** A request and its response on `node:http`. */
export class NodeExchange extends HttpExchange {
  readonly #request: FrameworkRequest;
  readonly #response: ServerResponse;
  readonly #streamBytes: number;
  /** Read at once, since a connection that is closed has none. */
  protected readonly peerAddress: string | undefined;

  constructor(request: FrameworkRequest, response: ServerResponse, streamBytes: number) {
    super();
    this.#request = request;
    this.#response = response;
    this.peerAddress = request.socket.remoteAddress;
    this.#streamBytes = streamBytes;
  }

  get method(): string {
    return this.#request.method ?? "";
  }

  get target(): string {
    return this.#request.originalUrl ?? this.#request.url ?? "";
  }

  readonly header = (name: string): string | undefined => {
    const value = this.#request.headers[name];
    return typeof value === "string" ? value : undefined;
  };

  protected get isEncrypted(): boolean {
    return "encrypted" in this.#request.socket;
  }

  *fields(): Iterable<[string, string]> {
    const { rawHeaders } = this.#request;
    for (let index = 0; index < rawHeaders.length; index += 2) {
      yield [rawHeaders[index] ?? "", rawHeaders[index + 1] ?? ""];
    }
  }

  read(limit: number, done: (body: Buffer | undefined) => void): void {
    const request = this.#request;
    if (request.readableDidRead) return this.#readAgain(limit, done);
    // Whoever was there before has found it empty.
    if (request.readableEnded) return done(Buffer.alloc(0));
    const announced = Number(this.header("content-length"));
    const isEndless = announced > limit + MOST_DROPPED_BYTES;
    // A connection that is closed after the answer would be closed before its client has sent all.
    const isAnsweredLast = !this.#response.shouldKeepAlive && !isEndless;
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      const isFull = size > limit;
      size += chunk.length;
      // A client that is still sending when its connection ends takes that for the answer, and sees no refusal. So the
      // connection stays, and the rest is read and dropped; but nobody is to send for ever.
      if (isFull) {
        if (size > limit + MOST_DROPPED_BYTES) request.destroy();
      } else if (size > limit || announced > limit) {
        chunks.length = 0;
        size = Math.max(size, limit + 1);
        if (isEndless) this.headers.connection = "close";
        if (!isAnsweredLast) done(undefined);
      } else {
        chunks.push(chunk);
      }
    });
    request.on("end", () => {
      const [first] = chunks;
      if (size <= limit) done(chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks));
      else if (isAnsweredLast) done(undefined);
    });
  }

  /** Takes what whoever has read the body has left of it. */
  #readAgain(limit: number, done: (body: Buffer | undefined) => void): void {
    const { body } = this.#request;
    if (body === undefined) {
      const problem = "The body was read before this server saw it; mount it before what reads bodies.";
      return refuse(this, 500, problem, ErrorCode.InternalError);
    }
    const isBytes = typeof body === "string" || body instanceof Uint8Array;
    const bytes = Buffer.from(isBytes ? body : JSON.stringify(body));
    done(bytes.length > limit ? undefined : bytes);
  }

  respond(status: number, text?: string): void {
    const { headers } = this;
    const response = this.#response;
    if (response.headersSent || response.destroyed) return;
    if (text !== undefined) {
      headers["content-type"] ??= "application/json";
      headers["content-length"] = String(Buffer.byteLength(text));
    }
    response.writeHead(status, headers).end(text);
  }

  carry(sender: ResponseSender): Promise<void> {
    return sender.toNode(this.#response);
  }

  begin(): EventStream {
    const response = this.#response;
    const streamBytes = this.#streamBytes;
    if (!response.headersSent && !response.destroyed) {
      response.writeHead(200, this.headers);
      response.flushHeaders();
    }
    return {
      write: (text) => {
        if (response.destroyed || response.writableEnded) return false;
        response.write(text);
        if (response.writableLength <= streamBytes) return true;
        response.destroy();
        return false;
      },
      end: () => {
        response.end();
      },
    };
  }

  onDisconnect(listener: () => void): void {
    this.#response.on("close", () => {
      if (!this.#response.writableFinished) listener();
    });
  }
}
