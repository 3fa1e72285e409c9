/** The official SDK, version 2: both eras over stdio and over HTTP. */
import { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { isHttp, port, tools } from "../tools.mjs";

function createServer() {
  const server = new McpServer({ name: "bench", version: "1.0.0" });
  for (const { name, description, input: inputSchema, output: outputSchema, run } of tools(z))
    server.registerTool(name, { description, inputSchema, ...(outputSchema && { outputSchema }) }, run);
  return server;
}

async function serveStdio() {
  const { serveStdio: serve } = await import("@modelcontextprotocol/server/stdio");
  serve(createServer);
}

async function serveHttp() {
  const http = await import("node:http");
  const { createMcpHandler } = await import("@modelcontextprotocol/server");
  const { localhostHostValidation, localhostOriginValidation, toNodeHandler } =
    await import("@modelcontextprotocol/node");
  const handle = toNodeHandler(createMcpHandler(createServer));
  const isHostAllowed = localhostHostValidation();
  const isOriginAllowed = localhostOriginValidation();
  http
    .createServer((request, response) => {
      if (isHostAllowed(request, response) && isOriginAllowed(request, response))
        void handle(request, response);
    })
    .listen(port);
}

await (isHttp ? serveHttp() : serveStdio());
