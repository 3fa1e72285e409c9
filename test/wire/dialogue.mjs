import { schemaProblem } from "./schemas.mjs";

/** @import { WireMessage } from "./schemas.mjs" */

const LATEST = "2026-07-28";
const LATEST_LEGACY = "2025-11-25";
const LEGACY = new Set(["2024-11-05", "2025-03-26", "2025-06-18", LATEST_LEGACY]);
const META = "io.modelcontextprotocol";

/**
 * A request of the client.
 *
 * @typedef {object} Asked
 * @property {string | undefined} method
 * @property {boolean} isModern
 *
 * A request of the client. Its ID may be used again.
 * @typedef {object} Use
 * @property {Asked[]} ever
 * @property {Asked[]} now The requests that may still be unanswered.
 * @property {number} owed The number of responses that are still expected.
 */

/**
 * Returns a key for an ID. Text and numbers have different keys, and other values share one.
 *
 * @param {unknown} id
 */
export function toKey(id) {
  if (typeof id === "object") return "none";
  // Servers replace half a surrogate pair as it arrives, so that a response has U+FFFD in its place.
  return JSON.stringify(typeof id === "string" ? Buffer.from(id).toString() : id);
}

/**
 * One conversation, as observed from both sides: which request a response belongs to, and which
 * revision the next message of the server must satisfy.
 */
export class Dialogue {
  /** Revision that a legacy client and the server negotiated. @type {string | undefined} */
  agreed;
  #isModern = false;
  /** The requests, by ID. @type {Map<string, Use>} */
  #uses = new Map();

  /** @param {string} [agreed] */
  constructor(agreed) {
    this.agreed = agreed;
  }

  /**
   * Reads a message of the client, which may be invalid.
   *
   * @param {unknown} value
   * @param {string} [version] The header MCP-Protocol-Version, if there are headers.
   */
  hear(value, version) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (typeof each !== "object" || each === null || Array.isArray(each)) continue;
      const { id, method, result, error } = each;
      if (typeof id !== "string" && typeof id !== "number") continue;
      if (method === undefined && (result !== undefined || error !== undefined)) continue;
      this.#note(id, typeof method === "string" ? method : undefined, isModern(each, version));
    }
  }

  /**
   * Finds a problem in a message of the server.
   *
   * @param {unknown} value As parsed.
   * @param {boolean} [mayRepeat] Whether the client may have lost the message before.
   * @returns {string | undefined}
   */
  problem(value, mayRepeat = false) {
    if (!Array.isArray(value)) return this.#problemOfOne(value, mayRepeat);
    if (this.agreed !== "2025-03-26") return `There are no batches in ${this.agreed ?? "this conversation"}.`;
    if (value.length === 0) return "An empty batch.";
    return value.map((each) => this.#problemOfOne(each, mayRepeat)).find((each) => each !== undefined);
  }

  /** @param {string | number} id @param {string | undefined} method @param {boolean} modern */
  #note(id, method, modern) {
    this.#isModern ||= modern;
    const key = toKey(id);
    const use = this.#uses.get(key) ?? { ever: [], now: [], owed: 0 };
    const asked = { method, isModern: modern };
    if (use.owed === 0) use.now = [];
    use.now.push(asked);
    use.ever.push(asked);
    use.owed++;
    this.#uses.set(key, use);
  }

  /** @param {unknown} value @param {boolean} mayRepeat */
  #problemOfOne(value, mayRepeat) {
    if (typeof value !== "object" || value === null) return "Not a message.";
    const message = /** @type {WireMessage} */ (value);
    if (message.method !== undefined) {
      if (message.id !== undefined) return schemaProblem(message, this.agreed ?? LATEST_LEGACY);
      return firstGood(this.#revisions(message), (revision) => schemaProblem(message, revision));
    }
    if (message.id === undefined || message.id === null) return this.#problemWithoutId(message);
    const use = this.#uses.get(toKey(message.id));
    if (use === undefined) return "It answers nothing that was asked.";
    if (use.owed === 0 && !mayRepeat) return "It answers what has been answered.";
    use.owed = Math.max(0, use.owed - 1);
    return firstGood(mayRepeat ? use.ever : use.now, (asked) => {
      const problem = schemaProblem(message, this.#revisionOf(asked, message), asked.method);
      if (problem === undefined) this.#learn(asked, message);
      return problem;
    });
  }

  /** Handles an error about a message that could not be read. @param {WireMessage} message */
  #problemWithoutId(message) {
    if (message.error === undefined) return "A result without an id.";
    return firstGood(this.#revisions(message), (revision) => {
      // JSON-RPC has `null` here and HTTP "no id", but the older schemas know neither.
      const isUnknown = revision < LATEST_LEGACY;
      return schemaProblem(isUnknown ? { ...message, id: 0 } : message, revision);
    });
  }

  /** Returns the revisions to which a message that is not a response may belong. @param {WireMessage} message */
  #revisions(message) {
    const meta = /** @type {Record<string, unknown> | undefined} */ (message.params?.["_meta"]);
    if (meta?.[`${META}/subscriptionId`] !== undefined) return [LATEST];
    const legacy = this.agreed === undefined ? [] : [this.agreed];
    return this.#isModern || legacy.length === 0 ? [...legacy, LATEST] : legacy;
  }

  /** @param {Asked} asked @param {WireMessage} message */
  #revisionOf({ method, isModern: modern }, { result }) {
    if (modern) return LATEST;
    const named = method === "initialize" ? result?.["protocolVersion"] : undefined;
    if (typeof named === "string" && LEGACY.has(named)) return named;
    return this.agreed ?? LATEST_LEGACY;
  }

  /** @param {Asked} asked @param {WireMessage} message */
  #learn({ method }, { result }) {
    const version = method === "initialize" ? result?.["protocolVersion"] : undefined;
    if (typeof version === "string") this.agreed = version;
  }
}

/** Returns the revision in the version header of a legacy client without a session. @param {string | undefined} version */
export function agreedByHeader(version) {
  return version !== undefined && LEGACY.has(version) ? version : "2025-03-26";
}

/**
 * Returns whether the rules of modern revisions apply to a request.
 *
 * @param {Record<string, any>} message
 * @param {string | undefined} version
 */
export function isModern({ method, params }, version) {
  if (method === "server/discover" || version === LATEST) return true;
  const meta = params?._meta;
  if (typeof meta !== "object" || meta === null) return false;
  return meta[`${META}/protocolVersion`] !== undefined || meta[`${META}/clientCapabilities`] !== undefined;
}

/**
 * Returns undefined if any of the candidates has no problem, or else the problem of the first.
 *
 * @template T
 * @param {readonly T[]} candidates
 * @param {(candidate: T) => string | undefined} problemOf
 */
function firstGood(candidates, problemOf) {
  /** @type {string | undefined} */
  let first;
  for (const candidate of candidates) {
    const problem = problemOf(candidate);
    if (problem === undefined) return undefined;
    first ??= problem;
  }
  return first;
}
