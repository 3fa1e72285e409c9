import { once } from "node:events";
import { Agent, createServer, request as httpRequest } from "node:http";
import { FOREIGN } from "../../wire/recorder.mjs";

/**
 * @import { ClientRequest, IncomingMessage, ServerResponse } from "node:http"
 *
 * A request on its way.
 * @typedef {object} Exchange
 * @property {string} verb
 * @property {string} body
 * @property {string | undefined} session The header Mcp-Session-Id.
 * @property {string | undefined} lastEventId The header Last-Event-ID.
 * @property {number} replica The number of the replica that serves it.
 * @property {import("node:net").Socket} socket The socket of the client.
 */

/**
 * A proxy without affinity in front of replicas: each request goes to the next replica that accepts it. Like other proxies,
 * it tries another if a connection is refused, and responds with 502 if one breaks before the response begins.
 */
export class RoundRobin {
  #server = createServer((request, response) => void this.#serve(request, response));
  #agent = new Agent({ keepAlive: true });
  #addresses;
  #next = 0;
  /** Exchanges without a complete response. @type {Set<Exchange>} */
  open = new Set();
  /** The number of requests that each replica has served. @type {number[]} */
  served;

  /** @param {readonly (() => URL)[]} addresses Where each replica listens now. */
  constructor(addresses) {
    this.#addresses = addresses;
    this.served = addresses.map(() => 0);
    // It forwards messages of servers that are tapped themselves.
    Object.assign(this.#server, { [FOREIGN]: true });
    // Streams stay open until one end closes them.
    this.#server.requestTimeout = 0;
    // A connection that the proxy closes just when a client uses it would look like a failure of the server.
    this.#server.keepAliveTimeout = 65_000;
  }

  async listen() {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
  }

  get url() {
    const { port } = /** @type {import("node:net").AddressInfo} */ (this.#server.address());
    return new URL(`http://127.0.0.1:${port}/mcp`);
  }

  /** Sends the next request to this replica, and later ones to the following replicas. @param {number} replica */
  turnTo(replica) {
    this.#next = replica;
  }

  /**
   * Breaks the client connections of requests in progress, as networks do.
   *
   * @param {(exchange: Exchange) => boolean} [which] Default: all.
   * @returns {number} How many.
   */
  cut(which = () => true) {
    const cut = [...this.open].filter(which);
    for (const { socket } of cut) socket.destroy();
    return cut.length;
  }

  async close() {
    this.#server.close();
    this.#server.closeAllConnections();
    this.#agent.destroy();
    await once(this.#server, "close");
  }

  /** @param {IncomingMessage} request @param {ServerResponse} response */
  async #serve(request, response) {
    /** @type {Buffer[]} */
    const chunks = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      return;
    }
    const body = Buffer.concat(chunks);
    const named = (/** @type {string} */ name) => {
      const value = request.headers[name];
      return typeof value === "string" ? value : undefined;
    };
    const exchange = {
      verb: request.method ?? "",
      body: body.toString(),
      session: named("mcp-session-id"),
      lastEventId: named("last-event-id"),
      replica: -1,
      socket: request.socket,
    };
    this.open.add(exchange);
    response.on("close", () => this.open.delete(exchange));
    const first = this.#next;
    this.#next = (first + 1) % this.#addresses.length;
    for (let tries = 0; tries < this.#addresses.length; tries++) {
      exchange.replica = (first + tries) % this.#addresses.length;
      if (await this.#forward(request, body, response, exchange.replica)) return;
    }
    response.writeHead(503).end("No server is there.");
  }

  /**
   * @param {IncomingMessage} request @param {Buffer} body @param {ServerResponse} response @param {number} replica
   * @returns {Promise<boolean>} False if the replica refuses the connection, so that another one may serve the request.
   */
  #forward(request, body, response, replica) {
    const address = /** @type {() => URL} */ (this.#addresses[replica])();
    const { method, url: path, headers } = request;
    const { port, host } = address;
    return new Promise((resolve) => {
      const sent = httpRequest(
        { host: "127.0.0.1", port, method, path, agent: this.#agent, headers: { ...headers, host } },
        (answer) => {
          this.served[replica] = (this.served[replica] ?? 0) + 1;
          response.writeHead(answer.statusCode ?? 0, answer.headers);
          response.flushHeaders();
          answer.on("data", (chunk) => response.write(chunk) || answer.pause());
          response.on("drain", () => answer.resume());
          answer.on("end", () => response.end());
          answer.on("error", () => response.destroy());
          resolve(true);
        },
      );
      sent.on("error", (error) => {
        const isRefused = /** @type {NodeJS.ErrnoException} */ (error).code === "ECONNREFUSED";
        if (!isRefused && !response.headersSent) response.writeHead(502).end("The server has gone away.");
        resolve(!isRefused);
      });
      response.on("close", () => sent.destroy());
      sent.end(body);
    });
  }
}
