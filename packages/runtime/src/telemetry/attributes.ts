/**
 * A request in the words of the semantic conventions for MCP.
 *
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/mcp/
 * @module
 */
import type { Attributes } from "@opentelemetry/api";
import type { CallEnd, ObservedCall } from "../api/observer.js";
import { uriOf } from "../log/shown-call.js";
import { countedMethod } from "../protocol/request-methods.js";

export const METHOD = "mcp.method.name";

/** Of one request. */
export function atStart(call: ObservedCall): Attributes {
  const { id, session, address } = call;
  return {
    ...ofEach(call),
    "jsonrpc.request.id": String(id).slice(0, 128),
    ...(session && { "mcp.session.id": session.id }),
    ...(address !== undefined && { "client.address": address }),
  };
}

/** What is known of it in the end. */
export function atEnd(call: ObservedCall, end: CallEnd): Attributes {
  const uri = uriOf(call);
  return {
    ...ofTarget(call),
    ...(uri !== undefined && { "mcp.resource.uri": uri }),
    ...ofError(end),
    ...(end.reference !== undefined && { "tenon.error.reference": end.reference }),
  };
}

/** What its duration is counted under: nothing of which there are more than a few. */
export function ofMetrics(call: ObservedCall, end: CallEnd): Attributes {
  return { ...ofEach(call), ...ofTarget(call), ...ofError(end) };
}

function ofEach({ method, revision, transport }: ObservedCall): Attributes {
  const isHttp = transport === "http";
  return {
    // A client can send any.
    [METHOD]: countedMethod(method, "_OTHER"),
    ...(method === "tools/call" && { "gen_ai.operation.name": "execute_tool" }),
    "mcp.protocol.version": revision,
    "network.transport": isHttp ? "tcp" : "pipe",
    ...(isHttp && { "network.protocol.name": "http" }),
  };
}

/** Only what there is: a client can name anything. */
function ofTarget({ method, name }: ObservedCall): Attributes {
  if (name === undefined) return {};
  if (method === "tools/call") return { "gen_ai.tool.name": name };
  return method === "prompts/get" ? { "gen_ai.prompt.name": name } : {};
}

function ofError({ outcome, code }: CallEnd): Attributes {
  if (code !== undefined) return { "error.type": String(code), "rpc.response.status_code": String(code) };
  switch (outcome) {
    case "ok":
    case "input-required":
    case "task":
      return {};
    case "cancelled":
    case "timeout":
      return { "error.type": outcome };
    default:
      return { "error.type": "tool_error" };
  }
}
