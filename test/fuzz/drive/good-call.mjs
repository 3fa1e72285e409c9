import { isDeepStrictEqual } from "node:util";
import { LATEST } from "../generate/messages.mjs";

/** @import { Subject } from "./subjects.mjs" */

/** A request of a client that makes no mistake. @param {Subject} subject @param {string} id */
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

/** True for the answer that is due. @param {Subject} subject @param {any} message */
export function isGoodAnswer({ good }, message) {
  return isDeepStrictEqual(message?.result?.content, [{ type: "text", text: good.text }]);
}

/**
 * Rejects when something never happens.
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
