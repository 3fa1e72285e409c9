/**
 * Streamable HTTP for runtimes with web-standard requests and responses.
 * @module
 */
import type { Server } from "../../../server.js";
import { type Endpoint, type EventStream, HttpExchange, type ResponseSender } from "../exchange/exchange.js";
import { createPaths, type PathOptions } from "../paths.js";

/** @typeParam Platform what the platform gives besides the request */
export interface HttpHandlerOptions<Platform extends unknown[] = unknown[]> extends PathOptions {
  /**
   * The address at the far end of the connection, which a request does not tell: from what the platform gives besides.
   *
   * @example
   * createHttpHandler(server, {
   *   address: (_, info: Deno.ServeHandlerInfo<Deno.NetAddr>) => info.remoteAddr.hostname,
   * })
   */
  address?: (request: Request, ...platform: Platform) => string | undefined;
}

/** Answers requests. */
export interface HttpHandler<Platform extends unknown[] = unknown[]> {
  (request: Request, ...platform: Platform): Promise<Response>;
  /** Waits for calls in progress, then ends every session. */
  close(): Promise<void>;
}

/**
 * Streamable HTTP as a function from request to response, for clients that connect at `path`, and for whatever else the
 * server is configured to answer. Requests whose `Host` is not this machine are
 * refused unless `allowedHosts` names it.
 *
 * @throws TypeError when the server's `http` is configured in a way that cannot be served
 * @example
 * const handle = createHttpHandler(server, { allowedHosts: ["mcp.example.com"] });
 * export default { fetch: handle };
 */
export function createHttpHandler<Platform extends unknown[] = unknown[]>(
  server: Server,
  options: HttpHandlerOptions<Platform> = {},
): HttpHandler<Platform> {
  return createWebHandler(createPaths(server, options), server.limits.streamBytes, options.address);
}

/** An endpoint as a function from request to response. */
export function createWebHandler<Platform extends unknown[]>(
  endpoint: Endpoint,
  streamBytes: number,
  address?: HttpHandlerOptions<Platform>["address"],
): HttpHandler<Platform> {
  const handle = (request: Request, ...platform: Platform): Promise<Response> =>
    new Promise((resolve) => {
      const peerAddress = address?.(request, ...platform);
      endpoint.handle(new WebExchange(request, peerAddress, streamBytes, resolve));
    });
  return Object.assign(handle, { close: () => endpoint.close() });
}

class WebExchange extends HttpExchange {
  readonly #request: Request;
  readonly #streamBytes: number;
  readonly #resolve: (response: Response) => void;
  readonly #onDisconnect: (() => void)[] = [];
  #complete = false;

  constructor(
    request: Request,
    protected readonly peerAddress: string | undefined,
    streamBytes: number,
    resolve: (response: Response) => void,
  ) {
    super();
    this.#request = request;
    this.#streamBytes = streamBytes;
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
    // Some runtimes keep `Host` to themselves; then the URL they made of it says the same.
    return value ?? (name === "host" ? new URL(this.#request.url).host : undefined);
  };

  protected get isEncrypted(): boolean {
    return this.#request.url.startsWith("https:");
  }

  fields(): Iterable<[string, string]> {
    return this.#request.headers;
  }

  read(limit: number, done: (body: Buffer | undefined) => void): void {
    // A body that cannot be read to its end is that of a client that has gone.
    this.#collect(limit).then(done, () => {});
  }

  respond(status: number, text?: string): void {
    this.#complete = true;
    if (text !== undefined) this.headers["content-type"] ??= "application/json";
    // Connection headers are the business of whatever carries the response.
    const { connection: _connection, ...headers } = this.headers;
    this.#resolve(new Response(text ?? null, { status, headers }));
  }

  carry(sender: ResponseSender): Promise<void> {
    return sender.toWeb(this.#resolve);
  }

  begin(): EventStream {
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
    this.#resolve(new Response(body, { status: 200, headers: this.headers }));
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
      this.#request.signal.addEventListener("abort", () => {
        if (!this.#complete) this.#disconnect();
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
    this.#complete = true;
    for (const listener of this.#onDisconnect.splice(0)) listener();
  }
}
