import { currentRecorder } from "./recorder.mjs";
import { tapServer } from "./tap-memory.mjs";
import { tapNodeHttp } from "./tap-node-http.mjs";

/** @import { Server } from "@tenon/runtime/server" */

const TAPPED = Symbol.for("tenon.test.tapped");

/** Begins a conversation of this test worker. */
export const open = currentRecorder();

/** Writes down what servers of `node:http` in this process say, once for all test files that it runs. */
export function tapThisProcess() {
  const known = /** @type {Record<symbol, boolean>} */ (/** @type {unknown} */ (globalThis));
  if (known[TAPPED] === true) return;
  known[TAPPED] = true;
  tapNodeHttp(open);
}

/**
 * What tests must connect to that want a connection without a transport.
 *
 * @param {Server} server
 */
export function tapped(server) {
  return tapServer(server, open);
}
