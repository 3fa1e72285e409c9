/**
 * Streamable HTTP for runtimes with web-standard requests and responses.
 * @module
 */
import { checkOptions } from "../../../data/options/check-options.js";
import { createServingRule } from "../../../data/options/serving-rules.js";
import type { Server } from "../../../server.js";
import { type Endpoint, type EventStream, HttpExchange, type ResponseSender } from "../exchange/exchange.js";
import { rejectConsumedBody } from "../exchange/rejection.js";
import { createPaths, type PathOptions } from "../paths.js";

/**
 * Options of `createHttpHandler`.
 *
 * @typeParam Platform the arguments that the platform passes after the request
 */
export interface HttpHandlerOptions<Platform extends unknown[] = unknown[]> extends PathOptions {
  /**
   * Returns the remote address of the connection from the arguments that the platform passes after the request. The
   * request itself does not contain the address.
   *
   * @example
   * createHttpHandler(server, {
   *   address: (_, info: Deno.ServeHandlerInfo<Deno.NetAddr>) => info.remoteAddr.hostname,
   * })
   */
  address?: (request: Request, ...platform: Platform) => string | undefined;
}

/** A function that serves requests. */
export interface HttpHandler<Platform extends unknown[] = unknown[]> {
  (request: Request, ...platform: Platform): Promise<Response>;
  /** Waits for calls in progress, then ends every session. */
  close(): Promise<void>;
}

/**
 * Creates a function that responds to requests: to Streamable HTTP at `path`, and at the other paths that the server is
 * configured to serve. Requests whose `Host` is not this machine are rejected unless `allowedHosts` contains it.
 *
 * @throws TypeError for an invalid option, or if the server's `http` configuration cannot be served
 * @example
 * const handle = createHttpHandler(server, { allowedHosts: ["mcp.example.com"] });
 * export default { fetch: handle };
 */
export function createHttpHandler<Platform extends unknown[] = unknown[]>(
  server: Server,
  options: HttpHandlerOptions<Platform> = {},
): HttpHandler<Platform> {
  checkOptions(options, createServingRule("address"));
  if (server.http.sse === true) {
    const msg =
      "`http: { sse: true }` has no effect on createHttpHandler and workers. Serve createSseHandler(server) of @tenon/runtime/sse at /sse and /messages.";
    server.log({ level: "warn", event: "warning", msg });
  }
  return createWebHandler(createPaths(server, options), server.limits.maxStreamBufferBytes, options.address);
}

/** Creates a function that responds to the requests of an endpoint. */
export function createWebHandler<Platform extends unknown[]>(
  endpoint: Endpoint,
  maxStreamBufferBytes: number,
  address?: HttpHandlerOptions<Platform>["address"],
): HttpHandler<Platform> {
  const handle = (request: Request, ...platform: Platform): Promise<Response> =>
    new Promise((resolve) => {
      const peerAddress = address?.(request, ...platform);
      const onStream = (): void => disableIdleTimeout(request, platform);
      endpoint.handle(new WebExchange(request, peerAddress, maxStreamBufferBytes, onStream, resolve));
    });
  return Object.assign(handle, { close: () => endpoint.close() });
}

/** Bun ends a connection that is idle for 10 seconds, before the comment that keeps a stream open. */
function disableIdleTimeout(request: Request, platform: readonly unknown[]): void {
  // Bun passes its server to `fetch`, and Hono passes that on as `env` of its context.
  for (const each of platform.flatMap((value) => [value, (Object(value) as { env?: unknown }).env])) {
    const bun = Object(each) as { requestIP?: unknown; timeout?(request: Request, seconds: number): void };
    if (typeof bun.requestIP === "function") bun.timeout?.(request, 0);
  }
}

/** The status for a client that has disconnected, which nginx introduced. No client receives it. */
const CLIENT_CLOSED_REQUEST = 499;

class WebExchange extends HttpExchange {
  readonly #request: Request;
  readonly #maxStreamBufferBytes: number;
  readonly #onStream: () => void;
  readonly #resolve: (response: Response) => void;
  readonly #onDisconnect: (() => void)[] = [];
  #isComplete = false;

  constructor(
    request: Request,
    readonly peerAddress: string | undefined,
    maxStreamBufferBytes: number,
    onStream: () => void,
    resolve: (response: Response) => void,
  ) {
    super();
    this.#request = request;
    this.#maxStreamBufferBytes = maxStreamBufferBytes;
    this.#onStream = onStream;
    this.#resolve = resolve;
  }

  get method(): string {
    return this.#request.method;
  }

  get target(): string {
    return this.#request.url;
  }

  readonly header = (name: string): string | undefined => {
    const value = this.#request.headers.get(name);
    // Some runtimes hide `Host`. Then the URL that they built from it contains the same value.
    return value ?? (name === "host" ? new URL(this.#request.url).host : undefined);
  };

  protected get isEncrypted(): boolean {
    return this.#request.url.startsWith("https:");
  }

  listFields(): Iterable<[string, string]> {
    return this.#request.headers;
  }

  read(limit: number, done: (body: Buffer | undefined) => void): void {
    const { bodyUsed, body } = this.#request;
    if (bodyUsed || body?.locked === true) return rejectConsumedBody(this);
    // A body that cannot be read to its end belongs to a client that has disconnected.
    this.#collect(limit).then(done, () => this.#disconnect());
  }

  respond(status: number, text?: string): void {
    this.#isComplete = true;
    if (text !== undefined) this.headers["content-type"] ??= "application/json";
    // The platform sets the connection headers.
    const { connection: _connection, ...headers } = this.headers;
    this.#resolve(new Response(text ?? null, { status, headers }));
  }

  sendWith(sender: ResponseSender): Promise<void> {
    return sender.toWeb(this.#resolve);
  }

  begin(): EventStream {
    this.#onStream();
    const encoder = new TextEncoder();
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>(
      {
        start: (given) => {
          controller = given;
        },
        cancel: () => this.#disconnect(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: this.#maxStreamBufferBytes }),
    );
    this.#resolve(new Response(body, { status: 200, headers: this.headers }));
    const write = (text: string): boolean => {
      if (this.#isComplete) return false;
      controller?.enqueue(encoder.encode(text));
      if ((controller?.desiredSize ?? 0) >= 0) return true;
      this.#isComplete = true;
      controller?.error(new Error("The client reads too slowly."));
      this.#disconnect();
      return false;
    };
    return {
      write,
      end: () => {
        if (this.#isComplete) return;
        this.#isComplete = true;
        controller?.close();
      },
    };
  }

  onDisconnect(listener: () => void): void {
    if (this.#onDisconnect.length === 0) {
      this.#request.signal.addEventListener("abort", () => {
        if (!this.#isComplete) this.#disconnect();
      });
    }
    this.#onDisconnect.push(listener);
  }

  async #collect(limit: number): Promise<Buffer | undefined> {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of (this.#request.body ?? []) as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > limit) return undefined;
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }

  #disconnect(): void {
    this.#isComplete = true;
    // The platform waits for a response, although the client does not.
    this.#resolve(new Response(null, { status: CLIENT_CLOSED_REQUEST }));
    for (const listener of this.#onDisconnect.splice(0)) listener();
  }
}
