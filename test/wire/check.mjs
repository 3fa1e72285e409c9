import { closeSync, existsSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { agreedByHeader, Dialogue, isModern } from "./dialogue.mjs";

/** @import { Happening, Opening, Way } from "./recorder.mjs" */

/**
 * The transport of a message.
 *
 * @typedef {"stdio" | "memory" | "http: json" | "http: events" | "web: json" | "web: events"} Channel
 */

/**
 * Checks the messages that processes have written to a folder so far.
 */
export class WireCheck {
  /** The numbers of validated server messages. @type {Record<string, number>} */
  counts = {};
  #folder;
  /** @type {Map<string, Recording>} */
  #recordings = new Map();
  /** Dialogues that span several requests, whichever process serves them, by session ID. @type {Map<string, Dialogue>} */
  #sessions = new Map();

  /** @param {string} folder */
  constructor(folder) {
    this.#folder = folder;
  }

  /** The number of bytes read. */
  get bytes() {
    return [...this.#recordings.values()].reduce((sum, { offset }) => sum + offset, 0);
  }

  /** Reads the new messages, and returns the problems with them. @returns {string[]} */
  problems() {
    if (!existsSync(this.#folder)) return [];
    const written = readdirSync(this.#folder)
      .filter((name) => name.endsWith(".jsonl"))
      .map((name) => {
        const known = this.#recordings.get(name);
        const recording = known ?? new Recording(join(this.#folder, name), this.counts, this.#sessions);
        if (known === undefined) this.#recordings.set(name, recording);
        return { recording, entries: recording.read() };
      });
    // A session may be opened in one process and continue in another, so entries are read in the order of time.
    return written
      .flatMap(({ recording, entries }) => entries.map((entry) => ({ recording, entry })))
      .toSorted((one, other) => one.entry[2] - other.entry[2])
      .flatMap(({ recording, entry }) => recording.judge([entry]));
  }
}

/** An entry about one conversation: its number, the event, and its time. @typedef {[number, Happening, number]} Entry */

/** Entries that one process has written. */
class Recording {
  #file;
  #counts;
  offset = 0;
  #rest = Buffer.alloc(0);
  /** @type {Map<number, Conversation>} */
  #conversations = new Map();
  #sessions;
  /** Problems that are not reported yet. @type {string[]} */
  #problems = [];

  /** @param {string} file @param {Record<string, number>} counts @param {Map<string, Dialogue>} sessions */
  constructor(file, counts, sessions) {
    this.#file = file;
    this.#counts = counts;
    this.#sessions = sessions;
  }

  /** Returns the entries written since the last read. @returns {Entry[]} */
  read() {
    return Array.from(this.#lines(), (line) => JSON.parse(line));
  }

  /** Records the problems in these entries. @param {readonly Entry[]} entries */
  judge(entries) {
    for (const [number, happening] of entries) {
      if ("open" in happening) this.#conversations.set(number, this.#open(happening.open));
      else this.#conversations.get(number)?.happen(happening);
      if ("end" in happening) this.#conversations.delete(number);
    }
    return this.#problems.splice(0);
  }

  /** @param {Opening} opening @returns {Conversation} */
  #open(opening) {
    /** @type {Judge} */
    const judge = (dialogue, channel, text, mayRepeat) => {
      const name = `${opening.way}${channel === undefined ? "" : `: ${channel}`}`;
      this.#counts[name] = (this.#counts[name] ?? 0) + 1;
      const problem = findProblem(dialogue, text, mayRepeat);
      if (problem === undefined) return;
      const place = [name, opening.program, opening.verb, opening.url].filter(Boolean).join(" ");
      this.#problems.push(`${problem}\n  ${text.slice(0, 2000)}\n  by ${place}`);
    };
    if (opening.way === "memory") return memoryConversation(judge);
    if (opening.way === "stdio") return lineConversation(judge);
    return httpConversation(judge, opening, this.#sessions);
  }

  /** Returns the complete lines written since the last read. */
  *#lines() {
    const file = openSync(this.#file, "r");
    try {
      const chunk = Buffer.alloc(1 << 16);
      for (;;) {
        const count = readSync(file, chunk, 0, chunk.length, this.offset);
        if (count === 0) return;
        this.offset += count;
        let text = Buffer.concat([this.#rest, chunk.subarray(0, count)]);
        for (let end = text.indexOf(10); end >= 0; end = text.indexOf(10)) {
          yield text.toString("utf8", 0, end);
          text = text.subarray(end + 1);
        }
        this.#rest = text;
      }
    } finally {
      closeSync(file);
    }
  }
}

/**
 * @typedef {(dialogue: Dialogue, channel: string | undefined, text: string, mayRepeat?: boolean) => void} Judge
 * @typedef {{ happen(happening: Happening): void }} Conversation
 */

/** @param {Dialogue} dialogue @param {string} text @param {boolean} [mayRepeat] */
function findProblem(dialogue, text, mayRepeat) {
  const value = parse(text);
  return value === undefined ? "Not JSON." : dialogue.problem(value, mayRepeat);
}

/** @param {Judge} judge @returns {Conversation} */
function memoryConversation(judge) {
  const dialogue = new Dialogue();
  return {
    happen(happening) {
      if ("received" in happening) dialogue.hear(happening.received);
      if ("sent" in happening) judge(dialogue, undefined, happening.sent);
    },
  };
}

/**
 * Returns the lines, starting with the first message. Other programs may read and print any lines.
 *
 * @param {Judge} judge
 * @returns {Conversation}
 */
function lineConversation(judge) {
  const dialogue = new Dialogue();
  const [received, sent] = [createCutter("\n"), createCutter("\n")];
  /** Lines printed before the first message. @type {string[]} */
  const before = [];
  let isOurs = false;
  return {
    happen(happening) {
      if ("in" in happening) {
        for (const line of received(happening.in)) {
          const value = parse(line);
          isOurs ||= isMessage(value);
          dialogue.hear(value);
        }
      } else if ("out" in happening) {
        for (const line of sent(happening.out)) {
          before.push(line);
          isOurs ||= isMessage(parse(line));
        }
      }
      if (isOurs) for (const line of before.splice(0)) judge(dialogue, undefined, line);
    },
  };
}

/**
 * Splits text that arrives in chunks into lines, in time linear in its length.
 *
 * @param {string} end The text with which each part ends.
 * @returns {(piece: string) => string[]} The parts that a further piece completes.
 */
function createCutter(end) {
  /** @type {string[]} */
  let pieces = [];
  let last = "";
  return (piece) => {
    const before = end.length > 1 ? last.slice(1 - end.length) : "";
    const isCut = (before + piece).includes(end);
    pieces.push(piece);
    last = piece;
    if (!isCut) return [];
    const parts = pieces.join("").split(end);
    pieces = [parts.pop() ?? ""];
    last = pieces[0] ?? "";
    return parts;
  };
}

/**
 * Creates the conversation of one request over HTTP and its response.
 *
 * @param {Judge} judge @param {Opening} opening @param {Map<string, Dialogue>} sessions
 * @returns {Conversation}
 */
function httpConversation(judge, { verb, url = "", version, session }, sessions) {
  const cutEvents = createCutter("\n\n");
  /** @type {string[]} */
  const body = [];
  /** @type {string[]} */
  const sent = [];
  let type = "";
  /** @type {Dialogue | undefined} */
  let dialogue;
  const sseSession = new URLSearchParams(url.replace(/^[^?]*/, "")).get("sessionId") ?? undefined;

  /** @param {string | undefined} opened */
  const begin = (opened) => {
    const value = parse(body.join(""));
    const modern = typeof value === "object" && value !== null && isModern(value, version);
    const known = modern ? sessions.get(sseSession ?? "") : sessions.get(session ?? sseSession ?? "");
    dialogue = known ?? new Dialogue(modern ? undefined : agreedByHeader(version));
    dialogue.hear(value, version);
    if (known === undefined && opened !== undefined) sessions.set(opened, dialogue);
  };
  /** @param {string} event */
  const judgeEvent = (event) => {
    const field = (/** @type {string} */ name) =>
      event
        .split("\n")
        .flatMap((line) => (line.startsWith(`${name}: `) ? [line.slice(name.length + 2)] : []));
    const data = field("data").join("\n");
    if (dialogue === undefined || data === "") return;
    if (field("event")[0] === "endpoint") {
      sessions.set(new URL(data, "http://localhost").searchParams.get("sessionId") ?? "", dialogue);
      dialogue.agreed = undefined;
    } else {
      judge(dialogue, "events", data, verb === "GET");
    }
  };
  // Documents that describe how to log in are not part of the protocol.
  if (url.replace(/^https?:\/\/[^/]*/, "").startsWith("/.well-known/")) return { happen() {} };
  return {
    happen(happening) {
      if ("in" in happening) {
        body.push(happening.in);
      } else if ("head" in happening) {
        type = happening.head.type ?? "";
        begin(happening.head.session);
      } else if ("out" in happening) {
        if (type.startsWith("text/event-stream"))
          for (const event of cutEvents(happening.out)) judgeEvent(event);
        else sent.push(happening.out);
      } else if ("end" in happening && type.startsWith("application/json") && dialogue !== undefined) {
        judge(dialogue, "json", sent.join(""));
      }
    },
  };
}

/** @param {string} text @returns {unknown} `undefined` when it is not valid JSON. */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param {unknown} value */
function isMessage(value) {
  const first = Array.isArray(value) ? value[0] : value;
  return typeof first === "object" && first !== null && first.jsonrpc === "2.0";
}
