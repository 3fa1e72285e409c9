import { setTimeout as delay } from "node:timers/promises";
import { modernRequest } from "../clients/http-client.mjs";
import { HttpConnection } from "../clients/http-connection.mjs";
import { requestText, REVISION } from "../clients/requests.mjs";
import { ServerProcess } from "../clients/server-process.mjs";
import { cpuMicros, residentMebibytes } from "../process-usage.mjs";

/** @typedef {import("../scratch/prepare.mjs").SubjectName} SubjectName */

/**
 * @typedef {object} SubscribersPoint
 * @property {number} subscribers with an open `subscriptions/listen` at this point
 * @property {number | undefined} openCpu server CPU in microseconds per subscriber added since the point before
 * @property {number | undefined} mebibytes resident
 */

const METHOD_NOT_FOUND = -32601;

/**
 * How costs grow with the number of subscribers.
 *
 * @param {import("../scratch/prepare.mjs").Bench} bench @param {SubjectName} subject
 * @param {readonly number[]} points ascending
 * @returns {Promise<SubscribersPoint[] | undefined>} `undefined` when the server has no subscriptions
 */
export async function measureSubscribersCurve(bench, subject, points) {
  const server = new ServerProcess(bench.command(subject, { http: true }));
  /** @type {HttpConnection[]} */
  const open = [];
  try {
    const url = await server.address();
    if (!(await hasSubscriptions(url))) return undefined;
    const curve = [];
    for (const subscribers of points) {
      const added = subscribers - open.length;
      const before = cpuMicros(server.pid);
      while (open.length < subscribers) {
        const batch = Math.min(64, subscribers - open.length);
        open.push(...(await Promise.all(Array.from({ length: batch }, () => subscribe(url)))));
      }
      const after = cpuMicros(server.pid);
      const openCpu = before === undefined || after === undefined ? undefined : (after - before) / added;
      curve.push({ subscribers, openCpu, mebibytes: residentMebibytes(server.pid, "VmRSS") });
    }
    return curve;
  } finally {
    for (const connection of open) connection.close();
    await server.stop();
  }
}

const NOTIFICATIONS = { notifications: { toolsListChanged: true } };

/** @param {URL} url */
async function hasSubscriptions(url) {
  const connection = await HttpConnection.open(url);
  const asked = modernRequest(connection, "subscriptions/listen", NOTIFICATIONS);
  // A stream that opens is not answered; only a refusal is.
  const answer = await Promise.race([asked.catch(() => undefined), delay(500, undefined, { ref: false })]);
  connection.close();
  return answer?.error?.code !== METHOD_NOT_FOUND;
}

/** Settles once the server has acknowledged. @param {URL} url @returns {Promise<HttpConnection>} */
async function subscribe(url) {
  const connection = await HttpConnection.open(url);
  const headers = { "MCP-Protocol-Version": REVISION.modern, "Mcp-Method": "subscriptions/listen" };
  const body = requestText("modern", 1, "subscriptions/listen", NOTIFICATIONS);
  return new Promise((resolve, reject) => {
    let received = "";
    connection.onError = reject;
    connection.stream(headers, body, (text) => {
      received += text;
      if (received.includes("notifications/subscriptions/acknowledged")) resolve(connection);
      else if (received.includes('"error"')) reject(new Error(`No subscription:\n${received}`));
    });
  });
}
