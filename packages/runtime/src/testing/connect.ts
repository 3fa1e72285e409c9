/**
 * An in-memory client, for tests of servers: no process, no port, and what handlers throw is shown.
 * @module
 */
import { findRevision, LATEST } from "../protocol/revisions.js";
import type { Server } from "../server.js";
import { MemoryClient } from "./memory-client.js";
import type { ConnectOptions, TestClient } from "./test-client.js";

export type { Answers, Elicitation } from "./answers.js";
export { RpcError } from "./memory-transport.js";
export type { ConnectOptions, RequestOptions, TestClient } from "./test-client.js";

/**
 * Connects to a server in this process.
 *
 * @throws RpcError from every method, when the server answers with a JSON-RPC error.
 * @example
 * const client = await connect(server);
 * const result = await client.callTool("current", { city: "Oslo" });
 */
export async function connect(server: Server, options: ConnectOptions = {}): Promise<TestClient> {
  const { revision: id = LATEST.id } = options;
  const revision = findRevision(id);
  if (revision === undefined) throw new Error(`The protocol revision "${id}" is not supported.`);
  const client = new MemoryClient(server, revision, options);
  await client.open();
  return client;
}
