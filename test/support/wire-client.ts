import type { WireMessage } from "../wire/schemas.mjs";

/** A connection that carries messages to a server and back. */
export interface Wire {
  /** Sends one message. `message` is the parsed `text`, if it is valid. */
  send(text: string, message?: WireMessage): void;
  onMessage(listener: (text: string) => void): void;
  close(): Promise<void>;
}

export interface WireClientOptions {
  revision: string;
  /** Revision that a legacy client requests in `initialize`. Default: its revision. */
  protocolVersion?: string;
  capabilities?: Record<string, unknown>;
  logLevel?: string;
  /** Answers a request of the server: returns the result, or `{ error }` to reject it. */
  answer?: (method: string, params: Record<string, unknown>, key?: string) => unknown;
}

/** A question of the server, by request or in a result. */
export interface Question {
  method: string;
  params: Record<string, unknown>;
  /** The question's key among `inputRequests`, if the revision has them. */
  key?: string;
}

const MODERN = "2026-07-28";
const META = "io.modelcontextprotocol";

/**
 * A client that shows messages as they are on the wire. It knows enough of the protocol to open a conversation,
 * and nothing that would hide a server's messages.
 */
export class WireClient {
  readonly revision: string;
  /** Notifications of the server, oldest first. */
  readonly notifications: WireMessage[] = [];
  /** Requests of the server, oldest first. */
  readonly asked: Question[] = [];
  /** The server's response to the first request. */
  opened: Record<string, unknown> = {};
  /** Sees each request of the server. */
  onRequest: ((message: WireMessage) => void) | undefined;
  readonly #wire: Wire;
  readonly #options: WireClientOptions;
  readonly #waiting = new Map<string | number, { method: string; resolve: (message: WireMessage) => void }>();
  #unmatched: ((message: WireMessage) => void)[] = [];
  #nextId = 1;

  constructor(wire: Wire, options: WireClientOptions) {
    this.#wire = wire;
    this.#options = options;
    this.revision = options.revision;
    wire.onMessage((text) => this.#receive(text));
  }

  get isModern(): boolean {
    return this.revision >= MODERN;
  }

  /** Opens the conversation as the revision requires, and returns the result of the server. */
  async open(): Promise<Record<string, unknown>> {
    if (this.isModern) return (this.opened = await this.result("server/discover"));
    const { protocolVersion = this.revision, capabilities = {}, logLevel } = this.#options;
    const clientInfo = { name: "wire-client", version: "1.0.0" };
    this.opened = await this.result("initialize", { protocolVersion, capabilities, clientInfo });
    this.notify("notifications/initialized");
    if (logLevel !== undefined) await this.result("logging/setLevel", { level: logLevel });
    return this.opened;
  }

  /** Sends a request and returns the whole response. */
  async request(
    method: string,
    params: Record<string, unknown> = {},
    id: string | number = this.#nextId++,
  ): Promise<WireMessage> {
    const answer = new Promise<WireMessage>((resolve) => {
      this.#waiting.set(id, { method, resolve });
    });
    this.#send({ jsonrpc: "2.0", id, method, params: this.withMeta(params) } as WireMessage);
    return answer;
  }

  /** Sends a request and returns its result; an error response fails the test. */
  async result(method: string, params?: Record<string, unknown>): Promise<Record<string, unknown>> {
    const message = await this.request(method, params);
    if (message.result === undefined) throw new Error(`${method}: ${JSON.stringify(message.error)}`);
    return message.result;
  }

  /** Sends a request and returns its error; a result fails the test. */
  async error(method: string, params?: Record<string, unknown>): Promise<NonNullable<WireMessage["error"]>> {
    const message = await this.request(method, params);
    if (message.error === undefined)
      throw new Error(`${method} succeeded: ${JSON.stringify(message.result)}`);
    return message.error;
  }

  /** Calls a tool and returns its result. */
  call(name: string, args?: Record<string, unknown>): Promise<Record<string, unknown>> {
    return this.result("tools/call", args === undefined ? { name } : { name, arguments: args });
  }

  /** Sends a request and answers all questions, until there is a final result or an error. */
  async requestAndAnswer(method: string, params: Record<string, unknown> = {}): Promise<WireMessage> {
    let message = await this.request(method, params);
    while (message.result?.resultType === "input_required") {
      const { inputRequests, requestState } = message.result;
      const inputResponses = this.#answers(inputRequests as Record<string, Question>);
      message = await this.request(method, { ...params, inputResponses, requestState });
    }
    return message;
  }

  /** Calls a tool, answers its questions, and returns its result. */
  async callAndAnswer(name: string, args: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const message = await this.requestAndAnswer("tools/call", { name, arguments: args });
    if (message.result === undefined) throw new Error(`${name}: ${JSON.stringify(message.error)}`);
    return message.result;
  }

  /** Sends a response to a request of the server. */
  respond(id: string | number, answer: { result?: unknown; error?: unknown }): void {
    this.#send({ jsonrpc: "2.0", id, ...answer } as WireMessage);
  }

  notify(method: string, params: Record<string, unknown> = {}): void {
    this.#send({ jsonrpc: "2.0", method, params });
  }

  /** Sends text unchanged, and returns the next message that is not the response to a request of this client. */
  async sendText(text: string): Promise<WireMessage> {
    const answer = new Promise<WireMessage>((resolve) => {
      this.#unmatched.push(resolve);
    });
    let message: WireMessage | undefined;
    try {
      message = JSON.parse(text) as WireMessage;
    } catch {
      message = undefined;
    }
    this.#wire.send(text, message);
    return answer;
  }

  /** Returns the parameters with the `_meta` that a modern request must carry. */
  withMeta(params: Record<string, unknown>): Record<string, unknown> {
    if (!this.isModern) return params;
    const { capabilities = {}, logLevel } = this.#options;
    return {
      ...params,
      _meta: {
        [`${META}/protocolVersion`]: this.revision,
        [`${META}/clientCapabilities`]: capabilities,
        [`${META}/clientInfo`]: { name: "wire-client", version: "1.0.0" },
        ...(logLevel === undefined ? {} : { [`${META}/logLevel`]: logLevel }),
        ...(params._meta as Record<string, unknown> | undefined),
      },
    };
  }

  async close(): Promise<void> {
    await this.#wire.close();
  }

  #send(message: WireMessage): void {
    this.#wire.send(JSON.stringify(message), message);
  }

  #receive(text: string): void {
    const parsed = JSON.parse(text) as WireMessage | WireMessage[];
    if (Array.isArray(parsed)) {
      this.#unmatched.shift()?.(parsed as unknown as WireMessage);
      return;
    }
    const waiting = parsed.method === undefined ? this.#waiting.get(parsed.id ?? "") : undefined;
    if (parsed.method !== undefined && parsed.id !== undefined) {
      this.#answerRequest(parsed);
    } else if (parsed.method !== undefined) {
      this.notifications.push(parsed);
    } else if (waiting === undefined) {
      this.#unmatched.shift()?.(parsed);
    } else {
      this.#waiting.delete(parsed.id as string | number);
      waiting.resolve(parsed);
    }
  }

  #answers(inputRequests: Record<string, Question> = {}): Record<string, unknown> {
    const entries = Object.entries(inputRequests).flatMap(([key, { method, params }]) => {
      this.asked.push({ method, params, key });
      const answer = this.#options.answer?.(method, params, key);
      return answer === undefined ? [] : [[key, answer] as const];
    });
    return Object.fromEntries(entries);
  }

  #answerRequest(request: WireMessage): void {
    const { id, method = "", params = {} } = request;
    this.onRequest?.(request);
    this.asked.push({ method, params });
    const answer = this.#options.answer?.(method, params);
    if (answer === undefined) return;
    const { error } = (answer ?? {}) as { error?: unknown };
    this.respond(id as string | number, error === undefined ? { result: answer } : { error });
  }
}
