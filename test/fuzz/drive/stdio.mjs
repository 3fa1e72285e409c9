import { setTimeout as wait } from "node:timers/promises";
import { Dialogue, toKey } from "../../wire/dialogue.mjs";
import { write } from "../generate/text.mjs";
import { goodCall, inTime, isGoodAnswer } from "./good-call.mjs";
import { calls, internalError, isOwed, parse, problemWith } from "./judge.mjs";
import { Known } from "./known.mjs";
import { ServerProcess } from "./server-process.mjs";

/** @import { Subject } from "./subjects.mjs" */

/**
 * A request without a response so far.
 *
 * @typedef {object} Owed
 * @property {number} count
 * @property {boolean} isOptional The client has cancelled it.
 * @property {boolean} isSlow The arguments determine how long the tool takes.
 * @property {string} text The request.
 */

/** A conversation over stdio that is checked against the rules while it runs. */
export class StdioRun {
  #subject;
  #answerQuestion;
  #neverMs;
  #server;
  #dialogue = new Dialogue();
  #known = new Known();
  /** The pending requests, by ID. @type {Map<string, Owed>} */
  #owed = new Map();
  /** @type {Map<string, (message: any) => void>} */
  #sentinels = new Map();
  #sentinel = 0;
  #isOpened = false;
  /** Whether a line is being sent, during which no other may begin. */
  #isAmidLine = false;
  /** @type {string[]} */
  #waiting = [];
  /** Errors found so far. @type {string[]} */
  problems = [];

  /**
   * @param {Subject} subject
   * @param {() => unknown} answerQuestion The answer to a question of the server.
   * @param {number} neverMs The time after which a missing event counts as a failure.
   */
  constructor(subject, answerQuestion, neverMs) {
    this.#subject = subject;
    this.#neverMs = neverMs;
    this.#answerQuestion = answerQuestion;
    this.#server = new ServerProcess(subject.entry, []);
    let rest = "";
    this.#server.stdout.setEncoding("utf8").on("data", (text) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.#take(line);
    });
  }

  /** Opens a legacy session if a revision is given, and waits for a response. @param {string | undefined} revision */
  async open(revision) {
    if (revision !== undefined) {
      const params = {
        protocolVersion: revision,
        capabilities: { elicitation: {}, sampling: {}, roots: {} },
        clientInfo: { name: "fuzz", version: "1" },
      };
      await this.#ask({ jsonrpc: "2.0", id: "opening", method: "initialize", params });
      this.#isOpened = true;
    }
    await this.#goodCall();
  }

  /**
   * Sends bytes as they are, and a newline.
   *
   * @param {readonly string[]} pieces One character for each byte; each arrives by itself.
   */
  async send(pieces) {
    const filled = pieces.map((piece) => this.#known.fill(piece));
    for (const line of filled.join("").split("\n")) this.#note(Buffer.from(line, "latin1"));
    this.#isAmidLine = true;
    for (const piece of [...filled, "\n"]) {
      this.#server.stdin.write(Buffer.from(piece, "latin1"));
      if (filled.length > 1) await wait();
    }
    this.#isAmidLine = false;
    for (const line of this.#waiting.splice(0)) this.#server.stdin.write(line);
  }

  /** Checks that every request has a response, and that the server still works. */
  async settle() {
    const until = performance.now() + this.#neverMs;
    for (let times = 0; this.problems.length === 0; times++) {
      await this.#goodCall();
      const left = [...this.#owed].filter(([, owed]) => owed.count > 0 && !owed.isOptional);
      if (left.length === 0) break;
      if (times > 0) for (const [id, owed] of left) if (owed.isSlow) this.#cancel(id, owed);
      if (performance.now() > until)
        this.problems.push(`Never answered: ${left.map(([, { text }]) => text.slice(0, 1000)).join("\n")}`);
      await wait(20);
    }
    // Requests that last until they are cancelled, such as subscriptions.
    for (const [id, owed] of this.#owed) if (owed.count > 0) this.#cancel(id, owed);
    this.#owed.clear();
    const error = internalError(this.#server.stderr, this.#subject.expected);
    if (error !== undefined) this.problems.push(error);
  }

  async held() {
    return this.#server.held();
  }

  /** Closes stdin, and checks that the server exits as it should. */
  async close() {
    this.#server.stdin.end();
    const until = performance.now() + this.#neverMs;
    while (this.#server.ended === undefined && performance.now() < until) await wait(10);
    if (this.problems.length === 0 && this.#server.ended !== "exit 0") {
      this.problems.push(`It did not end as it should: ${this.#server.ended ?? "still running"}`);
    }
    await this.#server.stop();
  }

  async stop() {
    await this.#server.stop();
  }

  /** @param {Buffer} line */
  #note(line) {
    const value = parse(line);
    this.#dialogue.hear(value);
    const isBatch = Array.isArray(value);
    for (const each of isBatch ? value : [value]) {
      const { method, params } = Object(each);
      if (method === "notifications/cancelled") {
        const owed = this.#owed.get(toKey(params?.requestId));
        if (owed !== undefined) owed.isOptional = true;
      }
      if (!isOwed(each)) continue;
      const id = toKey(each.id);
      const owed = this.#owed.get(id) ?? {
        count: 0,
        isOptional: false,
        isSlow: false,
        text: line.toString(),
      };
      owed.count++;
      // Only one revision has batches, and it must be negotiated first; others reject them as a whole.
      owed.isOptional ||= isBatch && !(this.#isOpened && this.#dialogue.agreed === "2025-03-26");
      owed.isSlow ||= calls(this.#subject.slow, params);
      this.#owed.set(id, owed);
    }
  }

  /** @param {string} line */
  #take(line) {
    let value;
    try {
      value = JSON.parse(line);
    } catch {
      this.problems.push(`Not JSON: ${line.slice(0, 500)}`);
      return;
    }
    const problem = problemWith(value, line, this.#dialogue, this.#subject);
    if (problem !== undefined) this.problems.push(`${problem}\n  ${line.slice(0, 1000)}`);
    for (const message of Array.isArray(value) ? value : [value]) this.#takeMessage(message);
  }

  /** @param {any} message */
  #takeMessage(message) {
    const { id, method, params } = message;
    if (method !== undefined && id !== undefined) {
      const answer = { jsonrpc: "2.0", id, result: this.#answerQuestion() };
      if (this.#isAmidLine) this.#waiting.push(`${write(answer)}\n`);
      else this.#server.stdin.write(`${write(answer)}\n`);
    } else if (method === "notifications/subscriptions/acknowledged") {
      const owed = this.#owed.get(toKey(params?._meta?.["io.modelcontextprotocol/subscriptionId"]));
      if (owed !== undefined) owed.isOptional = true;
    } else if (id !== undefined) {
      this.#known.learn(message);
      this.#sentinels.get(id)?.(message);
      this.#sentinels.delete(id);
      const owed = this.#owed.get(toKey(id));
      if (owed !== undefined && --owed.count < 0)
        this.problems.push(`Answered more than once: ${JSON.stringify(id)}`);
    }
  }

  /** @param {string} id @param {Owed} owed */
  #cancel(id, owed) {
    owed.isOptional = true;
    const params = { requestId: JSON.parse(id) };
    this.#server.stdin.write(
      `${JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params })}\n`,
    );
  }

  async #goodCall() {
    const answer = await this.#ask(goodCall(this.#subject, `good ${this.#sentinel++}`));
    if (!isGoodAnswer(this.#subject, answer))
      this.problems.push(`A good call was answered ${JSON.stringify(answer)}`);
  }

  /** @param {{ id: string, [member: string]: unknown }} message */
  async #ask(message) {
    const answered = new Promise((resolve) => this.#sentinels.set(message.id, resolve));
    this.#dialogue.hear(message);
    this.#server.stdin.write(`${JSON.stringify(message)}\n`);
    const ended = async () => {
      while (this.#server.ended === undefined && this.#sentinels.has(message.id)) await wait(10);
      if (this.#sentinels.has(message.id))
        throw new Error(`The server has ended: ${this.#server.ended}\n${this.#server.stderr.slice(-2000)}`);
      return answered;
    };
    return inTime(ended(), `an answer to ${message.id}`, this.#neverMs);
  }
}
