import { isUtf8 } from "node:buffer";
import * as ErrorCode from "../../../protocol/error-codes.js";
import type { HttpExchange } from "./exchange.js";
import { refuseAndReport } from "./refusal.js";
import { isJsonType } from "./media-types.js";

/**
 * Reads the message that a POST carries. What is none is refused, and `done` not called: a body that is not JSON by
 * its headers could have been sent by a page that was not asked for consent.
 */
export function readMessage(exchange: HttpExchange, limit: number, done: (message: unknown) => void): void {
  const { header } = exchange;
  if (!isJsonType(header("content-type"))) {
    return refuseAndReport(exchange, 415, "Content-Type must be application/json.");
  }
  if ((header("content-encoding") ?? "identity") !== "identity") {
    return refuseAndReport(exchange, 415, "Content-Encoding is not supported.");
  }
  exchange.read(limit, (body) => {
    if (body === undefined)
      return refuseAndReport(exchange, 413, `The body may have at most ${limit} bytes.`);
    let message: unknown;
    try {
      // No JSON is empty.
      message = JSON.parse(isUtf8(body) ? body.toString() : "");
    } catch {
      return refuseAndReport(exchange, 400, "The body is not valid JSON in UTF-8.", ErrorCode.ParseError);
    }
    done(message);
  });
}
