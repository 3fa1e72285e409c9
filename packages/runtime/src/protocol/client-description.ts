import { isObject } from "./jsonrpc.js";
import type { ClientCapabilities, Implementation } from "./specification.js";

/** What the client says of itself, for the time of one request. */
export interface ClientDescription {
  readonly info?: Implementation;
  readonly capabilities: ClientCapabilities;
}

/** The client of which nothing is known. */
export const UNKNOWN_CLIENT: ClientDescription = Object.freeze({ capabilities: Object.freeze({}) });

/** True when a client's description of itself can be passed on as one. */
export function isImplementation(value: unknown): value is Implementation {
  return isObject(value) && typeof value.name === "string" && typeof value.version === "string";
}
