import { HttpClient, openSession } from "../clients/http-client.mjs";
import { HttpConnection } from "../clients/http-connection.mjs";
import { CALLS } from "../clients/requests.mjs";
import { ServerProcess } from "../clients/server-process.mjs";
import { cpuMicros, residentMebibytes } from "../process-usage.mjs";

/**
 * @typedef {object} SessionsPoint
 * @property {number} sessions open at this point
 * @property {number | undefined} openCpu server CPU in microseconds per session opened since the point before
 * @property {number | undefined} callCpu server CPU in microseconds per `add`, spread over sessions old and new
 * @property {number | undefined} mebibytes resident
 */

const CONNECTIONS = 32;
/** The number of sessions that are opened before the first point, so that it does not include the compilation of the code. */
const WARM_UP_SESSIONS = 500;

/**
 * Measures how costs grow with the number of open legacy sessions of one server. The last point exceeds the default
 * limit of the server (10,000), so that each new session replaces the oldest.
 *
 * @param {import("../scratch/prepare.mjs").Bench} bench @param {readonly number[]} points ascending, from 1,000
 * @returns {Promise<SessionsPoint[]>}
 */
export async function measureSessionsCurve(bench, points) {
  const server = new ServerProcess(bench.command("tenon", { http: true }));
  try {
    const url = await server.address();
    const connections = await Promise.all(
      Array.from({ length: CONNECTIONS }, () => HttpConnection.open(url)),
    );
    /** @type {Record<string, string>[]} */
    const sessions = [];
    const curve = [];
    await openSessions(connections, sessions, WARM_UP_SESSIONS);
    await callEverywhere(server.pid, connections, sessions);
    for (const point of points) {
      const before = cpuMicros(server.pid);
      const opened = point - sessions.length;
      await openSessions(connections, sessions, point);
      const after = cpuMicros(server.pid);
      const mebibytes = residentMebibytes(server.pid, "VmRSS");
      const callCpu = await callEverywhere(server.pid, connections, sessions);
      const openCpu = before === undefined || after === undefined ? undefined : (after - before) / opened;
      curve.push({ sessions: point, openCpu, callCpu, mebibytes });
    }
    for (const connection of connections) connection.close();
    return curve;
  } finally {
    await server.stop();
  }
}

/** @param {HttpConnection[]} connections @param {Record<string, string>[]} sessions @param {number} until */
async function openSessions(connections, sessions, until) {
  await Promise.all(
    connections.map(async (connection) => {
      let claimed = sessions.length;
      while (claimed < until) {
        claimed = sessions.push({});
        if (claimed <= until) sessions[claimed - 1] = await openSession(connection);
      }
    }),
  );
  sessions.length = until;
}

/** @param {number} pid @param {HttpConnection[]} connections @param {Record<string, string>[]} sessions */
async function callEverywhere(pid, connections, sessions) {
  const newest = sessions.slice(-5000);
  let calls = 0;
  const before = cpuMicros(pid);
  for (let round = 0; round < 20; round++) {
    const peers = connections.map((connection, index) => ({
      connection,
      headers: /** @type {Record<string, string>} */ (newest[(round * 997 + index * 131) % newest.length]),
    }));
    const { latencies } = await new HttpClient("sessions", peers).load(CALLS.add, { most: 500 });
    calls += latencies.length;
  }
  const after = cpuMicros(pid);
  return before === undefined || after === undefined ? undefined : (after - before) / calls;
}
