/** The official SDK, version 2, over HTTP at 2026-07-28: a resource to subscribe to, and a tool that announces it. */
import { createServer } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";

const URI = "news://today";

const news = () => {
  const server = new McpServer(
    { name: "bench", version: "1.0.0" },
    { capabilities: { resources: { subscribe: true } } },
  );
  server.registerResource("today", URI, {}, () => ({ contents: [{ uri: URI, text: "No news." }] }));
  server.registerTool("announce", { inputSchema: z.object({}) }, () => {
    handler.notify.resourceUpdated(URI);
    return { content: [{ type: "text", text: "announced" }] };
  });
  return server;
};
const handler = createMcpHandler(news, { legacy: "reject", maxSubscriptions: 20_000 });
const listener = createServer(toNodeHandler(handler));
listener.listen(0, "127.0.0.1", () =>
  process.stderr.write(`http://127.0.0.1:${listener.address().port}/mcp\n`),
);
