import { isDeepStrictEqual } from "node:util";
import { LATEST } from "../generate/messages.mjs";

/** @import { Subject } from "./subjects.mjs" */

/** Creates a valid request. @param {Subject} subject @param {string} id */
export function goodCall({ good }, id) {
  return {
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: {
      name: good.name,
      arguments: good.arguments,
      _meta: {
        "io.modelcontextprotocol/protocolVersion": LATEST,
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    },
  };
}

/** Returns whether a message is the expected response. @param {Subject} subject @param {any} message */
export function isGoodAnswer({ good }, message) {
  return isDeepStrictEqual(message?.result?.content, [{ type: "text", text: good.text }]);
}

/**
 * Rejects if a promise does not settle in time.
 *
 * @template T
 * @param {Promise<T>} promise
 * @param {string} what
 * @param {number} neverMs
 * @returns {Promise<T>}
 */
export async function inTime(promise, what, neverMs) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const never = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Never: ${what}.`)), neverMs);
  });
  try {
    return await /** @type {Promise<T>} */ (Promise.race([promise, never]));
  } finally {
    clearTimeout(timer);
  }
}
