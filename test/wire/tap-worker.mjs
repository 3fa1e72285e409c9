import { currentRecorder } from "./recorder.mjs";
import { tapServer } from "./tap-memory.mjs";
import { tapNodeHttp } from "./tap-node-http.mjs";

/** @import { Server } from "@tenon/runtime/server" */

const TAPPED = Symbol.for("tenon.test.tapped");

/** Begins a conversation of this test worker. */
export const open = currentRecorder();

/** Records the messages of servers of `node:http` in this process, once for all test files that it runs. */
export function tapThisProcess() {
  const known = /** @type {Record<symbol, boolean>} */ (/** @type {unknown} */ (globalThis));
  if (known[TAPPED] === true) return;
  known[TAPPED] = true;
  tapNodeHttp(open);
}

/** The servers behind those that are tapped. @type {WeakMap<Server, Server>} */
const behind = new WeakMap();

/**
 * Returns a recorded server for clients that connect to it without a transport.
 *
 * @param {Server} server
 * @returns {Server}
 */
export function tapped(server) {
  if (behind.has(server)) return server;
  const front = tapServer(server, open);
  behind.set(front, server);
  return front;
}

/**
 * Returns the server for a transport, whose messages are recorded there.
 *
 * @param {Server} server
 * @returns {Server}
 */
export function untapped(server) {
  return behind.get(server) ?? server;
}
