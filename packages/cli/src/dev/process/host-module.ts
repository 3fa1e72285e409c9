/** How a development server is reached. */
export type DevTransport = "http" | "stdio";

/**
 * The text of the module a development server starts from. It loads what every server needs, waits for its parent
 * process to name the server, and tells it when it serves. Clients may read what handlers throw, and hear of results
 * that break the output schema, because whoever reads it is the author.
 */
export function hostModule(transport: DevTransport): string {
  return `${IMPORTS}${transport === "http" ? HTTP_IMPORTS : STDIO_IMPORTS}${START}${transport === "http" ? HTTP : STDIO}`;
}

const IMPORTS = `import { guardStdout } from "@tenon/runtime/stdout-guard";
import "@tenon/runtime";
import "@tenon/runtime/server";
import { serve } from "@tenon/runtime/serve";
import "@tenon/runtime/validation";
`;

const HTTP_IMPORTS = `import { listen } from "@tenon/runtime/node";
`;

const STDIO_IMPORTS = `import "@tenon/runtime/stdio";
`;

// Awaited where the module stands, so that Node shows the place of what fails while it is loaded.
const START = `
guardStdout();
process.on("disconnect", () => process.exit(1));
const { load } = await new Promise((resolve) => process.once("message", resolve));

const { server } = await import(load);
// Whatever the server is, its lists change with its sources, and clients are told.
const development = {
  ...server,
  sendsMessages: true,
  connect: (peer) => server.connect(peer, { isDevelopment: true }),
};
`;

const HTTP = `
const listener = await listen(development, { host: "127.0.0.1", port: 0 });
let stopping = false;
const stop = async () => {
  if (stopping) process.exit(1);
  stopping = true;
  await listener.close();
  await server.close();
  process.exit(0);
};
process.on("SIGINT", stop);
process.on("SIGTERM", stop);
process.send({ ready: listener.port });
`;

const STDIO = `
process.send({ ready: 0 });
await serve(development, []);
`;
