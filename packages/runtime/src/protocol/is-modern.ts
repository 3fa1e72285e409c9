import type { HeaderReader } from "./headers.js";
import { isObject, type Params } from "./jsonrpc.js";
import { CLIENT_CAPABILITIES, PROTOCOL_VERSION } from "./meta-keys.js";
import { findRevision } from "./revisions.js";

/** Returns whether the rules of modern revisions apply to a request. */
export function isModern(method: string, params: Params, header?: HeaderReader): boolean {
  if (method === "server/discover") return true;
  const meta = params._meta;
  if (isObject(meta) && (meta[PROTOCOL_VERSION] !== undefined || meta[CLIENT_CAPABILITIES] !== undefined))
    return true;
  const version = header?.("mcp-protocol-version");
  return version !== undefined && findRevision(version, "modern") !== undefined;
}
