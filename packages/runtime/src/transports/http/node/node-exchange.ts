/// <reference types="node" preserve="true" />
import type { IncomingMessage, ServerResponse } from "node:http";
import type { TLSSocket } from "node:tls";
import { rejectConsumedBody } from "../exchange/rejection.js";
import { type EventStream, HttpExchange, type ResponseSender } from "../exchange/exchange.js";

/** Maximum number of bytes of a rejected body that are read, so that the client sees the rejection. */
const MAX_DROPPED_BYTES = 64 * 1024 * 1024;

/** The properties that frameworks add to requests of `node:http`. */
export interface FrameworkRequest extends IncomingMessage {
  /** The target before the framework removed the path of its mount point. */
  readonly originalUrl?: string;
  /** The parsed body, if a middleware has read it. */
  readonly body?: unknown;
}

/** A request and its response on `node:http`. */
export class NodeExchange extends HttpExchange {
  readonly #request: FrameworkRequest;
  readonly #response: ServerResponse;
  readonly #maxStreamBufferBytes: number;
  /** Read in the constructor, since a closed connection has no address. */
  readonly peerAddress: string | undefined;

  constructor(request: FrameworkRequest, response: ServerResponse, maxStreamBufferBytes: number) {
    super();
    this.#request = request;
    this.#response = response;
    this.peerAddress = request.socket.remoteAddress;
    this.#maxStreamBufferBytes = maxStreamBufferBytes;
  }

  get method(): string {
    return this.#request.method ?? "";
  }

  get target(): string {
    return this.#request.originalUrl ?? this.#request.url ?? "";
  }

  readonly header = (name: string): string | undefined => {
    const { headers, readableDidRead } = this.#request;
    // A middleware that has parsed the body has also decompressed it.
    if (readableDidRead && name === "content-encoding") return undefined;
    // HTTP/2 has `:authority` in place of `Host`.
    const value = headers[name] ?? (name === "host" ? headers[":authority"] : undefined);
    return typeof value === "string" ? value : undefined;
  };

  protected get isEncrypted(): boolean {
    return (this.#request.socket as Partial<TLSSocket>).encrypted === true;
  }

  *listFields(): Iterable<[string, string]> {
    const { rawHeaders } = this.#request;
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const name = rawHeaders[index] ?? "";
      // In HTTP/2, names that begin with a colon are parts of the request, not headers.
      if (!name.startsWith(":")) yield [name, rawHeaders[index + 1] ?? ""];
    }
  }

  read(limit: number, done: (body: Buffer | undefined) => void): void {
    const request = this.#request;
    if (request.readableDidRead) return this.#readParsed(limit, done);
    // An earlier reader found the body empty.
    if (request.readableEnded) return done(Buffer.alloc(0));
    const announced = Number(this.header("content-length"));
    const isEndless = announced > limit + MAX_DROPPED_BYTES;
    // A connection that is closed after the response would be closed before its client has sent the whole body.
    const respondsAtEnd = !this.#response.shouldKeepAlive && !isEndless;
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      const isFull = size > limit;
      size += chunk.length;
      // A client that is still sending when its connection ends sees a broken connection instead of the rejection. So
      // the connection stays open, and the rest of the body is read and dropped, up to a limit.
      if (isFull) {
        if (size > limit + MAX_DROPPED_BYTES) request.destroy();
      } else if (size > limit || announced > limit) {
        chunks.length = 0;
        size = Math.max(size, limit + 1);
        if (isEndless) this.headers.connection = "close";
        if (!respondsAtEnd) done(undefined);
      } else {
        chunks.push(chunk);
      }
    });
    request.on("end", () => {
      const [first] = chunks;
      if (size <= limit) done(chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks));
      else if (respondsAtEnd) done(undefined);
    });
  }

  /** The headers of the response. HTTP/2 has none that describe the connection. */
  get #sentHeaders(): Record<string, string> {
    if (this.#request.httpVersionMajor >= 2) delete this.headers.connection;
    return this.headers;
  }

  /** Reads the body that a middleware has parsed. */
  #readParsed(limit: number, done: (body: Buffer | undefined) => void): void {
    const { body } = this.#request;
    const text = typeof body === "string" || body instanceof Uint8Array ? body : toJsonText(body);
    if (text === undefined) return rejectConsumedBody(this);
    const bytes = Buffer.from(text);
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
    response.writeHead(status, this.#sentHeaders).end(text);
  }

  sendWith(sender: ResponseSender): Promise<void> {
    return sender.toNode(this.#response);
  }

  begin(): EventStream {
    const response = this.#response;
    const maxStreamBufferBytes = this.#maxStreamBufferBytes;
    if (!response.headersSent && !response.destroyed) {
      response.writeHead(200, this.#sentHeaders);
      response.flushHeaders();
    }
    return {
      write: (text) => {
        if (response.destroyed || response.writableEnded) return false;
        response.write(text);
        if (response.writableLength <= maxStreamBufferBytes) return true;
        response.destroy();
        return false;
      },
      end: () => {
        response.end();
      },
    };
  }

  onDisconnect(listener: () => void): void {
    const response = this.#response;
    response.on("close", () => {
      // In HTTP/2, a response that was closed before its end counts as finished.
      if (!response.writableEnded || !response.writableFinished) listener();
    });
  }
}

/** Returns the JSON text of a parsed body; undefined for one that is not JSON, or has become circular. */
function toJsonText(body: unknown): string | undefined {
  try {
    return JSON.stringify(body);
  } catch {
    return undefined;
  }
}
