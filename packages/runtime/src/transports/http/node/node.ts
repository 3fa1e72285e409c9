/**
 * Streamable HTTP on Node. A built server imports only the part that listens.
 * @module
 */
export { createNodeHandler, type NodeHandler, type NodeHandlerOptions } from "./node-handler.js";
export { listen, ListenError, type Listener, type ListenOptions } from "./node-server.js";
