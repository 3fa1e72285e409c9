import { once } from "node:events";
import { Agent, createServer, request as forward } from "node:http";

/** @import { IncomingMessage, Server, ServerResponse } from "node:http" */
/** @typedef {{ number: number, port: number, pid: number | undefined }} Target */

/**
 * Starts a load balancer without affinity, like `deploy/nginx.conf`: each request goes to the next replica, or to the
 * one after if that accepts no connections. Responses are streamed, and `X-Replica` names the replica.
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
      if (await forwardTo(target, agent, request, Buffer.concat(chunks), response)) return;
    }
    response.writeHead(503, { "retry-after": "1" }).end("No replica is available.\n");
  });
  // Streams have no time limit.
  server.requestTimeout = 0;
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return server;
}

/**
 * Forwards a request.
 *
 * @param {Target} target @param {Agent} agent @param {IncomingMessage} request @param {Buffer} body
 * @param {ServerResponse} response
 * @returns {Promise<boolean>} false if the target accepts no connections, so that another can serve the request
 */
function forwardTo(target, agent, { method, url: path, headers, socket }, body, response) {
  const forwarded = { ...headers, "x-forwarded-for": socket.remoteAddress };
  const { port, number, pid } = target;
  return new Promise((resolve) => {
    const sent = forward({ host: "127.0.0.1", port, method, path, agent, headers: forwarded }, (reply) => {
      response.writeHead(reply.statusCode ?? 502, { ...reply.headers, "x-replica": `${number} ${pid}` });
      response.flushHeaders();
      reply.on("error", () => response.destroy());
      reply.pipe(response);
      resolve(true);
    });
    sent.on("error", (/** @type {NodeJS.ErrnoException} */ { code }) => {
      const isRefused = code === "ECONNREFUSED";
      if (!isRefused && !response.headersSent)
        response.writeHead(502).end("The replica closed the connection.\n");
      resolve(!isRefused);
    });
    response.on("close", () => sent.destroy());
    sent.end(body);
  });
}
