/** The official SDK, version 2, with its Node adapter: both eras over stdio; 2026-07-28 and sessions over HTTP. */
import { McpServer } from "@modelcontextprotocol/server";
import { withTools } from "./sdk-tools.mjs";

const createServer = () => withTools(new McpServer({ name: "bench", version: "1.0.0" }));

async function serveStdio() {
  const { serveStdio: serve } = await import("@modelcontextprotocol/server/stdio");
  serve(createServer);
}

async function serveHttp() {
  const http = await import("node:http");
  const { randomUUID } = await import("node:crypto");
  const { createMcpHandler } = await import("@modelcontextprotocol/server");
  const adapter = await import("@modelcontextprotocol/node");
  const isHostAllowed = adapter.localhostHostValidation();
  const isOriginAllowed = adapter.localhostOriginValidation();
  const modern = createMcpHandler(createServer, { legacy: "reject" });
  const serveModern = adapter.toNodeHandler(modern);
  /** @type {Map<string, InstanceType<typeof adapter.NodeStreamableHTTPServerTransport>>} */
  const sessions = new Map();

  const open = async () => {
    const transport = new adapter.NodeStreamableHTTPServerTransport({
      enableJsonResponse: true,
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await createServer().connect(transport);
    return transport;
  };
  const listener = http.createServer(async (request, response) => {
    if (!isHostAllowed(request, response) || !isOriginAllowed(request, response)) return;
    if (request.headers["mcp-protocol-version"] === "2026-07-28") {
      await serveModern(request, response);
      return;
    }
    const transport = sessions.get(String(request.headers["mcp-session-id"])) ?? (await open());
    await transport.handleRequest(request, response);
  });
  listener.listen(0, "127.0.0.1", () =>
    process.stderr.write(`http://127.0.0.1:${listener.address().port}/mcp\n`),
  );
}

await (process.argv.includes("--http") ? serveHttp() : serveStdio());
