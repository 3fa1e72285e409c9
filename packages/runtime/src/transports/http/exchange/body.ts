import { isUtf8 } from "node:buffer";
import * as ErrorCode from "../../../protocol/error-codes.js";
import type { BodyBytes, HttpExchange } from "./exchange.js";
import { rejectAndReport } from "./rejection.js";
import { isJsonType } from "./media-types.js";
import { toWellFormedJson } from "../../../protocol/well-formed.js";

/**
 * Reads the message in the body of a POST. Rejects a body whose headers do not declare JSON, since a page of
 * another origin could send it without a preflight request.
 *
 * @returns undefined after the request was rejected. Never resolves if the client disconnects first
 */
export async function readMessage(exchange: HttpExchange, limit: number): Promise<unknown> {
  const { header } = exchange;
  if (!isJsonType(header("content-type"))) {
    return rejectAndReport(exchange, 415, "Content-Type must be application/json.");
  }
  if ((header("content-encoding") ?? "identity") !== "identity") {
    return rejectAndReport(exchange, 415, "Content-Encoding is not supported.");
  }
  const body = await new Promise<BodyBytes | undefined>((resolve) => exchange.read(limit, resolve));
  if (body === undefined) return rejectAndReport(exchange, 413, `The body may be at most ${limit} bytes.`);
  try {
    // `JSON.parse("")` throws, so a body that is not UTF-8 is rejected like invalid JSON.
    return JSON.parse(isUtf8(body) ? toWellFormedJson(body.toString()) : "");
  } catch {
    return rejectAndReport(exchange, 400, "The body is not valid JSON in UTF-8.", ErrorCode.ParseError);
  }
}
