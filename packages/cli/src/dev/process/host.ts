/**
 * The program of a process that runs one server of `tenon dev`. It loads the runtime, waits for its parent process to name
 * the server, and reports when it serves. Its arguments are the transport and the project folder.
 * @module
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Server } from "@tenon/runtime/server";
import { withFailedCalls, type FailedDeclaration } from "./failed-calls.js";
import { withFreshLists } from "./fresh-lists.js";
import { findResourceConflict } from "./resource-conflict.js";
import { createIpcConnections } from "./ipc-connections.js";
import type { FromHost, ToHost } from "./server-process.js";

const [, , transport, root = "."] = process.argv;
const loadMessage = new Promise<{ load: string; hasPredecessor: boolean }>((resolve) =>
  process.once("message", resolve),
);
let failed: readonly FailedDeclaration[] = [];
process.on("disconnect", () => process.exit(1));

/** Loads a module of the project's runtime: another copy does not recognize the project's decorators. */
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

const { load, hasPredecessor } = await loadMessage;

/** Ends the process. A conflict over a resource is not printed, because the parent process resolves it. */
async function failToLoad(error: unknown): Promise<never> {
  const conflict = hasPredecessor ? findResourceConflict(error) : undefined;
  if (conflict !== undefined) {
    process.send?.({ conflict } satisfies FromHost, () => process.exit(1));
    return new Promise<never>(() => {});
  }
  const { failToStart } = await loadRuntime<typeof import("@tenon/runtime/start-failure")>("start-failure");
  return failToStart(error, import.meta.url);
}

// If the server does not await `listen`, a conflict over a port arrives as an uncaught exception.
const onUncaughtError = (error: unknown): void => void failToLoad(error);
process.on("uncaughtException", onUncaughtError);
const { server } = (await import(load).catch(failToLoad)) as { server: Server };
await new Promise(setImmediate);
process.off("uncaughtException", onUncaughtError);

/** The server in development mode: its lists may change, and handler errors show their details. */
const development = withFailedCalls(
  withFreshLists({
    ...server,
    sendsMessages: true,
    connect: (peer) => server.connect(peer, { isDevelopment: true }),
    acceptStateless: () => server.acceptStateless({ isDevelopment: true }),
    close: async () => {
      await ipcConnections.drain();
      await server.close();
    },
  }),
  () => failed,
);

const ipcConnections = createIpcConnections(development, send);
process.on("message", (message: ToHost) => {
  if ("failed" in message) failed = message.failed;
  else if ("stop" in message) {
    // A signal also ends a process that does not listen for it yet.
    if (!process.emit("SIGTERM", "SIGTERM")) process.exit(0);
  } else if ("type" in message) ipcConnections.receive(message);
});
// A server over stdio ends with its input, even if other clients are connected.
process.channel?.unref();

if (node) {
  const listener = await node.listen(development, { host: "127.0.0.1", port: 0 });
  let isStopping = false;
  const stop = async (): Promise<void> => {
    if (isStopping) process.exit(1);
    isStopping = true;
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
