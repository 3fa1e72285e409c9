/** The official SDK, version 1: over stdio, and over HTTP with sessions. */
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import * as z from "zod";
import { isHttp, port, tools } from "../tools.mjs";

function createServer() {
  const server = new McpServer({ name: "bench", version: "1.0.0" });
  for (const { name, description, input: inputSchema, output: outputSchema, run } of tools(z))
    server.registerTool(name, { description, inputSchema, outputSchema }, run);
  return server;
}

async function serveStdio() {
  const { StdioServerTransport } = await import("@modelcontextprotocol/sdk/server/stdio.js");
  await createServer().connect(new StdioServerTransport());
}

async function serveHttp() {
  const { randomUUID } = await import("node:crypto");
  const { createMcpExpressApp } = await import("@modelcontextprotocol/sdk/server/express.js");
  const { StreamableHTTPServerTransport } =
    await import("@modelcontextprotocol/sdk/server/streamableHttp.js");
  const transports = new Map();
  const app = createMcpExpressApp();
  const handle = async (request, response) => {
    let transport = transports.get(request.headers["mcp-session-id"]);
    if (transport === undefined) {
      transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        enableJsonResponse: true,
        onsessioninitialized: (id) => transports.set(id, transport),
      });
      await createServer().connect(transport);
    }
    await transport.handleRequest(request, response, request.body);
  };
  app.all("/mcp", (request, response) => void handle(request, response));
  app.listen(port);
}

await (isHttp ? serveHttp() : serveStdio());
