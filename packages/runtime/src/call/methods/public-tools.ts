import type { Entries } from "../assembly/entries.js";
import { Call } from "../connection/call.js";
import type { CallServer } from "../connection/call-server.js";
import { isVisibleTo } from "../../manifest.js";
import { UNKNOWN_CLIENT } from "../../protocol/client-description.js";
import { NO_PARAMS } from "../../protocol/jsonrpc.js";
import { LATEST } from "../../protocol/revisions.js";
import type { Tool } from "../../protocol/specification.js";
import type { Peer } from "../../transports/transport.js";

/** A caller about whom nothing is known. */
const ANONYMOUS: Peer = { endsWithResponse: true, send: () => {} };

/**
 * Returns the tools that any caller may see and use: none that needs a scope or a principal, none that `enabled` or
 * `authorize` hides from an anonymous caller, and none that is only for views.
 */
export function listPublicTools({ tools }: Entries, server: CallServer): Tool[] {
  const call = new Call(server, undefined, 0, "tools/list", NO_PARAMS, LATEST, UNKNOWN_CLIENT, ANONYMOUS);
  return [...tools.values()].flatMap(({ entry, handler }) => {
    const { definition, scopes = [] } = entry;
    const needsPrincipal = entry.handler.parameters.some(
      (parameter) => parameter.from === "principal" && parameter.optional !== true,
    );
    const isPublic =
      scopes.length === 0 && !needsPrincipal && isVisibleTo(entry, "model") && handler.isEnabled(call);
    return isPublic ? definition : [];
  });
}
