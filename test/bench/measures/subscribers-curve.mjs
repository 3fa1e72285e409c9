import { Audience } from "../clients/audience.mjs";
import { HttpConnection } from "../clients/http-connection.mjs";
import { ServerProcess } from "../clients/server-process.mjs";
import { cpuMicros, residentMebibytes } from "../process-usage.mjs";
import { median } from "../statistics.mjs";

/**
 * @typedef {object} SubscribersPoint
 * @property {number} subscribers with an open `subscriptions/listen` at this point
 * @property {number | undefined} openCpu server CPU in microseconds per subscriber added since the point before
 * @property {number | undefined} tellCpu server CPU in microseconds per subscriber that is notified of a change
 * @property {number} tellMs from the call that announces a change until every subscriber is notified
 * @property {number | undefined} mebibytes resident
 */

const ANNOUNCEMENTS = 5;

/**
 * Measures how costs grow with the number of subscribers.
 *
 * @param {import("../clients/server-process.mjs").Command} command @param {readonly number[]} points ascending
 * @returns {Promise<SubscribersPoint[]>}
 */
export async function measureSubscribersCurve(command, points) {
  const server = new ServerProcess(command);
  const audience = new Audience();
  try {
    const url = await server.address();
    const announcer = await HttpConnection.open(url);
    const curve = [];
    for (const subscribers of points) {
      const added = subscribers - audience.size;
      const before = cpuMicros(server.pid);
      await audience.growTo(subscribers, () => url);
      const opened = cpuMicros(server.pid);
      const times = [];
      for (let count = 0; count < ANNOUNCEMENTS; count++) times.push(await audience.hear(announcer));
      const cpuBefore = cpuMicros(server.pid);
      curve.push({
        subscribers,
        openCpu: each(before, opened, added),
        tellCpu: each(opened, cpuBefore, subscribers * ANNOUNCEMENTS),
        tellMs: median(times),
        mebibytes: residentMebibytes(server.pid, "VmRSS"),
      });
    }
    announcer.close();
    return curve;
  } finally {
    audience.close();
    await server.stop();
  }
}

/** @param {number | undefined} before @param {number | undefined} after @param {number} count */
function each(before, after, count) {
  return before === undefined || after === undefined ? undefined : (after - before) / count;
}
