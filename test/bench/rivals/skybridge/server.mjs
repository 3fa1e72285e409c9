/** Skybridge: over stdio and over HTTP. It reads the port from the environment, as `skybridge start` passes it. */
import { Skybridge } from "skybridge/server";
import * as z from "zod";
import { isHttp, tools } from "../tools.mjs";

const app = new Skybridge({
  name: "bench",
  version: "1.0.0",
  handler: (server) => {
    for (const { name, description, input, output, run } of tools(z))
      server.registerTool(
        { name, description, inputSchema: input.shape, ...(output && { outputSchema: output.shape }) },
        async (args) => run(args),
      );
    return server;
  },
});
if (isHttp) {
  await app.run();
} else {
  const { StdioServerTransport } = await import("@modelcontextprotocol/server/stdio");
  await app.connect(new StdioServerTransport());
}
