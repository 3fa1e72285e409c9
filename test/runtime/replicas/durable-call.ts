import type { SharedStore, Store } from "@tenon/runtime/store";
import { memoryStore, sharedStore } from "@tenon/runtime/store";
import { createServer, type Server } from "@tenon/runtime/server";
import { expect, vi } from "vitest";
// Internal: a process that may die at any step needs the parts of a durable call, without the transport around them.
import { DurableCalls } from "../../../packages/runtime/src/cluster/calls/durable-calls.js";
import type { CallLocation } from "../../../packages/runtime/src/cluster/calls/call-records.js";
import { EffectRecords } from "../../../packages/runtime/src/cluster/records/effect-records.js";
import { Replica } from "../../../packages/runtime/src/cluster/replicas/replica.js";
import type { JoinableStore } from "../../../packages/runtime/src/call/joined-store.js";
import type { TakeOver } from "../../../packages/runtime/src/transports/http/sessions/session-streams.js";
import { findRevision } from "../../../packages/runtime/src/protocol/revisions.js";
import { createOrdersFixture, Shop } from "../orders/application.js";
import { crashableStore, type CrashableStore } from "./crashable-store.js";

export type Message = Record<string, unknown> & { id?: string | number; method?: string; result?: Message };

const SESSION = "5e55101d-0000-4000-8000-000000000000";
const STREAM = "1";
const CALL_ID = 7;
const LOCATION: CallLocation = { session: SESSION, stream: STREAM };

/** The client of one legacy call. It records everything that it receives from any process. */
export class CallClient {
  readonly messages: Message[] = [];
  /** The responses to the call. More than one is an error. */
  readonly responses: string[] = [];
  /** Whether the stream of the call has ended. */
  hasEnded = false;
  /** Whether reading the sent messages from the store takes 20 ms. */
  isReadSlowly = false;

  send(text: string): void {
    if (!this.hasEnded) this.messages.push(JSON.parse(text) as Message);
  }

  finish(text: string | undefined): void {
    if (text !== undefined) this.responses.push(text);
    this.hasEnded = true;
  }

  /** The elicitation requests that it received, oldest first. */
  get questions(): Message[] {
    return this.messages.filter(({ method }) => method === "elicitation/create");
  }

  /** Waits for the nth question. */
  async question(nth: number): Promise<Message> {
    await vi.waitFor(() => expect(this.questions.length).toBeGreaterThanOrEqual(nth));
    return this.questions[nth - 1] as Message;
  }

  /** Answers the nth question by a request to a process. Resolves when the process acknowledges it. */
  async answer(nth: number, name: string, process: CallProcess): Promise<unknown> {
    return process.post({ id: (await this.question(nth)).id, result: accept(name) });
  }

  /** Returns an error for the nth question. */
  async rejectQuestion(nth: number, process: CallProcess): Promise<void> {
    await process.post({ id: (await this.question(nth)).id, error: { code: -1, message: "No." } });
  }

  /** The texts or errors of the responses to the call. */
  get outcomes(): unknown[] {
    return this.responses.map((text) => {
      const { result, error } = JSON.parse(text) as {
        result?: { content: { text: string }[] };
        error?: Message;
      };
      return result?.content[0]?.text ?? error;
    });
  }

  /** Waits for the response to the call. @returns `outcomes` */
  async response(): Promise<unknown[]> {
    await vi.waitFor(() => expect(this.responses).not.toEqual([]));
    return this.outcomes;
  }
}

/** Creates the result of an accepted elicitation. */
export const accept = (name: string): object => ({ action: "accept", content: { name } });

/**
 * One of several processes that serve the same session and share a store. It has a server and the durable calls of `cluster/`.
 * Instead of HTTP, it has streams that write to the client directly.
 */
export class CallProcess {
  readonly store: CrashableStore;
  readonly server: Server;
  replica!: Replica;
  isDead = false;
  #takeOver: TakeOver | undefined;
  /** Resolves when the process is killed. */
  readonly death: Promise<void>;
  #die = (): void => {};
  readonly #client: CallClient;
  readonly #connection: ReturnType<Server["connect"]>;

  /**
   * @param shop executes the effects of all processes
   * @param onStep called before and after each operation on the store and each effect
   */
  constructor(
    store: Store,
    shop: Shop,
    client: CallClient,
    onStep: (process: CallProcess) => void = () => {},
  ) {
    this.#client = client;
    this.death = new Promise((resolve) => {
      this.#die = resolve;
    });
    this.store = crashableStore(store, () => onStep(this));
    const own = new Shop();
    own.act = async (effect, key) => {
      await this.#step(onStep);
      const result = await shop.act(effect, key);
      await this.#step(onStep);
      return result;
    };
    const more = { log: "off" as const, store: this.#createSharedStore() };
    this.server = createServer(createOrdersFixture(own, more), { stateKeys: "k".repeat(32) });
    this.#connection = this.#connect();
  }

  /** Stops the process as `kill -9` does. */
  async kill(): Promise<void> {
    this.isDead = true;
    this.#die();
    await this.store.kill();
  }

  /** Continues the process as if it was paused, long enough for its leases to expire. */
  resume(): void {
    this.isDead = false;
    this.store.resume();
  }

  /** Receives the client's call, and resolves when the process stops serving it. */
  async call(name: string, id: string | number = CALL_ID): Promise<void> {
    const message = { jsonrpc: "2.0", id, method: "tools/call", params: { name } };
    let isHandedOver = false;
    const answer = await this.#connection.receive(message, {
      principal: this.#principal,
      stream: STREAM,
      send: (text) => {
        if (!this.isDead && !isHandedOver) this.#client.send(text);
      },
      handOver: () => {
        isHandedOver = true;
      },
    });
    if (!this.isDead && !isHandedOver) this.#client.finish(answer?.text);
  }

  /** Receives one round of a modern call. It answers each question of the previous round with the key of the question. */
  async round(name: string, previous?: Message): Promise<Message> {
    const { inputRequests, requestState } = (previous?.result ?? {}) as Record<string, object>;
    const answers = Object.keys(inputRequests ?? {}).map((key) => [key, accept(key)]);
    const retry = previous && { inputResponses: Object.fromEntries(answers) as object, requestState };
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
    };
    const params = { name, ...retry, _meta };
    const peer = { send: () => {} };
    const connection = this.server.connect(peer);
    const answer = await connection.receive({ jsonrpc: "2.0", id: 1, method: "tools/call", params }, peer);
    return JSON.parse(answer?.text ?? "null") as Message;
  }

  /** Receives another message of the client, and resolves when the process acknowledges it. */
  async post(message: object): Promise<unknown> {
    return this.#connection.receive({ jsonrpc: "2.0", ...message }, this.#peer);
  }

  /** Receives a request to resume the stream of the call. Returns whether the process knows the call. */
  async resumeStream(): Promise<boolean> {
    return (await this.#takeOver?.({ ...LOCATION, requests: CALL_ID })) === true;
  }

  /** Stops serving as it does on SIGTERM: its calls continue in other processes. */
  shutDown(): void {
    this.#connection.finish();
  }

  readonly #principal = { subject: "ada", scopes: ["buy"], claims: { plan: "pro" } };

  readonly #peer = { principal: this.#principal, send: () => {} };

  #connect(): ReturnType<Server["connect"]> {
    const revision = findRevision("2025-11-25", "legacy");
    if (revision === undefined) throw new Error("There is no such revision.");
    const client = {
      info: { name: "test", version: "1.0.0" },
      capabilities: { elicitation: { form: {}, url: {} } },
    };
    const agreement = { id: SESSION, revision, client, openedAt: Date.now() };
    return this.server.connect(this.#peer, { agreement });
  }

  #createSharedStore(): SharedStore {
    const inner = sharedStore(this.store) as JoinableStore;
    const shared: JoinableStore = {
      store: this.store,
      join: (options) => {
        const joined = inner.join(options);
        this.replica = new Replica({ store: this.store, name: options.name, log: options.log });
        this.replica.start();
        const effects = new EffectRecords(this.replica);
        const streams = {
          takeOver: undefined as TakeOver | undefined,
          createWriter: () => ({
            keepAlive: () => {},
            send: (text: string) => {
              if (!this.isDead) this.#client.send(text);
            },
            finish: (text: string | undefined) => {
              if (!this.isDead) this.#client.finish(text);
            },
          }),
          getSentMessages: async () => {
            if (this.#client.isReadSlowly) await new Promise((resolve) => setTimeout(resolve, 20));
            return this.#client.messages.map((each) => JSON.stringify(each));
          },
        };
        return {
          ...joined,
          effects,
          createCalls: (source) => {
            const calls = new DurableCalls({ ...source, replica: this.replica, effects, streams });
            this.#takeOver = streams.takeOver;
            return calls;
          },
          close: async () => {
            await this.replica.close();
            await joined.close();
          },
        };
      },
    };
    return shared;
  }

  async #step(onStep: (process: CallProcess) => void): Promise<void> {
    if (!this.isDead) onStep(this);
    if (this.isDead) await new Promise(() => {});
  }
}

/** Starts processes that share an empty store and a new shop, with the client of one call. */
export async function startCall(count: number, onStep?: (process: CallProcess) => void) {
  const [store, shop, client] = [memoryStore(), new Shop(), new CallClient()];
  const processes = Array.from({ length: count }, () => new CallProcess(store, shop, client, onStep));
  for (const { replica } of processes) await replica.waitForLease();
  return { store, shop, client, processes };
}

/** Closes the processes that are not dead. */
export async function closeAll(processes: readonly CallProcess[]): Promise<void> {
  await Promise.all(processes.map(({ isDead, server }) => (isDead ? undefined : server.close())));
}
