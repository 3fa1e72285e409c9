import type { Call } from "../../connection/call.js";

/** True for a request that brings answers; its result depends on them and must not be cached. */
export function isRetry(call: Call): boolean {
  return call.params.inputResponses !== undefined || call.params.requestState !== undefined;
}
