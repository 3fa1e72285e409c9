import type { Stage } from "./stage.js";

/** Downloads files in arguments, before the handler is called. */
export const downloadFiles: Stage = (next, target, server) =>
  server.createDownloads?.(next, target, server) ?? next;
