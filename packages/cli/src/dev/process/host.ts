/**
 * The program of a process that runs one server under development. It loads what every server needs, waits for its
 * parent process to name the server, and reports when it serves. Its arguments are the transport and the project folder.
 * @module
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Server } from "@tenon/runtime/server";
import { withBrokenCalls, type BrokenDeclaration } from "./broken-calls.js";
import { heldResourceCode } from "./held-resource.js";
import { createIpcConnections } from "./ipc-connections.js";
import type { FromHost, ToHost } from "./server-process.js";

const [, , transport, root = "."] = process.argv;
const received = new Promise<{ load: string; isBeside: boolean }>((resolve) =>
  process.once("message", resolve),
);
let broken: readonly BrokenDeclaration[] = [];
process.on("disconnect", () => process.exit(1));

/** Loads a module of the project's own runtime: another copy would not know the project's decorators. */
async function loadRuntime<M>(entry: string): Promise<M> {
  const path = createRequire(join(root, "package.json")).resolve(`@tenon/runtime/${entry}`);
  return (await import(pathToFileURL(path).href)) as M;
}

const send = (message: FromHost): void => void process.send?.(message);

const { guardStdout } = await loadRuntime<typeof import("@tenon/runtime/stdout-guard")>("stdout-guard");
guardStdout();
const [node, stdio] = await Promise.all([
  transport === "http" ? loadRuntime<typeof import("@tenon/runtime/node")>("node") : undefined,
  loadRuntime<typeof import("@tenon/runtime/serve")>("serve"),
  loadRuntime("server"),
  loadRuntime("validation"),
]);

const { load, isBeside } = await received;

/** Ends the process. One that finds held what it needs leaves it to its parent to make room, and says nothing. */
async function failToLoad(error: unknown): Promise<never> {
  const held = isBeside ? heldResourceCode(error) : undefined;
  if (held !== undefined) {
    process.send?.({ held } satisfies FromHost, () => process.exit(1));
    return new Promise<never>(() => {});
  }
  const { failToStart } = await loadRuntime<typeof import("@tenon/runtime/start-failure")>("start-failure");
  return failToStart(error, import.meta.url);
}

// A port that nobody waits for says by an event that it is taken.
const onStrayError = (error: unknown): void => void failToLoad(error);
process.on("uncaughtException", onStrayError);
const { server } = (await import(load).catch(failToLoad)) as { server: Server };
await new Promise(setImmediate);
process.off("uncaughtException", onStrayError);

/** Lists change with the sources, and whoever reads what handlers throw is their author. */
const development = withBrokenCalls(
  {
    ...server,
    sendsMessages: true,
    connect: (peer) => server.connect(peer, { isDevelopment: true }),
    close: async () => {
      await ipcConnections.drain();
      await server.close();
    },
  },
  () => broken,
);

const ipcConnections = createIpcConnections(development, send);
process.on("message", (message: ToHost) => {
  if ("broken" in message) broken = message.broken;
  else if ("type" in message) ipcConnections.take(message);
});
// A server over stdio ends when its input does, whoever else listens.
process.channel?.unref();

if (node) {
  const listener = await node.listen(development, { host: "127.0.0.1", port: 0 });
  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) process.exit(1);
    stopping = true;
    await listener.close();
    await development.close();
    process.exit(0);
  };
  process.on("SIGINT", () => void stop());
  process.on("SIGTERM", () => void stop());
  send({ port: listener.port });
} else {
  send({ port: 0 });
  await stdio.serve(development, []);
}
