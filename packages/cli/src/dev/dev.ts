import { once } from "node:events";
import { compile } from "@tenon/compiler";
import { isProject, projectRoot } from "../project/project-root.js";
import { takeInterruptions } from "../terminal/interruption.js";
import { printDiagnostics } from "../terminal/print-diagnostics.js";
import type { Terminal } from "../terminal/terminal.js";
import { createDevLog } from "./log.js";
import { createHttpProxy } from "./proxy/http-proxy.js";
import { createStandIn } from "./proxy/stand-in.js";
import { createStdioProxy } from "./proxy/stdio-proxy.js";
import { startDevServer } from "./server.js";

export interface DevOptions {
  /** The port for Streamable HTTP. */
  port: number;
  /** Serve over stdin and stdout instead. */
  stdio?: boolean;
}

/** `tenon dev [dir]`: serve, and reload after every change, until interrupted. */
export async function dev(terminal: Terminal, folder: string, options: DevOptions): Promise<number> {
  const root = projectRoot(folder, terminal.cwd);
  if (!isProject(root)) {
    printDiagnostics(terminal.err, compile({ root }).diagnostics);
    return 1;
  }
  if (options.stdio) await serveStdio(root, terminal);
  else await serveHttp(root, terminal, options.port);
  return 0;
}

async function serveHttp(root: string, { err }: Terminal, port: number): Promise<void> {
  const proxy = await createHttpProxy(port);
  const log = createDevLog({ root, sink: err, address: `http://127.0.0.1:${proxy.port}/mcp` });
  const { signal } = takeInterruptions();
  const server = await startDevServer({ root, transport: "http", proxy, log, sink: err, signal });
  await aborted(signal);
  await Promise.all([server.close(), proxy.close()]);
}

async function serveStdio(root: string, { err }: Terminal): Promise<void> {
  const proxy = createStdioProxy(process.stdin, process.stdout, (problem) => createStandIn(root, problem));
  const log = createDevLog({ root, sink: err, address: "stdio" });
  const { signal } = takeInterruptions();
  const server = await startDevServer({ root, transport: "stdio", proxy, log, sink: err, signal });
  await Promise.race([aborted(signal), proxy.finished]);
  await server.close();
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, "abort");
}
