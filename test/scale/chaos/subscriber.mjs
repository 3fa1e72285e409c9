import { setTimeout as wait } from "node:timers/promises";

/** @import { Combination, OfficialClient } from "../clients/official.mjs" */

const URI = "note://chaos";
const UPDATED = "notifications/resources/updated";

/** A client that subscribes to a note until it is deleted, and reconnects whenever its stream breaks. */
export class Subscriber {
  #url;
  #combination;
  /** @type {OfficialClient | undefined} */
  #client;
  /** Number of notifications that its earlier clients received. */
  #heardBefore = 0;
  #isClosed = false;

  /** @param {URL} url @param {Combination | undefined} combination */
  constructor(url, combination) {
    if (combination === undefined) throw new Error("There is no such client.");
    this.#url = url;
    this.#combination = combination;
  }

  get era() {
    return this.#combination.era;
  }

  /** The number of received changes. */
  get heard() {
    const heard = this.#client?.heard.filter(({ method }) => method === UPDATED).length ?? 0;
    return this.#heardBefore + heard;
  }

  async start() {
    this.#client = await this.#combination.connect(this.#url);
    const ended = await this.#client.watch(URI);
    // Streams of 2026-07-28 must be opened again; legacy clients reconnect by themselves.
    if (this.era === "modern")
      void this.#again(/** @type {{ closed?: Promise<unknown> } | undefined} */ (ended)?.closed);
  }

  async close() {
    this.#isClosed = true;
    await this.#client?.close().catch(() => {});
  }

  /** @param {Promise<unknown> | undefined} closed */
  async #again(closed) {
    await closed;
    while (!this.#isClosed) {
      try {
        this.#heardBefore = this.heard;
        await this.#client?.close();
        this.#client = undefined;
        return await this.start();
      } catch {
        await wait(100);
      }
    }
  }
}
