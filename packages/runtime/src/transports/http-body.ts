import { isUtf8 } from "node:buffer";
import * as ErrorCode from "../error-codes.js";
import type { Headers, HttpIncoming, HttpOutgoing } from "./http-exchange.js";
import { refuse } from "./http-refusal.js";
import { isJsonType } from "./media-types.js";

/** Reads the message that a POST carries; one that is none is refused, and `done` not called. */
export function readMessage(
  incoming: HttpIncoming,
  outgoing: HttpOutgoing,
  headers: Headers,
  limit: number,
  done: (message: unknown) => void,
): void {
  incoming.read(limit, (body) => {
    if (body === "aborted") return;
    if (body === "too-large") {
      const problem = `The body may have at most ${limit} bytes.`;
      return refuse(outgoing, 413, problem, { ...headers, connection: "close" });
    }
    const message = parse(body);
    if (message === undefined) {
      return refuse(outgoing, 400, "The body is not valid JSON in UTF-8.", headers, ErrorCode.ParseError);
    }
    done(message.value);
  });
}

/** Refuses a body that is not JSON by its headers: a page could send one without being asked for consent. */
export function refusesBody(incoming: HttpIncoming, outgoing: HttpOutgoing, headers: Headers): boolean {
  if (!isJsonType(incoming.header("content-type"))) {
    refuse(outgoing, 415, "Content-Type must be application/json.", headers);
    return true;
  }
  if ((incoming.header("content-encoding") ?? "identity") !== "identity") {
    refuse(outgoing, 415, "Content-Encoding is not supported.", headers);
    return true;
  }
  return false;
}

function parse(body: Uint8Array): { value: unknown } | undefined {
  if (!isUtf8(body)) return undefined;
  try {
    return { value: JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8")) };
  } catch {
    return undefined;
  }
}
