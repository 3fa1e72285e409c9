import { once } from "node:events";
import { createServer } from "node:http";
import { FOREIGN } from "../../wire/recorder.mjs";

/**
 * An effect of a handler on the outside world.
 *
 * @typedef {object} Effect
 * @property {string} name
 * @property {string} key Its idempotency key.
 * @property {string} replica
 */

/**
 * An external system that executes effects, one for each idempotency key. Handlers also report their progress to it,
 * and wait until a test lets them continue, so no test depends on time.
 */
export class Ledger {
  #server = createServer((request, response) => void this.#serve(request, response));
  /** All effects, including repeated ones. @type {Effect[]} */
  attempts = [];
  /** The effects, by idempotency key. @type {Map<string, Effect>} */
  effects = new Map();
  /** Progress that handlers have reported: each location that a replica has reached. @type {{ place: string, replica: string }[]} */
  arrivals = [];
  /** @type {Set<string>} */
  #opened = new Set();
  /** @type {Set<() => void>} */
  #waiting = new Set();

  async listen() {
    Object.assign(this.#server, { [FOREIGN]: true });
    this.#server.requestTimeout = 0;
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
  }

  get url() {
    const { port } = /** @type {import("node:net").AddressInfo} */ (this.#server.address());
    return `http://127.0.0.1:${port}`;
  }

  /** Lets handlers continue that wait at this location now or later. @param {string} place */
  open(place) {
    this.#opened.add(place);
    this.#changed();
  }

  /**
   * Waits until handlers have reached this point `times` times.
   *
   * @param {string} place @param {number} [times]
   * @returns {Promise<string[]>} The names of their replicas.
   */
  async reached(place, times = 1) {
    for (;;) {
      const found = this.arrivals.filter((each) => each.place === place);
      if (found.length >= times) return found.map(({ replica }) => replica);
      await this.#change();
    }
  }

  /** Returns the effects with this name, one for each idempotency key. @param {string} name */
  named(name) {
    return [...this.effects.values()].filter((effect) => effect.name === name);
  }

  async close() {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }

  /** @returns {Promise<void>} */
  #change() {
    return new Promise((resolve) => this.#waiting.add(resolve));
  }

  /** @param {string} place @param {import("node:http").ServerResponse} response */
  async #permission(place, response) {
    while (!this.#opened.has(place) && !response.closed) await this.#change();
  }

  #changed() {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const go of waiting) go();
  }

  /** @param {import("node:http").IncomingMessage} request @param {import("node:http").ServerResponse} response */
  async #serve(request, response) {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://ledger");
    const given = (/** @type {string} */ name) => searchParams.get(name) ?? "";
    if (pathname === "/effect") {
      const effect = { name: given("name"), key: given("key"), replica: given("replica") };
      this.attempts.push(effect);
      if (!this.effects.has(effect.key)) this.effects.set(effect.key, effect);
      response.end(`receipt ${[...this.effects.keys()].indexOf(effect.key) + 1}`);
    } else {
      const place = given("place");
      this.arrivals.push({ place, replica: given("replica") });
      this.#changed();
      if (pathname === "/wait") await this.#permission(place, response);
      response.end("go");
    }
    this.#changed();
  }
}
