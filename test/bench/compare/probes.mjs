/**
 * Observes the behavior of a rival over the wire. Each probe returns a short text, which a test of the page compares.
 * @module
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { HttpConnection } from "../clients/http-connection.mjs";
import { initializeText, requestText, REVISION } from "../clients/requests.mjs";
import { SECRET } from "../subjects/workload.mjs";
import { converse, readReply } from "./conversation.mjs";
import { startHttp, waitForTools } from "./speed.mjs";

/** @import { Reply } from "./conversation.mjs" */
/** @import { PreparedRival, Variant } from "./prepare.mjs" */

const HANDSHAKE_REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
/** How long an orphan may take to exit. */
const ORPHAN_MS = 5000;

/**
 * Counts the revisions that a server supports, and names the missing ones.
 *
 * @param {PreparedRival} prepared @returns {Promise<string>}
 */
export async function revisions(prepared) {
  /** @type {string[]} */
  const spoken = [];
  for (const revision of HANDSHAKE_REVISIONS) {
    const handshake = initializeText(0).replaceAll(REVISION.legacy, revision);
    const conversation = await converse(prepared, "measured", handshake);
    await conversation.close();
    if (conversation.opened.result?.protocolVersion === revision) spoken.push(revision);
  }
  if (await isModern(prepared)) spoken.push(REVISION.modern);
  const missing = [...HANDSHAKE_REVISIONS, REVISION.modern].filter((each) => !spoken.includes(each));
  return `${spoken.length} of 5${missing.length === 0 ? "" : `, not ${missing.join(", ")}`}`;
}

/**
 * Returns whether a server supports 2026-07-28 over HTTP.
 *
 * @param {PreparedRival} prepared
 * @returns {Promise<boolean>}
 */
export async function isModern(prepared) {
  const server = startHttp(prepared);
  try {
    await waitForTools(prepared, server);
    const connection = await HttpConnection.open(prepared.url);
    const headers = { "MCP-Protocol-Version": REVISION.modern, "Mcp-Method": "server/discover" };
    const { body } = await connection.exchange(headers, requestText("modern", 1, "server/discover"));
    connection.close();
    return readReply(body).result?.supportedVersions?.includes(REVISION.modern) === true;
  } finally {
    await server.stop();
  }
}

/** Sends text instead of a number. @param {PreparedRival} prepared @returns {Promise<string>} */
export async function invalidArgument(prepared) {
  const reply = await callTool(prepared, "measured", "add", { a: "two", b: 1 });
  if (!isFailure(reply)) return "accepted";
  const kind = reply.error === undefined ? "tool error" : "protocol error";
  return /\ba\b/.test(getMessage(reply).replace(/\ba (?:number|string|valid|tool)\b/gi, ""))
    ? `${kind} that names it`
    : `${kind} that does not name it`;
}

/** Sends an argument that the schema does not have. @param {PreparedRival} prepared @returns {Promise<string>} */
export async function unknownArgument(prepared) {
  const reply = await callTool(prepared, "measured", "add", { a: 1, b: 2, c: 3 });
  return isFailure(reply) ? "rejected" : "ignored";
}

/** Calls a tool whose result does not match its `outputSchema`. @param {PreparedRival} prepared @returns {Promise<string>} */
export async function invalidResult(prepared) {
  const reply = await callTool(prepared, "probes", "promise");
  if (isFailure(reply)) return "replaced by an error";
  return reply.result?.structuredContent === undefined ? "sent as text only" : "sent as it is";
}

/** Calls a tool that throws an error with a password. @param {PreparedRival} prepared @returns {Promise<string>} */
export async function exception(prepared) {
  const text = JSON.stringify(await callTool(prepared, "probes", "fail"));
  if (/\bat .+:\d+:\d+/.test(text)) return "message and stack sent";
  return text.includes(SECRET) ? "message sent" : "logged only";
}

/** Calls a tool that prints to stdout. @param {PreparedRival} prepared @returns {Promise<string>} */
export async function printing(prepared) {
  const conversation = await converse(prepared, "probes");
  try {
    await conversation.request("tools/call", { name: "print", arguments: {} });
    return conversation.foreignLines().length === 0 ? "kept off stdout" : "corrupts the protocol";
  } finally {
    await conversation.close();
  }
}

/**
 * Starts a server from another process, kills that, and waits until the server has exited.
 *
 * @param {PreparedRival} prepared @returns {Promise<string>}
 */
export async function orphan(prepared) {
  const { node = process.execPath, args, cwd, env } = prepared.command("stdio");
  const parent = spawn(process.execPath, ["-e", PARENT, node, ...args], {
    cwd,
    env: { ...process.env, ...env, BENCH_HANDSHAKE: initializeText(0) },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [pid] = await once(parent.stdout, "data");
  parent.kill("SIGKILL");
  const killed = performance.now();
  while (isRunning(Number(pid)) && performance.now() - killed < ORPHAN_MS)
    await new Promise((resolve) => setTimeout(resolve, 20));
  if (!isRunning(Number(pid))) return "exits";
  process.kill(Number(pid), "SIGKILL");
  return "stays";
}

/** Whether a process runs. One that has exited can remain until the system removes it. @param {number} pid */
function isRunning(pid) {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

/** Starts a server, and prints its process ID when it has responded. */
const PARENT = `
  const { spawn } = require("node:child_process");
  const [program, ...args] = process.argv.slice(1);
  const server = spawn(program, args, { stdio: ["pipe", "pipe", "ignore"] });
  server.stdout.once("data", () => console.log(server.pid));
  server.stdin.write(process.env.BENCH_HANDSHAKE + "\\n");
  setInterval(() => {}, 1000);
`;

/** @param {PreparedRival} prepared @param {Variant} variant @param {string} name @param {object} args */
async function callTool(prepared, variant, name, args = {}) {
  const conversation = await converse(prepared, variant);
  try {
    return await conversation.request("tools/call", { name, arguments: args });
  } finally {
    await conversation.close();
  }
}

/** @param {Reply} reply */
function isFailure({ result, error }) {
  return error !== undefined || result?.isError === true;
}

/** @param {Reply} reply @returns {string} */
function getMessage({ result, error }) {
  return error?.message ?? result?.content?.map((/** @type {any} */ each) => each.text).join("\n") ?? "";
}
