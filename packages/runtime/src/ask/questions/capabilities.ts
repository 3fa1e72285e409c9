import type { Call } from "../../connection/call.js";
import { ProtocolError, ToolError } from "../../api/errors.js";
import * as ErrorCode from "../../protocol/error-codes.js";
import { isObject } from "../../protocol/jsonrpc.js";
import type { ClientCapabilities } from "../../protocol/specification.js";

/**
 * True when a client that declares `declared` may be asked for what needs `needed`. An `elicitation` without
 * members means forms.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#capabilities
 */
export function declares(declared: ClientCapabilities, needed: ClientCapabilities): boolean {
  return Object.entries(needed).every(([name, parts]) => {
    const found = Object.hasOwn(declared, name) ? declared[name] : undefined;
    if (!isObject(found)) return false;
    return Object.keys(isObject(parts) ? parts : {}).every((part) => {
      if (Object.hasOwn(found, part)) return isObject(found[part]);
      return name === "elicitation" && part === "form" && !Object.hasOwn(found, "url");
    });
  });
}

/** The error for a client that did not declare what a question needs, or of which nobody can know whether it does. */
export function missingCapability(call: Call, needed: ClientCapabilities): Error {
  const names = capabilityNames(needed);
  // It served this request alone: what its client said in `initialize` was another.
  const message =
    call.session.peer.revision === undefined
      ? `The client does not declare the capability ${names}, which this needs.`
      : `This needs the capability ${names}. The server keeps no sessions, so it can ask only clients of 2026-07-28 or later.`;
  if (call.revision.missingCapability === "tool-error") return new ToolError(message);
  const data = { requiredCapabilities: needed };
  return new ProtocolError(ErrorCode.MissingRequiredClientCapability, message, data, 400);
}

/** `{ elicitation: { url: {} } }` as `"elicitation.url"`. */
function capabilityNames(needed: ClientCapabilities): string {
  return Object.entries(needed)
    .map(([name, parts]) => `"${[name, ...Object.keys(isObject(parts) ? parts : {})].join(".")}"`)
    .join(" and ");
}
