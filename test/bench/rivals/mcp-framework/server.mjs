/** mcp-framework: over stdio, and over HTTP with sessions. It finds the tools in folders. */
import { join } from "node:path";
import { MCPServer } from "mcp-framework";
import { isHttp, port } from "../tools.mjs";

const server = new MCPServer({
  name: "bench",
  version: "1.0.0",
  basePath: join(import.meta.dirname, process.env.BENCH_PROBES === undefined ? "app" : "probes"),
  transport: isHttp ? { type: "http-stream", options: { port } } : { type: "stdio" },
});
await server.start();
