/**
 * Describes a request with the attributes of the semantic conventions for MCP.
 *
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/mcp/
 * @module
 */
import type { Attributes } from "@opentelemetry/api";
import type { CallSummary, ObservedCall } from "../../api/observer.js";
import { redactUri } from "../log/redacted-call.js";
import { getMethodLabel } from "../../protocol/request-methods.js";

export const METHOD = "mcp.method.name";

/** Returns the attributes at the start of a request. */
export function getStartAttributes(call: ObservedCall): Attributes {
  const { id, session, address } = call;
  return {
    ...getCommonAttributes(call),
    "jsonrpc.request.id": String(id).slice(0, 128),
    ...(session && { "mcp.session.id": session.id }),
    ...(address !== undefined && { "client.address": address }),
  };
}

/** Returns the attributes at the end of a request. */
export function getEndAttributes(call: ObservedCall, summary: CallSummary): Attributes {
  const uri = redactUri(call);
  return {
    ...getTargetAttributes(call),
    ...(uri !== undefined && { "mcp.resource.uri": uri }),
    ...getErrorAttributes(summary),
    ...(summary.reference !== undefined && { "tenon.error.reference": summary.reference }),
  };
}

/** Returns the attributes of a duration. Each of them has few values. */
export function getMetricAttributes(call: ObservedCall, summary: CallSummary): Attributes {
  return { ...getCommonAttributes(call), ...getTargetAttributes(call), ...getErrorAttributes(summary) };
}

function getCommonAttributes({ method, revision, transport }: ObservedCall): Attributes {
  const isHttp = transport === "http";
  return {
    // A client can send any method.
    [METHOD]: getMethodLabel(method, "_OTHER"),
    ...(method === "tools/call" && { "gen_ai.operation.name": "execute_tool" }),
    "mcp.protocol.version": revision,
    "network.transport": isHttp ? "tcp" : "pipe",
    ...(isHttp && { "network.protocol.name": "http" }),
  };
}

/** Returns the attributes of the target, if it exists: a client can send any name. */
function getTargetAttributes({ method, name }: ObservedCall): Attributes {
  if (name === undefined) return {};
  if (method === "tools/call") return { "gen_ai.tool.name": name };
  return method === "prompts/get" ? { "gen_ai.prompt.name": name } : {};
}

function getErrorAttributes({ outcome, code }: CallSummary): Attributes {
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
