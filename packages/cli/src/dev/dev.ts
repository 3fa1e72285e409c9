import { createDevLog } from "./log.js";
import { startDevServer, type DevServer } from "./server.js";
import { createHttpFront } from "./proxy/http-proxy.js";
import { createStdioFront } from "./proxy/stdio-proxy.js";
import { isProject, projectRoot } from "../project/project-root.js";
import type { Terminal } from "../terminal/terminal.js";

export interface DevOptions {
  /** The port for Streamable HTTP. */
  port: number;
  /** Serve over stdin and stdout instead. */
  stdio?: boolean;
}

/** `tenon dev [dir]`: serve, and follow every edit, until told to stop. */
export async function dev(terminal: Terminal, folder: string, options: DevOptions): Promise<number> {
  const root = projectRoot(folder, terminal.cwd);
  if (!isProject(root)) {
    return explainNoProject(root, terminal);
  }
  const { done, server } = options.stdio
    ? await overStdio(root, terminal)
    : await overHttp(root, terminal, options.port);
  await done;
  await server.close();
  return 0;
}

/** The compiler knows best what is missing, and is loaded for it: else it runs in a thread. */
async function explainNoProject(root: string, { err }: Terminal): Promise<number> {
  const { compile } = await import("@tenon/compiler");
  const { printDiagnostics } = await import("../terminal/print-diagnostics.js");
  printDiagnostics(err, compile({ root }).diagnostics);
  return 1;
}

/** A running development server, and what ends it. */
interface Running {
  server: DevServer;
  done: Promise<unknown>;
}

async function overHttp(root: string, { err }: Terminal, port: number): Promise<Running> {
  const front = await createHttpFront(port);
  const log = createDevLog({ root, sink: err, address: `http://127.0.0.1:${front.port}/mcp` });
  const interrupted = interruption();
  const server = await startDevServer({
    root,
    transport: "http",
    swap: front.swap,
    drop: front.drop,
    isEnding: () => false,
    log,
    sink: err,
  });
  return {
    server: {
      close: async () => {
        await Promise.all([server.close(), front.close()]);
      },
    },
    done: interrupted,
  };
}

async function overStdio(root: string, { err }: Terminal): Promise<Running> {
  const front = createStdioFront(process.stdin, process.stdout);
  const log = createDevLog({ root, sink: err, address: "stdio" });
  const interrupted = interruption();
  const server = await startDevServer({
    root,
    transport: "stdio",
    swap: front.swap,
    // A pipe that closes says so itself.
    drop: () => undefined,
    isEnding: () => front.ended,
    log,
    sink: err,
  });
  return { server, done: Promise.race([interrupted, front.finished]) };
}

/** Resolves at the first request to stop; a second one is left to end the process at once. */
function interruption(): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      process.off("SIGINT", stop);
      process.off("SIGTERM", stop);
      resolve();
    };
    process.on("SIGINT", stop);
    process.on("SIGTERM", stop);
  });
}
