/** tmcp: over stdio, and over HTTP. */
import { ZodJsonSchemaAdapter } from "@tmcp/adapter-zod";
import { McpServer } from "tmcp";
import * as z from "zod";
import { isHttp, port, tools } from "../tools.mjs";

const server = new McpServer(
  { name: "bench", version: "1.0.0", description: "Three tools" },
  { adapter: new ZodJsonSchemaAdapter(), capabilities: { tools: { listChanged: true } } },
);
for (const { name, description, input: schema, output: outputSchema, run } of tools(z))
  server.tool({ name, description, schema, ...(outputSchema && { outputSchema }) }, async (args) =>
    run(args),
  );

if (isHttp) {
  const http = await import("node:http");
  const { createRequestListener } = await import("@remix-run/node-fetch-server");
  const { HttpTransport } = await import("@tmcp/transport-http");
  const transport = new HttpTransport(server, { path: "/mcp" });
  const listener = createRequestListener(
    async (request) => (await transport.respond(request)) ?? new Response(null, { status: 404 }),
  );
  http.createServer(listener).listen(port);
} else {
  const { StdioTransport } = await import("@tmcp/transport-stdio");
  new StdioTransport(server).listen();
}
