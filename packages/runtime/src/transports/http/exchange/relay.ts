import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import type { HttpExchange, NodeResponse, ResponseSender } from "./exchange.js";

/** Headers that apply to one connection, not to the message. */
const CONNECTION_HEADERS = ["connection", "keep-alive", "trailer", "transfer-encoding", "upgrade"];

/**
 * Creates a sender for a web-standard response. Its headers replace those of the exchange.
 *
 * @throws BodyFailure, from the sender, with the error of the body as its cause
 */
export function createResponseSender(given: Response, exchange: HttpExchange): ResponseSender {
  const { status, statusText, body, bodyUsed } = given;
  if (bodyUsed)
    throw new TypeError("The body of the Response was already read. Return a Response with an unread body.");
  const headers = new Headers(given.headers);
  for (const [name, value] of Object.entries(exchange.headers)) {
    if (name === "vary") headers.set(name, [value, headers.get(name) ?? []].flat().join(", "));
    else if (!headers.has(name)) headers.set(name, value);
  }
  for (const name of CONNECTION_HEADERS) headers.delete(name);
  const sent = exchange.method === "HEAD" ? null : body;
  return {
    toWeb: async (resolve) => {
      resolve(new Response(sent, { status, statusText, headers }));
      if (sent === null) await body?.cancel();
    },
    toNode: async (response) => {
      if (response.headersSent || response.destroyed) return void (await body?.cancel());
      response.writeHead(status, toFields(headers));
      response.flushHeaders();
      if (sent !== null) return send(sent, response);
      response.end();
      await body?.cancel();
    },
  };
}

function toFields(headers: Headers): Record<string, string | string[]> {
  const cookies = headers.getSetCookie();
  return { ...Object.fromEntries(headers), ...(cookies.length > 0 && { "set-cookie": cookies }) };
}

/** An error in the body of a response, as opposed to the disconnection of its client. */
export class BodyFailure extends Error {
  override name = "BodyFailure";
}

async function send(body: ReadableStream, response: NodeResponse): Promise<void> {
  const source = Readable.fromWeb(body as NodeReadableStream);
  let hasBodyFailed = false;
  // A body that fails ends the connection, which looks like a disconnection, so record which came first.
  source.once("error", () => {
    hasBodyFailed = !response.destroyed;
  });
  try {
    await pipeline(source, response as ServerResponse);
  } catch (error) {
    if (hasBodyFailed) throw new BodyFailure("The body of the Response failed.", { cause: error });
    // The client has disconnected.
    if ((error as NodeJS.ErrnoException).code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
  }
}
