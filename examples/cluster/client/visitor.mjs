import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

/**
 * A user with the official MCP client.
 *
 * @typedef {object} Visitor
 * @property {Client} client
 * @property {StreamableHTTPClientTransport} transport
 * @property {(play: string) => Promise<any>} book
 * @property {(play: string) => Promise<number>} seatsLeft
 */

/**
 * Connects a client for a user.
 *
 * @param {string} name @param {string} url
 * @param {object} options
 * @param {"legacy" | "auto"} options.mode `legacy`: with a session, 2025-11-25; `auto`: 2026-07-28
 * @param {() => Promise<object | undefined> | object | undefined} [options.answer] returns the number of seats, or undefined to decline
 * @param {typeof fetch} [options.send]
 * @returns {Promise<Visitor>}
 */
export async function visit(name, url, { mode, answer, send = fetch }) {
  const client = new Client(
    { name: `${name}'s client`, version: "1.0.0" },
    {
      capabilities: answer === undefined ? {} : { elicitation: { form: {} } },
      versionNegotiation: { mode },
    },
  );
  if (answer !== undefined) {
    client.setRequestHandler("elicitation/create", async () => {
      const content = await answer();
      return content === undefined ? { action: "decline" } : { action: "accept", content };
    });
  }
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: send,
    // A client that reconnects after a broken stream receives the rest.
    reconnectionOptions: {
      initialReconnectionDelay: 100,
      maxReconnectionDelay: 1000,
      reconnectionDelayGrowFactor: 1.5,
      maxRetries: 20,
    },
  });
  await client.connect(transport);
  const call = async (/** @type {string} */ tool, /** @type {object} */ args) => {
    const result = await client.callTool({ name: tool, arguments: { ...args } });
    return result.structuredContent ?? result.content;
  };
  return {
    client,
    transport,
    book: (play) => call("book", { play }),
    seatsLeft: async (play) => (await call("seats", { play })).left,
  };
}
