import type { Stage } from "./stage.js";

/** Turns files that a handler returns into content. */
export const sendFiles: Stage = (next, target, server) =>
  target.entry.files === true ? (server.createFileResults?.(next, target, server) ?? next) : next;
