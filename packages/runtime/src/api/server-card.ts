/**
 * The description of a server for clients that have not connected yet. Created by `serverCard` of
 * `@tenon/runtime/server-card`. Experimental: it follows a draft of the specification, which may change.
 *
 * @see https://github.com/modelcontextprotocol/modelcontextprotocol/pull/2127
 */
export interface ServerCard {
  /** The name of the server in the MCP registry. */
  readonly name: string;
}
