import { once } from "node:events";
import { join, resolve } from "node:path";
import { compile } from "@tenon/compiler";
import { isProject, projectRoot } from "../project/project-root.js";
import { projectInfo } from "../project/project-info.js";
import { RECORDINGS } from "../recording/format.js";
import { createRecorder, type Recorder } from "../recording/recorder.js";
import { takeInterruptions } from "../terminal/interruption.js";
import { printDiagnostics } from "../terminal/print-diagnostics.js";
import { createStatusLine, type StatusLine } from "../terminal/status-line.js";
import type { Sink, Terminal } from "../terminal/terminal.js";
import { createDevLog, type DevLog } from "./log.js";
import { createHttpProxy } from "./proxy/http-proxy.js";
import { createStandIn } from "./proxy/stand-in.js";
import { createStdioProxy, type PipedServer } from "./proxy/stdio-proxy.js";
import { startDevServer, type DevObserver } from "./server.js";

export interface DevOptions {
  /** The port for Streamable HTTP. */
  port: number;
  /** Serve over stdin and stdout instead. */
  stdio?: boolean;
  /** Keep sessions as files, in this folder or the usual one. */
  record?: string | boolean;
  /** Lets somebody look on, once there is a project. @param err where to say so */
  onlooker?: ((root: string, err: Sink) => Promise<Onlooker>) | undefined;
}

/** Looks on at what is served, until it is closed. */
export interface Onlooker {
  readonly observer: DevObserver;
  close(): Promise<void>;
}

/** `tenon dev [dir]`: serve, and reload after every change, until interrupted. */
export async function dev(terminal: Terminal, folder: string, options: DevOptions): Promise<number> {
  const root = projectRoot(folder, terminal.cwd);
  if (!isProject(root)) {
    printDiagnostics(terminal.err, compile({ root }).diagnostics);
    return 1;
  }
  const shown: DevTerminal = { ...terminal, err: createStatusLine(terminal.err) };
  if (options.stdio) await serveStdio(root, shown, options);
  else await serveHttp(root, shown, options);
  return 0;
}

/** A terminal that says what is going on. */
interface DevTerminal extends Terminal {
  err: StatusLine;
}

async function serveHttp(root: string, terminal: DevTerminal, options: DevOptions): Promise<void> {
  const { err } = terminal;
  const recorder = recorderFor(root, terminal, options, () => log);
  const proxy = await createHttpProxy(options.port, recorder?.traffic);
  const onlooker = await options.onlooker?.(root, err);
  const log = createDevLog({ root, sink: err, address: `http://127.0.0.1:${proxy.port}/mcp` });
  const { signal } = takeInterruptions();
  const server = await startDevServer({
    root,
    transport: "http",
    proxy,
    log,
    sink: err,
    signal,
    observers: observersOf(recorder, onlooker),
  });
  await aborted(signal);
  await Promise.all([onlooker?.close(), server.close(), proxy.close()]);
  if (recorder) log.recorded(recorder.close());
}

async function serveStdio(root: string, terminal: DevTerminal, options: DevOptions): Promise<void> {
  const { err } = terminal;
  const recorder = recorderFor(root, terminal, options, () => log);
  const log = createDevLog({ root, sink: err, address: "stdio" });
  const explain = (problem: string): Promise<PipedServer> => createStandIn(root, problem);
  const proxy = createStdioProxy(process.stdin, process.stdout, explain, recorder?.traffic);
  const onlooker = await options.onlooker?.(root, err);
  const { signal } = takeInterruptions();
  const server = await startDevServer({
    root,
    transport: "stdio",
    proxy,
    log,
    sink: err,
    signal,
    observers: observersOf(recorder, onlooker),
  });
  await Promise.race([aborted(signal), proxy.finished]);
  await Promise.all([onlooker?.close(), server.close()]);
  if (recorder) log.recorded(recorder.close());
}

/** @param log asked for when something is recorded, which is after all is set up */
function recorderFor(
  root: string,
  { cwd }: Terminal,
  { record, stdio }: DevOptions,
  log: () => DevLog,
): Recorder | undefined {
  if (record === undefined || record === false) return undefined;
  return createRecorder({
    folder: typeof record === "string" ? resolve(cwd, record) : join(root, RECORDINGS),
    project: projectInfo(root).name,
    transport: stdio ? "stdio" : "http",
    env: process.env,
    onFile: (path) => log().recording(path),
    onError: (error) => log().notRecorded(error),
  });
}

function observersOf(recorder: Recorder | undefined, onlooker: Onlooker | undefined): DevObserver[] {
  const recording: DevObserver[] = recorder ? [{ served: ({ manifest }) => recorder.serves(manifest) }] : [];
  return onlooker ? [...recording, onlooker.observer] : recording;
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, "abort");
}
