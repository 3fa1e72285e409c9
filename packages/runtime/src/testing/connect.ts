/**
 * In-memory client for tests of servers. It needs no process and no port, and shows what handlers throw.
 * @module
 */
import { findRevision, listRevisionIds, LATEST } from "../protocol/revisions.js";
import type { Server } from "../server.js";
import { MemoryClient } from "./memory-client.js";
import type { ConnectOptions, TestClient } from "./test-client.js";

export { answerRequest, getClientCapabilities } from "./answers.js";
export type { Answers, Elicitation } from "./answers.js";
export { RpcError } from "./memory-transport.js";
export type { ConnectOptions, RequestOptions, TestClient } from "./test-client.js";
export type * from "../api/method-calls.js";

/**
 * Connects to a server in this process.
 *
 * @throws RpcError from every method, if the server responds with a JSON-RPC error.
 * @example
 * const client = await connect(server);
 * const result = await client.callTool("current", { city: "Oslo" });
 */
export async function connect(server: Server, options: ConnectOptions = {}): Promise<TestClient> {
  const { revision: id = LATEST.id } = options;
  const revision = findRevision(id);
  if (revision === undefined) {
    const supported = listRevisionIds().join(", ");
    throw new Error(`The protocol revision "${id}" is not supported. Supported: ${supported}.`);
  }
  const client = new MemoryClient(server, revision, options);
  await client.open();
  return client;
}
