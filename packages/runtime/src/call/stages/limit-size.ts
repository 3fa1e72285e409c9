import type { ResultStep } from "./stage.js";

/** Rejects results that are too large for models. */
export const limitSize: ResultStep = (target, server) => server.createResultLimit?.(target, server);
