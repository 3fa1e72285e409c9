import { Audience } from "../clients/audience.mjs";
import { openSession } from "../clients/http-client.mjs";
import { HttpConnection } from "../clients/http-connection.mjs";
import { Replicas } from "../clients/replicas.mjs";
import { CALLS, callText, WrongAnswer } from "../clients/requests.mjs";
import { median } from "../statistics.mjs";

/** @typedef {import("../clients/server-process.mjs").Command} Command */

/**
 * @typedef {object} SharedSessionsPoint
 * @property {number} sessions
 * @property {number} openCpu processor time of all processes, in microseconds, per session opened since the point
 * before
 * @property {number} callCpu the same per call, each at a process that has served the session before
 * @property {number} mebibytes of all processes together
 * @property {number} redisMebibytes
 *
 * @typedef {object} SharedSubscribersPoint
 * @property {number} subscribers
 * @property {number} tellCpu processor time of all processes, in microseconds, per subscriber that is notified of a
 * change
 * @property {number} tellMs from the call that announces a change until every subscriber is notified
 * @property {number} mebibytes
 */

const PROCESSES = 3;
const CONNECTIONS = 24;
const WARM_UP_SESSIONS = 500;
const CALLS_AT_POINT = 6000;
const ANNOUNCEMENTS = 5;

/**
 * Measures how costs grow with the sessions of three processes. Each session is opened at one process, stored by the next, and
 * used at all.
 *
 * @param {Command} command @param {readonly number[]} points ascending
 * @returns {Promise<SharedSessionsPoint[]>}
 */
export async function measureSharedSessions(command, points) {
  const replicas = await Replicas.start(command, PROCESSES);
  try {
    const lanes = await Promise.all(
      Array.from({ length: CONNECTIONS }, () =>
        Promise.all(replicas.urls.map((url) => HttpConnection.open(url))),
      ),
    );
    /** @type {Record<string, string>[]} */
    const sessions = [];
    await openSessions(lanes, sessions, WARM_UP_SESSIONS);
    await callEverywhere(lanes, sessions);
    const curve = [];
    for (const point of points) {
      const before = replicas.cpu();
      const opened = point - sessions.length;
      await openSessions(lanes, sessions, point);
      const after = replicas.cpu();
      // Every process has served every session that is called here.
      await callEverywhere(lanes, sessions);
      const called = replicas.cpu();
      await callEverywhere(lanes, sessions);
      const end = replicas.cpu();
      const { servers, redis } = await replicas.mebibytes();
      curve.push({
        sessions: point,
        openCpu: (after.servers - before.servers) / opened,
        callCpu: (end.servers - called.servers) / CALLS_AT_POINT,
        mebibytes: servers,
        redisMebibytes: redis,
      });
    }
    for (const connection of lanes.flat()) connection.close();
    return curve;
  } finally {
    await replicas.stop();
  }
}

/** @param {HttpConnection[][]} lanes @param {Record<string, string>[]} sessions @param {number} until */
async function openSessions(lanes, sessions, until) {
  let next = sessions.length;
  await Promise.all(
    lanes.map(async (connections) => {
      while (next < until) {
        const number = next++;
        const connection = /** @type {HttpConnection} */ (connections[number % connections.length]);
        sessions[number] = await openSession(connection);
      }
    }),
  );
}

/** @param {HttpConnection[][]} lanes @param {Record<string, string>[]} sessions */
async function callEverywhere(lanes, sessions) {
  let next = 0;
  await Promise.all(
    lanes.map(async (connections) => {
      while (next < CALLS_AT_POINT) {
        const number = next++;
        const headers = /** @type {Record<string, string>} */ (sessions[(number * 7) % sessions.length]);
        const connection = /** @type {HttpConnection} */ (connections[number % connections.length]);
        const { status, body } = await connection.exchange(headers, callText("legacy", number, CALLS.add));
        const answer = status === 200 ? JSON.parse(body) : undefined;
        if (!CALLS.add.check(answer?.result, number)) throw new WrongAnswer("add", `${status} ${body}`);
      }
    }),
  );
}

/**
 * Measures how costs grow with subscribers that are spread over three processes.
 *
 * @param {Command} command @param {readonly number[]} points ascending
 * @returns {Promise<SharedSubscribersPoint[]>}
 */
export async function measureSharedSubscribers(command, points) {
  const replicas = await Replicas.start(command, PROCESSES);
  const audience = new Audience();
  try {
    const announcer = await HttpConnection.open(replicas.urlFor(0));
    const curve = [];
    for (const subscribers of points) {
      await audience.growTo(subscribers, (index) => replicas.urlFor(index));
      const before = replicas.cpu();
      const times = [];
      for (let count = 0; count < ANNOUNCEMENTS; count++) times.push(await audience.hear(announcer));
      const after = replicas.cpu();
      const { servers } = await replicas.mebibytes();
      curve.push({
        subscribers,
        tellCpu: (after.servers - before.servers) / (subscribers * ANNOUNCEMENTS),
        tellMs: median(times),
        mebibytes: servers,
      });
    }
    announcer.close();
    return curve;
  } finally {
    audience.close();
    await replicas.stop();
  }
}
