/**
 * Streamable HTTP for runtimes with web-standard requests and responses.
 * @module
 */
import type { Server } from "../server.js";
import { HttpEndpoint } from "./http-endpoint.js";
import type { EventStream, Headers as HeaderRecord, HttpIncoming, HttpOutgoing } from "./http-exchange.js";
import type { GuardOptions } from "./http-guard.js";

export type HttpHandlerOptions = GuardOptions;

/** Answers requests to the one URL at which clients connect. */
export interface HttpHandler {
  (request: Request): Promise<Response>;
  /** Waits for calls in progress, then ends every session. */
  close(): Promise<void>;
}

/**
 * Streamable HTTP as a function from request to response. Requests whose `Host` is not this machine are
 * refused unless `allowedHosts` names it.
 *
 * @example
 * const handle = createHttpHandler(server, { allowedHosts: ["mcp.example.com"] });
 * export default { fetch: handle };
 */
export function createHttpHandler(server: Server, options: HttpHandlerOptions = {}): HttpHandler {
  return createWebHandler(new HttpEndpoint(server, options), server.limits.streamBytes);
}

/** What answers requests, whatever carries them. */
export interface Endpoint {
  handle(incoming: HttpIncoming, outgoing: HttpOutgoing): void;
  close(): Promise<void>;
}

/** An endpoint as a function from request to response. */
export function createWebHandler(endpoint: Endpoint, streamBytes: number): HttpHandler {
  const handle = (request: Request): Promise<Response> =>
    new Promise((resolve) => {
      endpoint.handle(new WebIncoming(request), new WebOutgoing(request.signal, streamBytes, resolve));
    });
  return Object.assign(handle, { close: () => endpoint.close() });
}

class WebIncoming implements HttpIncoming {
  readonly #request: Request;

  constructor(request: Request) {
    this.#request = request;
  }

  get method(): string {
    return this.#request.method;
  }

  get target(): string {
    return this.#request.url;
  }

  readonly header = (name: string): string | undefined => {
    const value = this.#request.headers.get(name);
    // Some runtimes keep `Host` to themselves; then the URL they made of it says the same.
    return value ?? (name === "host" ? new URL(this.#request.url).host : undefined);
  };

  read(limit: number, done: (body: Uint8Array | "too-large" | "aborted") => void): void {
    this.#collect(limit).then(done, () => done("aborted"));
  }

  async #collect(limit: number): Promise<Uint8Array | "too-large"> {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of (this.#request.body ?? []) as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > limit) return "too-large";
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }
}

class WebOutgoing implements HttpOutgoing {
  readonly #signal: AbortSignal;
  readonly #streamBytes: number;
  readonly #resolve: (response: Response) => void;
  readonly #onDisconnect: (() => void)[] = [];
  #complete = false;

  constructor(signal: AbortSignal, streamBytes: number, resolve: (response: Response) => void) {
    this.#signal = signal;
    this.#streamBytes = streamBytes;
    this.#resolve = resolve;
  }

  respond(status: number, headers: HeaderRecord, body?: string): void {
    this.#complete = true;
    // Connection headers are the business of whatever carries the response.
    const { connection: _connection, ...rest } = headers;
    this.#resolve(new Response(body ?? null, { status, headers: rest }));
  }

  stream(headers: HeaderRecord): EventStream {
    const encoder = new TextEncoder();
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>(
      {
        start: (given) => {
          controller = given;
        },
        cancel: () => this.#disconnect(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: this.#streamBytes }),
    );
    this.#resolve(new Response(body, { status: 200, headers }));
    const write = (text: string): boolean => {
      if (this.#complete) return false;
      controller?.enqueue(encoder.encode(text));
      if ((controller?.desiredSize ?? 0) >= 0) return true;
      this.#complete = true;
      controller?.error(new Error("The client reads too slowly."));
      this.#disconnect();
      return false;
    };
    return {
      write,
      end: () => {
        if (this.#complete) return;
        this.#complete = true;
        controller?.close();
      },
    };
  }

  onDisconnect(listener: () => void): void {
    if (this.#onDisconnect.length === 0) {
      this.#signal.addEventListener("abort", () => {
        if (!this.#complete) this.#disconnect();
      });
    }
    this.#onDisconnect.push(listener);
  }

  #disconnect(): void {
    this.#complete = true;
    for (const listener of this.#onDisconnect.splice(0)) listener();
  }
}
