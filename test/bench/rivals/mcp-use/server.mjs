/** mcp-use: HTTP only. */
import { MCPServer } from "mcp-use";
import * as z from "zod";
import { port, tools } from "../tools.mjs";

const server = new MCPServer({ name: "bench", version: "1.0.0" });
for (const { name, description, input: inputSchema, output: outputSchema, run } of tools(z))
  server.tool({ name, description, inputSchema, ...(outputSchema && { outputSchema }) }, async (args) =>
    run(args),
  );
await server.listen(port);
