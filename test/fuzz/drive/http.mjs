import { agreedByHeader, Dialogue, isModern, toKey } from "../../wire/dialogue.mjs";
import { PLACEHOLDERS } from "../generate/messages.mjs";
import { write } from "../generate/text.mjs";
import { eventsIn, exchange } from "./exchange.mjs";
import { goodCall, inTime, isGoodAnswer } from "./good-call.mjs";
import { calls, internalError, isOwed, leakIn, parse, problemWith } from "./judge.mjs";
import { Known } from "./known.mjs";
import { ServerProcess } from "./server-process.mjs";

/**
 * @import { HttpRequest } from "../generate/http.mjs"
 * @import { Response } from "./exchange.mjs"
 * @import { Subject } from "./subjects.mjs"
 */

/** The time limit for responses that may never arrive. */
const PATIENCE_MS = 200;

const LOCAL = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d*)?$/i;
const LOCAL_ORIGIN = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d*)?$/i;

/** A server over HTTP whose responses are validated. */
export class HttpRun {
  #subject;
  #answerQuestion;
  #neverMs;
  #server;
  #port = 0;
  #known = new Known();
  /** The legacy sessions that are open, by id. @type {Map<string, Dialogue>} */
  #sessions = new Map();
  /** IDs of the sessions and requests that clients have abandoned. @type {Set<string>} */
  #givenUp = new Set();
  /** @type {string[]} */
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
    this.#server = new ServerProcess(subject.entry, ["--http", "--port", "0"]);
  }

  /** Waits until the server has started, and opens a legacy session if a revision is given. @param {string | undefined} revision */
  async open(revision) {
    if (this.#port === 0) this.#port = Number((await this.#server.url()).port);
    if (revision !== undefined) {
      const params = {
        protocolVersion: revision,
        capabilities: { elicitation: {}, sampling: {}, roots: {} },
        clientInfo: { name: "fuzz", version: "1" },
      };
      await this.send(this.#request({ jsonrpc: "2.0", id: "opening", method: "initialize", params }));
      await this.send(
        this.#request({ jsonrpc: "2.0", method: "notifications/initialized" }, [
          ["mcp-session-id", PLACEHOLDERS.session],
        ]),
      );
    }
    await this.#goodCall();
  }

  /** Sends a request, and checks the response. @param {HttpRequest} given */
  async send(given) {
    const headers = given.headers.map(
      ([name, value]) => /** @type {const} */ ([name.toLowerCase(), this.#known.fill(value)]),
    );
    const body = Buffer.from(this.#known.fill(given.body), "latin1");
    const head = [
      given.line,
      ...given.headers.map(([name, value]) => `${name}: ${this.#known.fill(value)}`),
    ].join("\r\n");
    const bytes = Buffer.concat([
      Buffer.from(`${head.replaceAll(PLACEHOLDERS.length, String(body.length))}\r\n\r\n`, "latin1"),
      body,
    ]);
    const heard = new Heard(given, new Map(headers), body, this.#sessions, this.#subject.slow);
    for (const each of heard.givesUp) this.#givenUp.add(each);
    const problemsBefore = this.problems.length;
    const controller = new AbortController();
    const patience = heard.mayWait ? setTimeout(() => controller.abort(), PATIENCE_MS) : undefined;
    let seen = 0;
    /** @param {Response} response */
    const isEnough = (response) => {
      if (heard.isHead) return response.status > 0;
      if (!isEvents(response)) return false;
      const events = eventsIn(response.body);
      for (const data of events.slice(seen)) this.#answer(data, heard);
      seen = events.length;
      return heard.isStream || (heard.listens && events.length > 0);
    };
    const isLeft = given.abort !== undefined && given.abort < bytes.length;
    const sent = isLeft ? bytes.subarray(0, given.abort) : bytes;
    try {
      const response = await inTime(
        exchange({
          port: this.#port,
          pieces: cut(sent, given.cuts ?? []),
          leaves: isLeft,
          isEnough,
          signal: controller.signal,
        }),
        "a response",
        this.#neverMs,
      );
      if (isLeft) return response;
      this.#judge(response, heard, controller.signal.aborted);
      return response;
    } catch (error) {
      this.problems.push(String(error));
      return undefined;
    } finally {
      clearTimeout(patience);
      if (this.problems.length > problemsBefore)
        this.problems.push(`after ${JSON.stringify(bytes.toString("latin1").slice(0, 1500))}`);
    }
  }

  /** Checks that the server still responds and holds no leaked resources. */
  async settle() {
    if (this.problems.length > 0) return;
    try {
      await this.#goodCall();
    } catch (error) {
      this.problems.push(String(error));
    }
    const problem = this.#server.ended ?? internalError(this.#server.stderr, this.#subject.expected);
    if (problem !== undefined) this.problems.push(`${problem}\n${this.#server.stderr.slice(-2000)}`);
  }

  /** Ends the open sessions. */
  async endSessions() {
    for (const id of [...this.#sessions.keys()]) {
      this.#sessions.delete(id);
      const key = this.#subject.keys[0] === undefined ? [] : this.#subject.keys;
      for (const each of key.length === 0 ? [undefined] : key) {
        const headers = [
          ["host", "127.0.0.1"],
          ["mcp-session-id", id],
          ...(each === undefined ? [] : [["authorization", `Bearer ${each}`]]),
        ];
        const text = `DELETE /mcp HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`;
        await exchange({ port: this.#port, pieces: [Buffer.from(text)] });
      }
    }
    this.#known.session = "none";
  }

  async held() {
    return this.#server.held();
  }

  async close() {
    await this.#server.stop();
  }

  async stop() {
    await this.#server.stop();
  }

  /** Answers a question of the server. @param {string} data @param {Heard} heard */
  #answer(data, heard) {
    const { id, method } = parse(Buffer.from(data)) ?? /** @type {any} */ ({});
    if (id === undefined || method === undefined) return;
    const headers = /** @type {[string, string][]} */ (
      ["mcp-session-id", "authorization"].flatMap((name) => {
        const value = heard.headers.get(name);
        return value === undefined ? [] : [[name, value]];
      })
    );
    void this.send(this.#request({ jsonrpc: "2.0", id, result: this.#answerQuestion() }, headers));
  }

  /** @param {Response} response @param {Heard} heard @param {boolean} isGivenUp */
  #judge(response, heard, isGivenUp) {
    const { status, headers, body, isComplete } = response;
    const leak = leakIn(`${JSON.stringify(headers)}${body}`, this.#subject);
    if (leak !== undefined) this.problems.push(leak);
    if (status >= 500 && !/Too many sessions/.test(body))
      this.problems.push(`Status ${status}: ${body.slice(0, 500)}`);
    if (status === 0) {
      if (heard.isSound && !isGivenUp) this.problems.push("There was no response.");
      return;
    }
    if (heard.isForeign && status < 300)
      this.problems.push(`What came from elsewhere was answered with ${status}.`);
    const needsKey = this.#subject.keys.length > 0 && !this.#subject.keys.some((key) => heard.sends(key));
    // Anyone may see the page for browsers.
    const isPage = heard.wantsPage && headers["content-type"]?.startsWith("text/html") === true;
    if (needsKey && status < 300 && !heard.isDocument && !heard.isPreflight && !isPage)
      this.problems.push(`Without a key it was answered with ${status}.`);
    const opened = headers["mcp-session-id"];
    if (opened !== undefined && !this.#sessions.has(opened)) {
      this.#sessions.set(opened, heard.dialogue);
      this.#known.session = opened;
    }
    const texts = isEvents(response)
      ? eventsIn(body)
      : headers["content-type"]?.startsWith("application/json") === true
        ? [body]
        : [];
    for (const [, event] of body.matchAll(/^id: (\S+)$/gm)) this.#known.event = String(event);
    if (heard.isStream || heard.isDocument || (!isComplete && !isEvents(response))) return;
    this.#judgeMessages(texts, response, heard, isGivenUp);
  }

  /** @param {readonly string[]} texts @param {Response} response @param {Heard} heard @param {boolean} isGivenUp */
  #judgeMessages(texts, { status, body, isComplete }, heard, isGivenUp) {
    let answers = 0;
    for (const text of texts) {
      const value = parse(Buffer.from(text));
      const problem = problemWith(value, text, heard.dialogue, this.#subject);
      if (problem !== undefined) this.problems.push(`${problem}\n  ${text.slice(0, 1000)}`);
      for (const message of Array.isArray(value) ? value : [value]) {
        this.#known.learn(message);
        if (Object(message).method === undefined) answers++;
      }
    }
    if (isGivenUp || heard.listens || heard.belongsTo.some((each) => this.#givenUp.has(each))) return;
    // A client with a session must reconnect for the rest.
    const isToBeContinued = /(?:^|\n)retry: \d/.test(body);
    if (status === 200 && heard.owes && answers !== 1 && !isToBeContinued) {
      this.problems.push(
        `${answers} answers (status ${status}, ${isComplete ? "complete" : "cut off"}): ${body.slice(0, 500)}`,
      );
    }
    if (status === 202 && heard.owes) this.problems.push("A request was taken for a notification.");
  }

  async #goodCall() {
    const message = goodCall(this.#subject, "good");
    /** @type {[string, string][]} */
    const headers = [
      ["mcp-protocol-version", "2026-07-28"],
      ["mcp-method", message.method],
      ["mcp-name", message.params.name],
    ];
    const response = await this.send(this.#request(message, headers));
    if (!isGoodAnswer(this.#subject, parse(Buffer.from(response?.body ?? "")))) {
      this.problems.push(`A good call was answered ${JSON.stringify(response)}`);
    }
  }

  /** @param {object} message @param {[string, string][]} [more] @returns {HttpRequest} */
  #request(message, more = []) {
    const [key] = this.#subject.keys;
    return {
      line: "POST /mcp HTTP/1.1",
      headers: [
        ["host", "127.0.0.1"],
        ["content-type", "application/json"],
        ["accept", "application/json, text/event-stream"],
        ["content-length", PLACEHOLDERS.length],
        ...(key === undefined || more.some(([name]) => name === "authorization")
          ? []
          : [/** @type {[string, string]} */ (["authorization", `Bearer ${key}`])]),
        ...more,
      ],
      body: Buffer.from(write(message)).toString("latin1"),
    };
  }
}

/** The properties of a request that determine its response. */
class Heard {
  /** The conversation that it belongs to. @type {Dialogue} */
  dialogue;
  /** Only the head of a response is sent. */
  isHead;
  /** The ids of the requests that it cancels. @type {string[]} */
  #cancels = [];
  /** The response is a stream that does not end. */
  isStream;
  /** A request for a stream that ends when the client disconnects. */
  listens;
  /** It must receive a response with its ID. */
  owes;
  /** The duration of the tool is an argument, or the client lacks a capability that the tool requires. */
  mayWait;
  /** Sent by a page of another origin. */
  isForeign;
  /** The request is for a document that describes how to log in. */
  isDocument;
  /** The preflight request of a browser before one that needs a key. */
  isPreflight;
  /** The request is for the page that people see in a browser. */
  wantsPage;
  /** Whether every server can read the request. */
  isSound;

  /**
   * @param {HttpRequest} given @param {Map<string, string>} headers @param {Buffer} body
   * @param {Map<string, Dialogue>} sessions @param {RegExp} slow
   */
  constructor(given, headers, body, sessions, slow) {
    this.headers = headers;
    const [verb = "", target = ""] = given.line.split(" ");
    const version = headers.get("mcp-protocol-version");
    const value = parse(joinChunks(body, headers));
    const isAlone =
      typeof value === "object" && value !== null && !Array.isArray(value) && isModern(value, version);
    const known = isAlone ? undefined : sessions.get(headers.get("mcp-session-id") ?? "");
    this.dialogue = known ?? new Dialogue(isAlone ? undefined : agreedByHeader(version));
    this.dialogue.hear(value, version);
    this.verb = verb;
    this.session = headers.get("mcp-session-id") ?? "";
    this.isHead = verb === "HEAD";
    this.isStream = verb === "GET";
    const { method, params } = Object(value);
    this.id = toKey(Object(value).id);
    for (const each of Array.isArray(value) ? value : [value]) {
      const { method: name, params: given } = Object(each);
      if (name === "notifications/cancelled") this.#cancels.push(toKey(given?.requestId));
    }
    this.listens = method === "subscriptions/listen";
    this.owes = verb === "POST" && target === "/mcp" && isOwed(value);
    const counts = given.headers.map(([name]) => name.toLowerCase());
    this.isSound =
      verb === "POST" &&
      target === "/mcp" &&
      new Set(counts).size === counts.length &&
      !counts.includes("upgrade") &&
      !counts.includes("expect") &&
      headers.get("transfer-encoding") === undefined;
    const asksNobody = !isAlone && !/text\/event-stream|\*\/\*/.test(headers.get("accept") ?? "*/*");
    this.mayWait = calls(slow, params) || asksNobody || verb === "GET" || !this.isSound;
    const hosts = given.headers
      .filter(([name]) => name.toLowerCase() === "host")
      .map(([, host]) => host.trim());
    this.isForeign =
      hosts.some((host) => !LOCAL.test(host)) ||
      (headers.has("origin") && !LOCAL_ORIGIN.test(headers.get("origin") ?? ""));
    this.isPreflight = verb === "OPTIONS";
    this.wantsPage = /^(?:GET|HEAD)$/.test(verb) && /\btext\/html\b/i.test(headers.get("accept") ?? "");
    this.isDocument = target.startsWith("/.well-known/");
  }

  /** The session or request that the client abandons. */
  get givesUp() {
    return this.verb === "DELETE" ? [this.session] : this.#cancels;
  }

  /** The session or request that the client may abandon, and the response with it. */
  get belongsTo() {
    return [this.session, this.id];
  }

  /** @param {string} key */
  sends(key) {
    return [...this.headers.values()].some((value) => value.includes(key));
  }
}

/** @param {Response} response */
function isEvents({ headers }) {
  return headers["content-type"]?.startsWith("text/event-stream") === true;
}

/** @param {Buffer} body @param {Map<string, string>} headers */
function joinChunks(body, headers) {
  if (headers.get("transfer-encoding") !== "chunked") return body;
  const parts = [];
  for (let at = 0; ;) {
    const end = body.indexOf("\r\n", at);
    const size = Number.parseInt(body.toString("latin1", at, end), 16);
    if (end < 0 || !(size > 0)) return Buffer.concat(parts);
    parts.push(body.subarray(end + 2, end + 2 + size));
    at = end + 4 + size;
  }
}

/** @param {Buffer} bytes @param {readonly number[]} cuts */
function cut(bytes, cuts) {
  const ends = [...cuts.filter((each) => each < bytes.length), bytes.length];
  return ends.map((end, index) => bytes.subarray(index === 0 ? 0 : ends[index - 1], end));
}
