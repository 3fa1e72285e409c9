/** FastMCP: over stdio, and over HTTP with sessions. */
import { FastMCP } from "fastmcp";
import * as z from "zod";
import { isHttp, port, tools } from "../tools.mjs";

const server = new FastMCP({ name: "bench", version: "1.0.0" });
for (const { name, description, input: parameters, output: outputSchema, run } of tools(z))
  server.addTool({
    name,
    description,
    parameters,
    ...(outputSchema && { outputSchema }),
    execute: async (args) => run(args),
  });
await server.start(
  isHttp ? { transportType: "httpStream", httpStream: { port } } : { transportType: "stdio" },
);
