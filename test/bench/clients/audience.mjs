import { modernRequest } from "./http-client.mjs";
import { HttpConnection } from "./http-connection.mjs";
import { requestText, REVISION, WrongAnswer } from "./requests.mjs";

const SUBSCRIPTION = { notifications: { resourceSubscriptions: ["news://today"] } };
/** The number of connections that are opened concurrently. */
const BATCH = 64;

/** The subscribers of one server, of one process or several. */
export class Audience {
  /** @type {HttpConnection[]} */
  #members = [];
  #heard = 0;
  #onAllHeard = () => {};

  get size() {
    return this.#members.length;
  }

  /** @param {number} count @param {(index: number) => URL} urlOf where each subscribes */
  async growTo(count, urlOf) {
    while (this.size < count) {
      const first = this.size;
      const batch = Array.from({ length: Math.min(BATCH, count - first) }, (_, index) =>
        this.#subscribe(urlOf(first + index)),
      );
      this.#members.push(...(await Promise.all(batch)));
    }
  }

  /** Announces a change. @param {HttpConnection} announcer @returns {Promise<number>} milliseconds until all subscribers are notified */
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

  /** Subscribes, and resolves when the server has acknowledged it. @param {URL} url @returns {Promise<HttpConnection>} */
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
