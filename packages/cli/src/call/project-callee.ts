import { join } from "node:path";
import type { TestClient } from "@tenon/runtime/testing";
import { buildProject } from "../project/build-project.js";
import { manifestLists } from "../project/manifest-lists.js";
import { projectRoot } from "../project/project-root.js";
import { printDiagnostics } from "../terminal/print-diagnostics.js";
import type { Terminal } from "../terminal/terminal.js";
import { LOG_LEVEL, type Callee, type CallerOptions } from "./callee.js";
import { callEntries, type ConnectedServer, connectToBuilt } from "./load-server.js";

/** A day: a handler may wait for what does not keep a process running, such as `AbortSignal.timeout()`. */
const LONG_MS = 86_400_000;
const LEGACY = "2025-11-25";

/**
 * The project in the current folder, built for this one call. It is loaded when it is called.
 *
 * @returns nothing where it cannot be built: why has been printed
 */
export async function projectCallee(
  terminal: Terminal,
  { answers, report, signal, era }: CallerOptions,
): Promise<Callee | undefined> {
  const root = projectRoot(terminal.cwd);
  const outDir = join(root, ".tenon", "call");
  const { compilation, files } = await buildProject({
    root,
    outDir,
    typeCheck: false,
    bundlePackages: false,
    extraEntries: callEntries,
    color: terminal.err.color,
  });
  signal.throwIfAborted();
  // Warnings are for `inspect` and `build`; here they would stand between the caller and the answer.
  printDiagnostics(
    terminal.err,
    compilation.diagnostics.filter(({ severity }) => severity === "error"),
  );
  const { manifest } = compilation;
  if (!files || !manifest) return undefined;

  const lists = manifestLists(manifest);
  const waiting = setInterval(() => undefined, LONG_MS);
  let connection: Promise<ConnectedServer> | undefined;
  const connected = async (): Promise<TestClient> => {
    connection ??= connectToBuilt(outDir, {
      answers,
      logLevel: LOG_LEVEL,
      ...(era === "legacy" && { revision: LEGACY }),
      onMessage: ({ method, params }) => {
        if (method === "notifications/message") report.log(params as Parameters<typeof report.log>[0]);
      },
    });
    return (await connection).client;
  };
  const options = { signal, onProgress: report.progress };
  return {
    offered: () => Promise.resolve(lists),
    callTool: async (name, args) => (await connected()).callTool(name, args, options),
    getPrompt: async (name, args) => (await connected()).getPrompt(name, args, options),
    readResource: async (uri) => (await connected()).readResource(uri, options),
    async close() {
      const connected = await connection?.catch(() => undefined);
      connected?.client.close();
      await connected?.server.close();
      clearInterval(waiting);
    },
  };
}
