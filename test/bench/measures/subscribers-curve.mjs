import { modernRequest } from "../clients/http-client.mjs";
import { HttpConnection } from "../clients/http-connection.mjs";
import { requestText, REVISION, WrongAnswer } from "../clients/requests.mjs";
import { ServerProcess } from "../clients/server-process.mjs";
import { cpuMicros, residentMebibytes } from "../process-usage.mjs";
import { median } from "../statistics.mjs";

/**
 * @typedef {object} SubscribersPoint
 * @property {number} subscribers with an open `subscriptions/listen` at this point
 * @property {number | undefined} openCpu server CPU in microseconds per subscriber added since the point before
 * @property {number | undefined} tellCpu server CPU in microseconds per subscriber told of a change
 * @property {number} tellMs from the call that announces a change until every subscriber has heard
 * @property {number | undefined} mebibytes resident
 */

const SUBSCRIPTION = { notifications: { resourceSubscriptions: ["news://today"] } };
const ANNOUNCEMENTS = 5;
/** Connections opened at once. */
const BATCH = 64;

/**
 * How costs grow with the number of subscribers.
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
      await audience.growTo(subscribers, url);
      const opened = cpuMicros(server.pid);
      const times = [];
      for (let count = 0; count < ANNOUNCEMENTS; count++) times.push(await audience.hear(announcer));
      const told = cpuMicros(server.pid);
      curve.push({
        subscribers,
        openCpu: each(before, opened, added),
        tellCpu: each(opened, told, subscribers * ANNOUNCEMENTS),
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

/** The subscribers of one server. */
class Audience {
  /** @type {HttpConnection[]} */
  #members = [];
  #heard = 0;
  #onAllHeard = () => {};

  get size() {
    return this.#members.length;
  }

  /** @param {number} count @param {URL} url */
  async growTo(count, url) {
    while (this.size < count) {
      const batch = Array.from({ length: Math.min(BATCH, count - this.size) }, () => this.#subscribe(url));
      this.#members.push(...(await Promise.all(batch)));
    }
  }

  /** Announces a change. @param {HttpConnection} announcer @returns {Promise<number>} ms until all have heard */
  async hear(announcer) {
    this.#heard = 0;
    const started = performance.now();
    const allHeard = new Promise((resolve) => {
      this.#onAllHeard = () => resolve(undefined);
    });
    const answer = await modernRequest(announcer, "tools/call", { name: "announce", arguments: {} });
    if (answer.result?.content?.[0]?.text !== "announced") throw new WrongAnswer("announce", answer);
    await allHeard;
    return performance.now() - started;
  }

  close() {
    for (const member of this.#members) member.close();
  }

  /** Settles once the server has acknowledged. @param {URL} url @returns {Promise<HttpConnection>} */
  async #subscribe(url) {
    const connection = await HttpConnection.open(url);
    const headers = { "MCP-Protocol-Version": REVISION.modern, "Mcp-Method": "subscriptions/listen" };
    const body = requestText("modern", 1, "subscriptions/listen", SUBSCRIPTION);
    return new Promise((resolve, reject) => {
      connection.onError = reject;
      connection.stream(headers, body, (text) => {
        if (text.includes('"notifications/resources/updated"')) this.#hears();
        else if (text.includes('"notifications/subscriptions/acknowledged"')) resolve(connection);
        else if (text.includes('"error"')) reject(new WrongAnswer("subscriptions/listen", text));
      });
    });
  }

  #hears() {
    this.#heard++;
    if (this.#heard === this.size) this.#onAllHeard();
  }
}
