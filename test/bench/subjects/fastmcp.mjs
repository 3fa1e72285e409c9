/** FastMCP, with the same zod schemas as the official SDKs: stdio, and sessions over HTTP. */
import { FastMCP } from "fastmcp";
import { registrations } from "./sdk-tools.mjs";

const quiet = () => {};
const logger = { debug: quiet, error: quiet, info: quiet, log: quiet, warn: quiet };
const server = new FastMCP({ name: "bench", version: "1.0.0", logger });
for (const { name, config, handler } of registrations()) {
  const { description, inputSchema, outputSchema, annotations } = config;
  server.addTool({
    name,
    description,
    parameters: inputSchema,
    ...(outputSchema && { outputSchema }),
    ...(annotations && { annotations }),
    execute: async (/** @type {any} */ args) => handler(args),
  });
}
await server.start({ transportType: "stdio" });
