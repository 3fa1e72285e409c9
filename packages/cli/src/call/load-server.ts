import type { FileTree } from "@tenon/compiler";
import type { surviveStrayErrors } from "@tenon/runtime/serve";
import type { Server } from "@tenon/runtime/server";
import type { ConnectOptions, TestClient, connect } from "@tenon/runtime/testing";
import { loadBuilt } from "../project/load-built.js";

const ENTRY = "call.js";

/**
 * Modules to bundle with a project that is called in this process. The client comes from the project's own runtime, so
 * that the versions of client and server match.
 */
export const callEntries: FileTree = new Map([
  [
    ENTRY,
    `export { connect } from "@tenon/runtime/testing";
export { surviveStrayErrors } from "@tenon/runtime/serve";
export { server } from "./app.js";
`,
  ],
]);

interface BuiltServer {
  readonly connect: typeof connect;
  readonly surviveStrayErrors: typeof surviveStrayErrors;
  readonly server: Server;
}

export interface ConnectedServer {
  readonly client: TestClient;
  readonly server: Server;
  /** Ends the connection, and then the server, so that the author's instances release their resources. */
  close(): Promise<void>;
}

/**
 * Loads a built project and connects to it in memory, with the principal of stdio. From then on, everything that the project
 * prints goes to stderr.
 *
 * @param outDir the absolute path of the build, which contains `callEntries`
 * @param options the options of the connection
 * @throws Failure if the user's code throws while it is loaded
 */
export async function connectToBuilt(outDir: string, options: ConnectOptions): Promise<ConnectedServer> {
  const { connect, server, surviveStrayErrors } = await loadBuilt<BuiltServer>(outDir, ENTRY);
  const stopReporting = surviveStrayErrors(server.log);
  const { localPrincipal } = server;
  const client = await connect(server, {
    // The log contains the error, and the user sees it next to the result.
    showErrors: false,
    ...(localPrincipal && { principal: localPrincipal }),
    ...options,
  });
  const close = async (): Promise<void> => {
    client.close();
    await server.close();
    stopReporting();
  };
  return { client, server, close };
}
