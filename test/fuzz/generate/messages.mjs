import { fromSchema, junk, lookalike, NAMES } from "./values.mjs";
import { Members, write } from "./text.mjs";

/** @import { Random } from "./random.mjs" */

export const LATEST = "2026-07-28";
export const LEGACY = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
const META = "io.modelcontextprotocol";

/**
 * Lists of a server, from which calls are generated.
 *
 * @typedef {object} Surface
 * @property {{ name: string, inputSchema: object }[]} tools
 * @property {{ name: string, arguments?: { name: string }[] }[]} prompts
 * @property {{ uri: string }[]} resources
 * @property {{ uriTemplate: string }[]} resourceTemplates
 */

/** Placeholders that the driver replaces when it sends a message. */
export const PLACEHOLDERS = /** @type {const} */ ({
  /** A `requestState` that the server has created for any request. */
  state: "$STATE$",
  /** The ID of a task that the server has started. */
  task: "$TASK$",
  /** The ID of the open session. */
  session: "$SESSION$",
  /** The ID of the latest event of a stream. */
  event: "$EVENT$",
  /** The length of the body. */
  length: "$LENGTH$",
});

const METHODS = [
  "ping",
  "initialize",
  "server/discover",
  "logging/setLevel",
  "tools/list",
  "tools/call",
  "prompts/list",
  "prompts/get",
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "resources/subscribe",
  "resources/unsubscribe",
  "completion/complete",
  "subscriptions/listen",
  "tasks/get",
  "tasks/update",
  "tasks/cancel",
  "tasks/list",
  "tasks/result",
];

/** Generates one message. */
export class Grammar {
  #surface;
  #random;
  #prefix;
  #count = 0;

  /** @param {Surface} surface @param {Random} random @param {string} prefix The prefix of all IDs. */
  constructor(surface, random, prefix) {
    this.#surface = surface;
    this.#random = random;
    this.#prefix = prefix;
  }

  /** Returns the text of a message, or of several in a batch. */
  text() {
    const random = this.#random;
    if (!random.chance(0.03)) return write(this.message());
    return write(Array.from({ length: random.below(5) }, () => this.message()));
  }

  /** @returns {unknown} */
  message() {
    const random = this.#random;
    return random.weighted([
      [80, () => this.request()],
      [8, () => this.#notification()],
      [4, () => this.#response()],
      [4, () => this.#shapeless()],
    ])();
  }

  /** @param {boolean} [modern] @returns {Members} */
  request(modern = this.#random.chance(0.5)) {
    const random = this.#random;
    const method = this.#method();
    const params = this.#params(method);
    const meta = this.#meta(modern);
    /** @type {[string, unknown][]} */
    const members = [
      ["jsonrpc", random.chance(0.97) ? "2.0" : junk(random)],
      ["id", this.#id()],
      ["method", method],
    ];
    if (meta !== undefined) params["_meta"] = meta;
    if (modern || random.chance(0.9)) members.push(["params", random.chance(0.97) ? params : junk(random)]);
    while (random.chance(0.1)) members.push([random.pick(NAMES), junk(random)]);
    while (random.chance(0.05))
      members.push([lookalike(random.pick(["method", "id", "params"]), random), junk(random)]);
    if (random.chance(0.05)) members.reverse();
    return new Members(members);
  }

  #method() {
    const random = this.#random;
    return random.weighted([
      [
        40,
        () =>
          random.pick(["tools/call", "tools/call", "prompts/get", "resources/read", "completion/complete"]),
      ],
      [40, () => random.pick(METHODS)],
      [3, () => lookalike(random.pick(METHODS), random)],
      [3, () => random.pick(NAMES)],
      [1, () => /** @type {string} */ (junk(random))],
    ])();
  }

  #id() {
    const random = this.#random;
    const number = this.#count++;
    return random.weighted([
      [80, () => `${this.#prefix}${number}`],
      [8, () => `${this.#prefix}${random.below(number + 1)}`],
      [6, () => junk(random)],
      [3, () => number],
    ])();
  }

  /** @param {boolean} modern */
  #meta(modern) {
    const random = this.#random;
    /** @type {[string, unknown][]} */
    const members = [];
    if (modern) {
      members.push([`${META}/protocolVersion`, random.chance(0.96) ? LATEST : this.#version()]);
      if (random.chance(0.98)) members.push([`${META}/clientCapabilities`, this.capabilities()]);
      if (random.chance(0.7)) members.push([`${META}/clientInfo`, this.#implementation()]);
      if (random.chance(0.2)) members.push([`${META}/logLevel`, this.#level()]);
    } else if (random.chance(0.7)) {
      return undefined;
    }
    if (random.chance(0.2)) {
      const token = random.chance(0.7) ? random.pick(["p", 1, `${this.#prefix}t`]) : junk(random);
      members.push(["progressToken", token]);
    }
    while (random.chance(0.1))
      members.push([random.pick([...NAMES, "traceparent", "baggage", `${META}/x`]), junk(random)]);
    return random.chance(0.98) ? new Members(members) : junk(random);
  }

  /** @returns {unknown} */
  capabilities() {
    const random = this.#random;
    return random.weighted([
      [20, () => ({})],
      [
        60,
        () => ({
          elicitation: { form: {}, url: {} },
          sampling: { tools: {} },
          roots: { listChanged: true },
          extensions: { "io.modelcontextprotocol/tasks": {} },
        }),
      ],
      [
        10,
        () => ({ [random.pick(["elicitation", "sampling", "roots", "extensions", ...NAMES])]: junk(random) }),
      ],
      [3, () => junk(random)],
    ])();
  }

  #implementation() {
    const random = this.#random;
    return random.chance(0.9) ? { name: "fuzz", version: "1" } : junk(random);
  }

  #version() {
    const random = this.#random;
    return random.chance(0.8) ? random.pick([...LEGACY, LATEST, "2099-01-01", "1"]) : junk(random);
  }

  #level() {
    const random = this.#random;
    return random.chance(0.9) ? random.pick(["debug", "info", "warning", "error"]) : junk(random);
  }

  /** @param {string} method @returns {Record<string, unknown>} */
  #params(method) {
    const random = this.#random;
    /** The probability that a part is wrong. */
    const wrong = random.pick([0, 0, 0.05, 0.2]);
    /** @param {unknown} value */
    const maybe = (value) => (random.chance(wrong) ? junk(random) : value);
    switch (method) {
      case "initialize":
        return {
          protocolVersion: this.#version(),
          capabilities: this.capabilities(),
          clientInfo: this.#implementation(),
        };
      case "logging/setLevel":
        return { level: this.#level() };
      case "tools/call": {
        const tool = random.pick(this.#surface.tools);
        const args = { name: maybe(tool.name), arguments: fromSchema(tool.inputSchema, random, wrong) };
        return { ...args, ...this.#round() };
      }
      case "prompts/get": {
        const prompt = random.pick(this.#surface.prompts);
        const names = (prompt.arguments ?? []).map(({ name }) => [name, maybe("a")]);
        return { name: maybe(prompt.name), arguments: Object.fromEntries(names), ...this.#round() };
      }
      case "resources/read":
      case "resources/subscribe":
      case "resources/unsubscribe":
        return { uri: maybe(this.#uri()) };
      case "completion/complete": {
        const prompt = random.pick(this.#surface.prompts);
        const template = random.pick(this.#surface.resourceTemplates);
        const ref = random.chance(0.5)
          ? { type: "ref/prompt", name: maybe(prompt.name) }
          : { type: "ref/resource", uri: maybe(template?.uriTemplate) };
        const name = maybe(random.pick(prompt.arguments ?? [{ name: "id" }])?.name);
        return {
          ref: maybe(ref),
          argument: maybe({ name, value: maybe("a") }),
          context: maybe({ arguments: {} }),
        };
      }
      case "subscriptions/listen":
        return {
          notifications: maybe({
            toolsListChanged: maybe(true),
            promptsListChanged: maybe(true),
            resourceSubscriptions: maybe([this.#uri(), maybe(this.#uri())]),
          }),
        };
      case "tasks/get":
      case "tasks/cancel":
      case "tasks/result":
        return { taskId: maybe(PLACEHOLDERS.task) };
      case "tasks/update":
        return { taskId: maybe(PLACEHOLDERS.task), inputResponses: this.#responses() };
      default:
        return random.chance(0.4) ? { cursor: random.pick(["", "MA==", "0", "zzz", junk(random)]) } : {};
    }
  }

  /** Generates the additional members of a further round of a call. */
  #round() {
    const random = this.#random;
    if (!random.chance(0.2)) return {};
    return {
      ...(random.chance(0.8) ? { requestState: random.chance(0.8) ? PLACEHOLDERS.state : junk(random) } : {}),
      ...(random.chance(0.8) ? { inputResponses: this.#responses() } : {}),
    };
  }

  /** @returns {unknown} */
  #responses() {
    const random = this.#random;
    const keys = [
      "user_name",
      "confirm",
      "step1",
      "step2",
      "capital_question",
      "client_roots",
      "q1",
      ...NAMES,
    ];
    if (random.chance(0.1)) return junk(random);
    return new Members(
      Array.from({ length: random.below(4) }, () => [random.pick(keys), this.clientResult()]),
    );
  }

  /** Generates a valid or invalid response of a client to a request. @returns {unknown} */
  clientResult() {
    const random = this.#random;
    const model = {
      role: "assistant",
      content: { type: "text", text: "x" },
      model: "m",
      stopReason: "endTurn",
    };
    return random.weighted([
      [
        30,
        () => ({ action: "accept", content: random.chance(0.7) ? { name: "a", ok: true } : junk(random) }),
      ],
      [15, () => ({ action: random.pick(["decline", "cancel", "__proto__"]) })],
      [20, () => (random.chance(0.8) ? model : { ...model, content: junk(random) })],
      [15, () => ({ roots: random.chance(0.8) ? [{ uri: "file:///a", name: "a" }] : junk(random) })],
      [20, () => junk(random)],
    ])();
  }

  #uri() {
    const random = this.#random;
    const { resources, resourceTemplates } = this.#surface;
    const value = random.pick(["1", "a%2Fb", "..", "%", "%00", "a,b", ",".repeat(2000), "é", "a/b", "{id}"]);
    return random.weighted([
      [4, () => random.pick(resources).uri],
      [4, () => random.pick(resourceTemplates).uriTemplate.replaceAll(/\{[^}]*\}/g, value)],
      [1, () => `${random.pick(["file", "test", "x", "javascript", "__proto__"])}://${value}`],
    ])();
  }

  #notification() {
    const random = this.#random;
    const method = random.pick([
      "notifications/initialized",
      "notifications/cancelled",
      "notifications/cancelled",
      "notifications/progress",
      "notifications/roots/list_changed",
      "notifications/unknown",
    ]);
    const known = `${this.#prefix}${random.below(this.#count + 1)}`;
    const params = random.chance(0.7)
      ? { requestId: random.chance(0.8) ? known : junk(random) }
      : junk(random);
    return new Members([
      ["jsonrpc", "2.0"],
      ["method", method],
      ["params", params],
    ]);
  }

  /** Generates an answer to a question of the server, or to none. */
  #response() {
    const random = this.#random;
    const id = random.chance(0.8) ? random.below(20) : junk(random);
    const answer = random.chance(0.7)
      ? { result: this.clientResult() }
      : { error: random.chance(0.7) ? { code: -1, message: "no" } : junk(random) };
    return { jsonrpc: "2.0", id, ...answer };
  }

  #shapeless() {
    const random = this.#random;
    return random.chance(0.5)
      ? junk(random)
      : new Members(
          ["jsonrpc", "id", "method", "params", "result", "error"]
            .filter(() => random.chance(0.5))
            .map((name) => [name, name === "id" ? this.#id() : junk(random)]),
        );
  }
}
