import { callText, INITIALIZED, initializeText, requestText, WrongAnswer } from "./requests.mjs";
import { ServerProcess } from "./server-process.mjs";

/** @typedef {import("./requests.mjs").Era} Era */
/** @typedef {import("./requests.mjs").Call} Call */

/** A client over stdio that costs little: replies of one chunk are answered with one write. */
export class StdioClient {
  #rest = "";
  #nextId = 1;
  /** @type {(line: string) => void} */
  #onLine = () => {};
  /** @type {() => void} */
  #onChunk = () => {};
  /** @type {(error: Error) => void} */
  #onEnd = () => {};

  /** @param {import("./server-process.mjs").Command} command @param {Era} era */
  constructor(command, era) {
    this.era = era;
    this.server = new ServerProcess(command);
    this.server.child.stdout.setEncoding("utf8").on("data", (chunk) => this.#receive(chunk));
    void this.server.exited.then(([code, signal]) => {
      this.#onEnd(new Error(`The server ended (${code ?? signal}):\n${this.server.output}`));
    });
  }

  /** Opens the conversation, if the era has a handshake. */
  async open() {
    if (this.era === "modern") return;
    const answer = await this.#exchange(initializeText(0), 0);
    if (answer.result?.protocolVersion === undefined) throw new WrongAnswer("initialize", answer);
    this.#write(`${INITIALIZED}\n`);
  }

  /** @param {string} method @param {object} [params] @returns {Promise<any>} */
  async request(method, params) {
    const id = this.#nextId++;
    return await this.#exchange(requestText(this.era, id, method, params), id);
  }

  /**
   * Makes `count` calls, `inFlight` at a time, and checks every answer.
   *
   * @param {Call} call @param {number} count @param {number} inFlight
   * @returns {Promise<void>}
   */
  load(call, count, inFlight) {
    const first = this.#nextId;
    const end = first + count;
    let next = first;
    let done = 0;
    let outgoing = "";
    const waiting = new Set();
    const ask = () => {
      waiting.add(next);
      outgoing += `${callText(this.era, next++, call)}\n`;
    };
    return new Promise((resolve, reject) => {
      this.#onEnd = reject;
      this.#onLine = (line) => {
        const answer = JSON.parse(line);
        if (!waiting.delete(answer.id) || !call.check(answer.result, answer.id)) {
          reject(new WrongAnswer(callText(this.era, answer.id, call), line));
          return;
        }
        done++;
        if (next < end) ask();
      };
      this.#onChunk = () => {
        if (done === count) {
          this.#nextId = end;
          this.#onChunk = () => {};
          resolve();
        } else if (outgoing !== "") {
          this.#write(outgoing);
          outgoing = "";
        }
      };
      while (next < Math.min(end, first + inFlight)) ask();
      this.#onChunk();
    });
  }

  /**
   * Makes one call after the other.
   *
   * @param {Call} call @param {number} count
   * @returns {Promise<number[]>} the duration of each, in milliseconds
   */
  async sequential(call, count) {
    const times = [];
    for (let index = 0; index < count; index++) {
      const id = this.#nextId++;
      const text = callText(this.era, id, call);
      const started = performance.now();
      const answer = await this.#exchange(text, id);
      times.push(performance.now() - started);
      if (!call.check(answer.result, id)) throw new WrongAnswer(text, answer);
    }
    return times;
  }

  /** Ends the conversation as clients do, and waits until the server has exited. */
  async leave() {
    this.#onEnd = () => {};
    this.server.child.stdin.end();
    await this.server.exited;
  }

  async stop() {
    this.#onEnd = () => {};
    await this.server.stop();
  }

  /** @param {string} text @param {number} id @returns {Promise<any>} */
  #exchange(text, id) {
    return new Promise((resolve, reject) => {
      this.#onEnd = reject;
      this.#onLine = (line) => {
        try {
          const answer = JSON.parse(line);
          if (answer.id === id) resolve(answer);
        } catch (error) {
          reject(error);
        }
      };
      this.#write(`${text}\n`);
    });
  }

  /** @param {string} text */
  #write(text) {
    this.server.child.stdin.write(text);
  }

  /** @param {string} chunk */
  #receive(chunk) {
    let text = this.#rest + chunk;
    let start = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
      this.#onLine(text.slice(start, end));
      start = end + 1;
    }
    this.#rest = text.slice(start);
    this.#onChunk();
  }
}
