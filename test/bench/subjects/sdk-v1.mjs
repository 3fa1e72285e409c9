/** The official SDK, version 1: over stdio, and over HTTP with sessions or (`--stateless`) without. */
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { withTools } from "./sdk-tools.mjs";

const createServer = () => withTools(new McpServer({ name: "bench", version: "1.0.0" }));

async function serveStdio() {
  const { StdioServerTransport } = await import("@modelcontextprotocol/sdk/server/stdio.js");
  await createServer().connect(new StdioServerTransport());
}

async function serveHttp() {
  const http = await import("node:http");
  const { randomUUID } = await import("node:crypto");
  const { StreamableHTTPServerTransport } =
    await import("@modelcontextprotocol/sdk/server/streamableHttp.js");
  const stateless = process.argv.includes("--stateless");
  /** @type {Map<string, InstanceType<typeof StreamableHTTPServerTransport>>} */
  const sessions = new Map();

  const open = async () => {
    const transport = new StreamableHTTPServerTransport({
      enableJsonResponse: true,
      sessionIdGenerator: stateless ? undefined : randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await createServer().connect(transport);
    return transport;
  };
  const listener = http.createServer(async (request, response) => {
    const transport = sessions.get(String(request.headers["mcp-session-id"])) ?? (await open());
    if (stateless) response.on("close", () => void transport.close());
    await transport.handleRequest(request, response);
  });
  listener.listen(0, "127.0.0.1", () =>
    process.stderr.write(`http://127.0.0.1:${listener.address().port}/mcp\n`),
  );
}

await (process.argv.includes("--http") ? serveHttp() : serveStdio());
