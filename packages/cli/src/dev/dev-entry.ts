/** How a development server is reached. */
export type DevTransport = "http" | "stdio";

/**
 * The module a development server starts from. It tells its parent process when it serves, and lets clients
 * read what handlers throw, because whoever reads it is the author.
 */
export const devEntry = {
  name: "dev.js",
  text: (transport: DevTransport): string => `${START}${transport === "http" ? HTTP : STDIO}`,
};

const START = `import { guardStdout } from "@tenon/runtime/stdout-guard";

guardStdout();
process.on("disconnect", () => process.exit(1));

const { server } = await import("./app.js");
const development = {
  ...server,
  connect: (peer) => server.connect({ send: (text) => peer.send(text), exposesErrors: true }),
};
`;

const HTTP = `
const { listen } = await import("@tenon/runtime/node");
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
const { serve } = await import("@tenon/runtime/serve");
process.send({ ready: 0 });
await serve(development, []);
`;
