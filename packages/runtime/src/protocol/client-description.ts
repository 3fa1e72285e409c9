import { isObject } from "./jsonrpc.js";
import type { ClientCapabilities, Implementation } from "./specification.js";

/** Description of the client, valid for one request. */
export interface ClientDescription {
  readonly info?: Implementation;
  readonly capabilities: ClientCapabilities;
}

/** Description of an unknown client. */
export const UNKNOWN_CLIENT: ClientDescription = Object.freeze({ capabilities: Object.freeze({}) });

/** Returns whether a value has a name and a version, and can be forwarded as an `Implementation`. */
export function isImplementation(value: unknown): value is Implementation {
  return isObject(value) && typeof value.name === "string" && typeof value.version === "string";
}
