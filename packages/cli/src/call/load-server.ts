import { stat } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { FileTree } from "@tenon/compiler";
import type { Server } from "@tenon/runtime/server";
import { startFailureText } from "@tenon/runtime/start-failure";
import { guardStdout } from "@tenon/runtime/stdout-guard";
import type { ConnectOptions, TestClient, connect } from "@tenon/runtime/testing";
import { Failure } from "../terminal/failure.js";

const ENTRY = "call.js";

/**
 * To be bundled with a project that is to be called in this process. The client comes from the project's own
 * runtime, so the two always belong together.
 */
export const callEntries: FileTree = new Map([
  [ENTRY, `export { connect } from "@tenon/runtime/testing";\nexport { server } from "./app.js";\n`],
]);

export interface ConnectedServer {
  readonly client: TestClient;
  /** To be closed after the client, since what the author's instances hold is written or let go of then. */
  readonly server: Server;
}

/**
 * Loads a built project and connects to it in memory. From then on, whatever the project prints goes to
 * stderr. Calls are made on behalf of whoever would call over stdio.
 *
 * @throws Failure when what the user wrote fails while it is loaded
 * @param outDir where the project was built, with `callEntries`; absolute
 * @param options of the connection
 */
export async function connectToBuilt(outDir: string, options: ConnectOptions): Promise<ConnectedServer> {
  guardStdout();
  process.setSourceMapsEnabled(true);
  const file = join(outDir, ENTRY);
  const { mtimeMs } = await stat(file);
  const built = (await import(`${pathToFileURL(file).href}?built=${mtimeMs}`).catch((error: unknown) => {
    throw new Failure(`The server cannot start.\n\n${startFailureText(error, import.meta.url)}`, {
      cause: error,
    });
  })) as { connect: typeof connect; server: Server };
  const { localPrincipal } = built.server;
  const client = await built.connect(built.server, {
    // What was thrown is in the log, which a person at a terminal reads beside the answer.
    showErrors: false,
    ...(localPrincipal && { principal: localPrincipal }),
    ...options,
  });
  return { client, server: built.server };
}
