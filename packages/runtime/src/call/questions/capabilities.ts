import { ProtocolError, ToolError } from "../../api/errors.js";
import * as ErrorCode from "../../protocol/error-codes.js";
import { isObject } from "../../protocol/jsonrpc.js";
import type { Revision } from "../../protocol/revisions.js";
import type { ClientCapabilities } from "../../protocol/specification.js";

/** The parts of a call that determine which questions its client supports. */
export interface InputClient {
  readonly revision: Revision;
  /** `revision` is set for a legacy client without a session. */
  readonly peer: { readonly revision?: Revision | undefined };
}

/**
 * Returns whether a client that declares some capabilities has all those that a question needs. An `elicitation` without
 * members means forms.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#capabilities
 */
export function hasCapabilities(declared: ClientCapabilities, needed: ClientCapabilities): boolean {
  return Object.entries(needed).every(([name, parts]) => {
    const found = Object.hasOwn(declared, name) ? declared[name] : undefined;
    if (!isObject(found)) return false;
    return Object.keys(isObject(parts) ? parts : {}).every((part) => {
      if (Object.hasOwn(found, part)) return isObject(found[part]);
      return name === "elicitation" && part === "form" && !Object.hasOwn(found, "url");
    });
  });
}

/**
 * Returns the error for a client that lacks a capability. In a server without sessions, this is every legacy client,
 * since later requests do not carry what it declared in `initialize`.
 */
export function createMissingCapabilityError(client: InputClient, needed: ClientCapabilities): Error {
  const names = getCapabilityNames(needed);
  const { revision } = client;
  const message =
    client.peer.revision !== undefined
      ? `This call needs the capability ${names}. The server keeps no sessions, so it can ask only clients of 2026-07-28 or later.`
      : hasElicitation(revision, needed)
        ? `The client does not declare the capability ${names}, which this call needs.`
        : `This call needs the capability ${names}, which the protocol revision ${revision.id} does not have.`;
  if (revision.missingCapability === "tool-error") return new ToolError(message);
  const data = { requiredCapabilities: needed };
  return new ProtocolError(ErrorCode.MissingRequiredClientCapability, message, data, 400);
}

/** Returns whether a revision has the modes of elicitation that a call needs. Clients cannot declare others. */
function hasElicitation(
  { clientRequests }: Revision,
  { elicitation: { form, url } = {} }: ClientCapabilities,
): boolean {
  return (!form || clientRequests.form !== "none") && (!url || clientRequests.url !== "none");
}

/** Returns names for a message, such as `"elicitation.url"` for `{ elicitation: { url: {} } }`. */
function getCapabilityNames(needed: ClientCapabilities): string {
  return Object.entries(needed)
    .map(([name, parts]) => `"${[name, ...Object.keys(isObject(parts) ? parts : {})].join(".")}"`)
    .join(" and ");
}
