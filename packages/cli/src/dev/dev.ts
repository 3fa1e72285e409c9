import { once } from "node:events";
import { join, resolve } from "node:path";
import { compile } from "@tenon/compiler";
import { isProject, findProjectRoot } from "../project/project-root.js";
import { readProjectInfo } from "../project/project-info.js";
import { RECORDINGS_FOLDER } from "../recording/format.js";
import { createRecorder, type Recorder } from "../recording/recorder.js";
import { handleInterruptions } from "../terminal/interruption.js";
import { printDiagnostics } from "../terminal/print-diagnostics.js";
import { createStatusLine, type StatusLine } from "../terminal/status-line.js";
import { SUGGESTED_CLIENT } from "../terminal/next-step.js";
import type { Sink, Terminal } from "../terminal/terminal.js";
import { createDevLog, type DevLog } from "./log.js";
import { createHttpProxy } from "./proxy/http-proxy.js";
import { createErrorServer } from "./proxy/error-server.js";
import { createStdioProxy, type PipedServer } from "./proxy/stdio-proxy.js";
import { startDevServer } from "./server.js";
import type { DevObserver } from "./serving.js";

/** The options of `tenon dev`. */
export interface DevOptions {
  /** The port for Streamable HTTP. */
  port: number;
  /** Whether to serve over stdio. */
  stdio?: boolean;
  /** Whether to record sessions, or the folder for recordings. */
  record?: string | boolean;
  /**
   * Opens an observer, such as the playground, after the project has been found.
   *
   * @param err receives its messages
   */
  openObserver?: ((root: string, err: Sink) => Promise<ClosableObserver>) | undefined;
}

/** An observer of the dev server that can be closed. */
export interface ClosableObserver {
  readonly observer: DevObserver;
  close(): Promise<void>;
}

/** Maximum time that a server has to start and to respond after its client has closed stdin. */
const MAX_START_WITHOUT_CLIENT_MS = 10_000;

/** Runs `tenon dev [dir]`: serves the project and reloads it after every change, until interrupted. Returns the exit code. */
export async function dev(terminal: Terminal, folder = ".", options: DevOptions): Promise<number> {
  const root = findProjectRoot(folder, terminal.cwd);
  if (!isProject(root)) {
    printDiagnostics(terminal.err, compile({ root }).diagnostics);
    return 1;
  }
  const devTerminal: DevTerminal = { ...terminal, err: createStatusLine(terminal.err) };
  if (options.stdio) await serveStdio(root, devTerminal, options);
  else await serveHttp(root, devTerminal, options);
  return 0;
}

/** A terminal with a status line. */
interface DevTerminal extends Terminal {
  err: StatusLine;
}

async function serveHttp(root: string, terminal: DevTerminal, options: DevOptions): Promise<void> {
  const { err } = terminal;
  const recorder = createSessionRecorder(root, terminal, options, () => log);
  const proxy = await createHttpProxy(options.port, recorder?.traffic);
  const playground = await options.openObserver?.(root, err);
  const address = `http://127.0.0.1:${proxy.port}/mcp`;
  const connectCommand = `npx tenon install ${SUGGESTED_CLIENT} --url ${address}`;
  const log = createDevLog({ root, cwd: terminal.cwd, sink: err, address, connectCommand });
  const { signal } = handleInterruptions();
  const server = await startDevServer({
    root,
    transport: "http",
    proxy,
    log,
    sink: err,
    signal,
    observers: createObservers(recorder, playground),
  });
  await waitForAbort(signal);
  await Promise.all([playground?.close(), server.close(), proxy.close()]);
  if (recorder) log.recorded(recorder.close());
}

async function serveStdio(root: string, terminal: DevTerminal, options: DevOptions): Promise<void> {
  const { err } = terminal;
  const recorder = createSessionRecorder(root, terminal, options, () => log);
  const log = createDevLog({ root, cwd: terminal.cwd, sink: err, address: "stdio" });
  const explain = (problem: string): Promise<PipedServer> => createErrorServer(root, problem);
  const proxy = createStdioProxy(process.stdin, process.stdout, explain, recorder?.traffic);
  const playground = await options.openObserver?.(root, err);
  const { signal } = handleInterruptions();
  // Without a client, a server that never starts would keep this process running.
  const abandoned = new AbortController();
  const abandon = (): void => void setTimeout(() => abandoned.abort(), MAX_START_WITHOUT_CLIENT_MS).unref();
  void proxy.finished.then(abandon);
  const server = await startDevServer({
    root,
    transport: "stdio",
    proxy,
    log,
    sink: err,
    signal: AbortSignal.any([signal, abandoned.signal]),
    observers: createObservers(recorder, playground),
  });
  await Promise.race([waitForAbort(signal), proxy.finished]);
  await Promise.all([playground?.close(), server.close()]);
  if (recorder) log.recorded(recorder.close());
}

/**
 * Creates the recorder if sessions are recorded.
 *
 * @param log returns the log, which exists when recording starts
 */
function createSessionRecorder(
  root: string,
  { cwd }: Terminal,
  { record, stdio }: DevOptions,
  log: () => DevLog,
): Recorder | undefined {
  if (record === undefined || record === false) return undefined;
  return createRecorder({
    folder: typeof record === "string" ? resolve(cwd, record) : join(root, RECORDINGS_FOLDER),
    project: readProjectInfo(root).name,
    transport: stdio ? "stdio" : "http",
    env: process.env,
    onFile: (path) => log().recording(path),
    onError: (error) => log().recordingFailed(error),
  });
}

function createObservers(
  recorder: Recorder | undefined,
  playground: ClosableObserver | undefined,
): DevObserver[] {
  const recording: DevObserver[] = recorder
    ? [{ onServed: ({ manifest }) => recorder.addManifest(manifest) }]
    : [];
  return playground ? [...recording, playground.observer] : recording;
}

async function waitForAbort(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, "abort");
}
