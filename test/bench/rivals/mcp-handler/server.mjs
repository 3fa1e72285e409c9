/** mcp-handler, mounted in Hono: HTTP only. */
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { createMcpHandler } from "mcp-handler";
import * as z from "zod";
import { port, tools } from "../tools.mjs";

const handler = createMcpHandler((server) => {
  for (const { name, description, input: inputSchema, output: outputSchema, run } of tools(z))
    server.registerTool(name, { description, inputSchema, ...(outputSchema && { outputSchema }) }, run);
});
const app = new Hono();
app.all("/mcp", (c) => handler(c.req.raw));
serve({ fetch: app.fetch, port });
