/**
 * Measures the start, the throughput, and the memory of the rivals, with the clients of the other benchmarks.
 * @module
 */
import { HttpClient, openSession } from "../clients/http-client.mjs";
import { HttpConnection } from "../clients/http-connection.mjs";
import { CALLS, requestText, WrongAnswer } from "../clients/requests.mjs";
import { ServerProcess } from "../clients/server-process.mjs";
import { StdioClient } from "../clients/stdio-client.mjs";
import { cpuMicros, residentMebibytes } from "../process-usage.mjs";

/** @import { PreparedRival } from "./prepare.mjs" */

/** The measured tools. */
const TOOLS = 3;
const IN_FLIGHT = 64;
const CONNECTIONS = 32;
/** In a shorter warm-up, V8 would still be compiling when the measurement begins. */
const WARM_UP_MS = 1000;
const POLL_MS = 2;
const START_TIMEOUT_MS = 20_000;

/** @typedef {{ stdioCalls: number, httpMilliseconds: number }} Load */

/** Measures from spawn to the list of tools, over stdio. @param {PreparedRival} prepared @returns {Promise<number>} milliseconds */
export async function coldStartStdio(prepared) {
  const started = performance.now();
  const client = new StdioClient(prepared.command("stdio"), "legacy");
  try {
    await client.open();
    const { result } = await client.request("tools/list");
    const ms = performance.now() - started;
    if (result?.tools?.length !== TOOLS) throw new WrongAnswer("tools/list", result);
    return ms;
  } finally {
    await client.stop();
  }
}

/** Measures from spawn to the list of tools, over HTTP. @param {PreparedRival} prepared @returns {Promise<number>} milliseconds */
export async function coldStartHttp(prepared) {
  const started = performance.now();
  const server = startHttp(prepared);
  try {
    await waitForTools(prepared, server);
    return performance.now() - started;
  } finally {
    await server.stop();
  }
}

/**
 * Calls `add` over stdio.
 *
 * @param {PreparedRival} prepared @param {Load} load
 * @returns {Promise<{ perSecond: number, cpu: number, peakMebibytes: number }>} CPU in microseconds per call
 */
export async function throughputStdio(prepared, { stdioCalls }) {
  const client = new StdioClient(prepared.command("stdio"), "legacy");
  try {
    await client.open();
    await client.load(CALLS.add, stdioCalls / 2, IN_FLIGHT);
    const [before, started] = [cpuMicros(client.server.pid), performance.now()];
    await client.load(CALLS.add, stdioCalls, IN_FLIGHT);
    const seconds = (performance.now() - started) / 1000;
    const cpu = ((cpuMicros(client.server.pid) ?? Number.NaN) - (before ?? Number.NaN)) / stdioCalls;
    const peakMebibytes = residentMebibytes(client.server.pid, "VmHWM") ?? Number.NaN;
    return { perSecond: stdioCalls / seconds, cpu, peakMebibytes };
  } finally {
    await client.stop();
  }
}

/**
 * Calls `add` over HTTP.
 *
 * @param {PreparedRival} prepared @param {"modern" | "sessions"} mode @param {Load} load
 * @returns {Promise<{ perSecond: number, peakMebibytes: number }>}
 */
export async function throughputHttp(prepared, mode, { httpMilliseconds }) {
  const server = startHttp(prepared);
  try {
    await waitForTools(prepared, server);
    const client = await HttpClient.open(prepared.url, mode, CONNECTIONS);
    await client.load(CALLS.add, { milliseconds: WARM_UP_MS });
    const { latencies, seconds } = await client.load(CALLS.add, { milliseconds: httpMilliseconds });
    client.close();
    const peakMebibytes = residentMebibytes(server.pid, "VmHWM") ?? Number.NaN;
    return { perSecond: latencies.length / seconds, peakMebibytes };
  } finally {
    await server.stop();
  }
}

/** @param {PreparedRival} prepared @param {"measured" | "probes"} [variant] */
export function startHttp(prepared, variant) {
  const server = new ServerProcess(prepared.command("http", variant));
  // A full pipe would stop a server that logs its requests.
  server.child.stdout.resume();
  return server;
}

/**
 * Repeats the handshake until a server that starts returns its list of tools.
 *
 * @param {PreparedRival} prepared @param {ServerProcess} server
 * @throws Error if it has not done so in time, or returns a wrong list
 */
export async function waitForTools({ url }, server) {
  const deadline = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    try {
      await listTools(url);
      return;
    } catch (error) {
      if (error instanceof WrongAnswer) throw error;
      if (server.child.exitCode !== null || performance.now() > deadline)
        throw new Error(`The server does not listen: ${server.output.slice(-300)}`, { cause: error });
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** @param {URL} url */
async function listTools(url) {
  const connection = await HttpConnection.open(url);
  try {
    const headers = await openSession(connection);
    const { body } = await connection.exchange(headers, requestText("legacy", 1, "tools/list"));
    if (!body.includes('"name"')) throw new WrongAnswer("tools/list", body);
  } finally {
    connection.close();
  }
}
