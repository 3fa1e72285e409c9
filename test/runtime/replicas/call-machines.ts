import type { Sharing, Store } from "@tenon/runtime/store";
import { shared } from "@tenon/runtime/store";
import { createServer, type Server } from "@tenon/runtime/server";
import type { ServerConfig } from "@tenon/runtime";
import { StoreCalls } from "../../../packages/runtime/src/replicas/calls/store-calls.js";
import type { CallPlace } from "../../../packages/runtime/src/replicas/calls/call-records.js";
import type { Replica } from "../../../packages/runtime/src/replicas/replica.js";
import type { JoinableSharing } from "../../../packages/runtime/src/replicas/sharing.js";
import { findRevision } from "../../../packages/runtime/src/protocol/revisions.js";
import { createOrdersFixture, Shop } from "../orders/application.js";
import { mortal, type MortalStore } from "./mortal-store.js";

export type Message = Record<string, unknown> & { id?: string | number; method?: string; result?: Message };

const SESSION = "5e55101d-0000-4000-8000-000000000000";
const STREAM = "1";
export const PLACE: CallPlace = { session: SESSION, stream: STREAM };

/** What the client of one call has been sent, by whichever process. */
export class SentStream {
  readonly messages: Message[] = [];
  readonly answers: string[] = [];
  isEnded = false;

  send(text: string): void {
    if (!this.isEnded) this.messages.push(JSON.parse(text) as Message);
  }

  finish(text: string | undefined): void {
    if (text !== undefined) this.answers.push(text);
    this.isEnded = true;
  }

  get questions(): Message[] {
    return this.messages.filter(({ method }) => method === "elicitation/create");
  }
}

/** One process of several that serve the same session. */
export class Machine {
  readonly store: MortalStore;
  readonly server: Server;
  calls!: StoreCalls;
  replica!: Replica;
  isDead = false;
  /** Fulfilled when it dies. */
  readonly death: Promise<void>;
  #die = (): void => {};
  readonly #stream: SentStream;
  readonly #connection: ReturnType<Server["connect"]>;

  constructor(
    store: Store,
    shop: Shop,
    stream: SentStream,
    onStep: (machine: Machine) => void = () => {},
    config: ServerConfig = {},
  ) {
    this.#stream = stream;
    this.death = new Promise((resolve) => {
      this.#die = resolve;
    });
    this.store = mortal(store, () => onStep(this));
    const own = new Shop();
    own.act = async (effect, key) => {
      await this.#step(onStep);
      const result = await shop.act(effect, key);
      await this.#step(onStep);
      return result;
    };
    const more = { log: "off" as const, ...config, store: this.#sharing() };
    this.server = createServer(createOrdersFixture(own, more), { stateKeys: "k".repeat(32) });
    this.#connection = this.#connect();
  }

  /** Dies as with `kill -9`. */
  async kill(): Promise<void> {
    this.isDead = true;
    this.#die();
    await this.store.kill();
  }

  /** Goes on after it was stopped for so long that others took it for dead. */
  wake(): void {
    this.isDead = false;
    this.store.wake();
  }

  /** The client calls. */
  async call(name: string, id: string | number = 7): Promise<void> {
    const message = { jsonrpc: "2.0", id, method: "tools/call", params: { name } };
    let hasLeft = false;
    const answer = await this.#connection.receive(message, {
      principal: this.#principal,
      stream: STREAM,
      send: (text) => {
        if (!this.isDead && !hasLeft) this.#stream.send(text);
      },
      handOver: () => {
        hasLeft = true;
      },
    });
    if (!this.isDead && !hasLeft) this.#stream.finish(answer?.text);
  }

  /** A modern client calls, by itself. Its answers are those to the round before. */
  async round(name: string, previous?: Message): Promise<Message> {
    const { inputRequests, requestState } = (previous?.result ?? {}) as Record<string, object>;
    const answers = Object.keys(inputRequests ?? {}).map((key) => [
      key,
      { action: "accept", content: { name: key } },
    ]);
    const retry = previous && { inputResponses: Object.fromEntries(answers) as object, requestState };
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
    };
    const params = { name, ...retry, _meta };
    const connection = this.server.connect({ send: () => {}, endsWithAnswer: true });
    const answer = await connection.receive({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    return JSON.parse(answer?.text ?? "null") as Message;
  }

  /** The client posts what answers or notifies. Resolves when that is acknowledged. */
  async post(message: object): Promise<unknown> {
    return this.#connection.receive({ jsonrpc: "2.0", ...message });
  }

  async finish(): Promise<void> {
    this.#connection.finish();
  }

  stop(): void {
    this.#connection.stop("The server is shutting down.");
  }

  readonly #principal = { subject: "ada", scopes: ["buy"], claims: { plan: "pro" } };

  #connect(): ReturnType<Server["connect"]> {
    const revision = findRevision("2025-11-25", "legacy");
    if (revision === undefined) throw new Error("There is no such revision.");
    const client = { info: { name: "test", version: "1.0.0" }, capabilities: { elicitation: {} } };
    const agreement = { id: SESSION, revision, client, openedAt: Date.now() };
    return this.server.connect({ principal: this.#principal, send: () => {} }, { agreement });
  }

  #sharing(): Sharing {
    const inner = shared(this.store) as JoinableSharing;
    const sharing: JoinableSharing = {
      store: this.store,
      join: (options) => {
        const joined = inner.join(options);
        this.replica = joined.replica;
        const streams = {
          takeOver: undefined,
          goOn: () => ({
            keepAlive: () => {},
            send: (text: string) => {
              if (!this.isDead) this.#stream.send(text);
            },
            finish: (text: string | undefined) => {
              if (!this.isDead) this.#stream.finish(text);
            },
          }),
          sent: async () => this.#stream.messages.map((each) => JSON.stringify(each)),
        };
        return {
          ...joined,
          calls: (source) => {
            this.calls = new StoreCalls({
              ...source,
              replica: joined.replica,
              effects: joined.effects,
              streams,
            });
            return this.calls;
          },
        };
      },
    };
    return sharing;
  }

  async #step(onStep: (machine: Machine) => void): Promise<void> {
    if (!this.isDead) onStep(this);
    if (this.isDead) await new Promise(() => {});
  }
}
