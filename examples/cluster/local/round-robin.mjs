import { once } from "node:events";
import { Agent, createServer, request as forward } from "node:http";

/** @import { IncomingMessage, Server, ServerResponse } from "node:http" */
/** @typedef {{ number: number, port: number, pid: number | undefined }} Target */

/**
 * What stands in front of the replicas and remembers nobody, as `deploy/nginx.conf` does: each request goes to the next,
 * and to the one after where that takes no connections; what it answers is passed on as it comes. `X-Replica` says which
 * one it was.
 *
 * @param {readonly Target[]} targets @param {number} port
 * @returns {Promise<Server>}
 */
export async function startRoundRobin(targets, port) {
  const agent = new Agent({ keepAlive: true });
  let next = 0;
  const server = createServer(async (request, response) => {
    /** @type {Buffer[]} */
    const chunks = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      return;
    }
    for (let tries = 0; tries < targets.length; tries++) {
      const target = /** @type {Target} */ (targets[next++ % targets.length]);
      if (await pass(target, agent, request, Buffer.concat(chunks), response)) return;
    }
    response.writeHead(503, { "retry-after": "1" }).end("No replica is there.\n");
  });
  // Streams stay open for as long as both ends like.
  server.requestTimeout = 0;
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return server;
}

/**
 * @param {Target} target @param {Agent} agent @param {IncomingMessage} request @param {Buffer} body
 * @param {ServerResponse} response
 * @returns {Promise<boolean>} false when it takes no connections, so that another may have it
 */
function pass(target, agent, { method, url: path, headers, socket }, body, response) {
  const forwarded = { ...headers, "x-forwarded-for": socket.remoteAddress };
  const { port, number, pid } = target;
  return new Promise((resolve) => {
    const sent = forward({ host: "127.0.0.1", port, method, path, agent, headers: forwarded }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, { ...answer.headers, "x-replica": `${number} ${pid}` });
      response.flushHeaders();
      answer.on("error", () => response.destroy());
      answer.pipe(response);
      resolve(true);
    });
    sent.on("error", (/** @type {NodeJS.ErrnoException} */ { code }) => {
      const isRefused = code === "ECONNREFUSED";
      if (!isRefused && !response.headersSent) response.writeHead(502).end("The replica has gone away.\n");
      resolve(!isRefused);
    });
    response.on("close", () => sent.destroy());
    sent.end(body);
  });
}
