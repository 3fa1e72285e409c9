import type { ClientCapabilities } from "../../protocol/specification.js";

export const TASKS_EXTENSION = "io.modelcontextprotocol/tasks";

/** The capability that a client with tasks declares. */
export const TASKS_CAPABILITY: ClientCapabilities = { extensions: { [TASKS_EXTENSION]: {} } };
