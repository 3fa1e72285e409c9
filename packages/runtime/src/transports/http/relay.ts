import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import type { HttpExchange, ResponseSender } from "./exchange/exchange.js";

/** Headers about one connection, not about what travels over it. */
const OF_THE_CONNECTION = ["connection", "keep-alive", "trailer", "transfer-encoding", "upgrade"];

/**
 * Answers an exchange with a response as the web knows it. Where both have a header, the response's counts.
 *
 * @throws BodyFailure, from what is returned, with what the body throws as its cause
 */
export function relayOf(given: Response, exchange: HttpExchange): ResponseSender {
  const { status, statusText, body, bodyUsed } = given;
  if (bodyUsed) throw new TypeError("The body of the Response has been read already.");
  const headers = new Headers(given.headers);
  for (const [name, value] of Object.entries(exchange.headers)) {
    if (name === "vary") headers.set(name, [value, headers.get(name) ?? []].flat().join(", "));
    else if (!headers.has(name)) headers.set(name, value);
  }
  for (const name of OF_THE_CONNECTION) headers.delete(name);
  const sent = exchange.method === "HEAD" ? null : body;
  return {
    toWeb: async (resolve) => {
      resolve(new Response(sent, { status, statusText, headers }));
      if (sent === null) await body?.cancel();
    },
    toNode: async (response) => {
      if (response.headersSent || response.destroyed) return void (await body?.cancel());
      response.writeHead(status, fieldsOf(headers));
      response.flushHeaders();
      if (sent !== null) return send(sent, response);
      response.end();
      await body?.cancel();
    },
  };
}

function fieldsOf(headers: Headers): Record<string, string | string[]> {
  const cookies = headers.getSetCookie();
  return { ...Object.fromEntries(headers), ...(cookies.length > 0 && { "set-cookie": cookies }) };
}

/** The body of a response failed, by itself and not because its client has gone. */
export class BodyFailure extends Error {
  override name = "BodyFailure";
}

async function send(body: ReadableStream, response: ServerResponse): Promise<void> {
  const source = Readable.fromWeb(body as NodeReadableStream);
  let isFailure = false;
  // A body that fails ends the connection, which looks as if the client had gone; so who was first is noted.
  source.once("error", () => {
    isFailure = !response.destroyed;
  });
  try {
    await pipeline(source, response);
  } catch (error) {
    if (isFailure) throw new BodyFailure("The body of the Response failed.", { cause: error });
    // The client has gone.
    if ((error as NodeJS.ErrnoException).code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
  }
}
