import { ToolError } from "../../api/errors.js";
import type { InputRequester } from "../../call/questions/question.js";
import type { EffectStore } from "../../call/steps/effects.js";
import type { Call } from "../../call/connection/call.js";
import { getRejectionMessage } from "../../call/connection/client-requests.js";
import type { Session } from "../../call/connection/session.js";
import type { CallSource, SharedCalls } from "../../call/durable/shared-calls.js";
import type { QuestionReply } from "../../call/durable/durable-record.js";
import type { Message, RequestId } from "../../protocol/jsonrpc.js";
import { OUTAGE_TOLERANCE_MS, retry, sleep } from "../../store/retry.js";
import type { SharedStreams } from "../../transports/http/sessions/session-streams.js";
import type { Replica } from "../replicas/replica.js";
import {
  type CallLocation,
  CallRecords,
  getCallKey,
  parseQuestionId,
  withRequestReply,
  withResponse,
} from "./call-records.js";
import { CallRecovery } from "./call-recovery.js";
import { CallRun } from "./call-run.js";

/** The kind of a message about a changed record, for the process that works on the call. */
const CHANGED = "call-changed";

/**
 * The interval at which calls are read again, in milliseconds: a process may change one and crash before it sends a
 * message, and a store may evict one.
 */
const POLL_INTERVAL_MS = 7000;

/** The time after a failure before a record is read again, in milliseconds. */
const REFRESH_RETRY_DELAY_MS = 1000;

/** Maximum number of answers that wait for the store. */
const MAX_WAITING_ANSWERS = 1000;

export interface DurableCallsOptions extends CallSource {
  readonly replica: Replica;
  readonly effects: EffectStore;
  readonly streams: Pick<SharedStreams, "createWriter" | "getSentMessages" | "takeOver">;
}

/**
 * The legacy calls of one server that send questions to their clients, in its store. Every process accepts the answers.
 * If the process that works on a call has crashed, the one that receives an answer, or serves the client's stream,
 * continues the call.
 */
export class DurableCalls implements SharedCalls {
  readonly #options: DurableCallsOptions;
  readonly #records: CallRecords;
  readonly #recovery: CallRecovery;
  /** The runs of this process. */
  readonly #runs = new Map<string, CallRun>();
  readonly #handOvers = new Set<Promise<void>>();
  readonly #cleanups: (() => void)[];
  readonly #closing = new AbortController();
  #waitingAnswers = 0;

  constructor(options: DurableCallsOptions) {
    const { replica, limits, streams, connect, log } = options;
    this.#options = options;
    this.#records = new CallRecords(replica, limits);
    this.#recovery = new CallRecovery({
      replica,
      records: this.#records,
      streams,
      connect,
      log,
      isBehind: (location) => this.#runs.get(getCallKey(location))?.isBehind,
    });
    streams.takeOver = (call) => this.#recovery.recover(call);
    const poll = setInterval(() => this.#refreshAll(), POLL_INTERVAL_MS * (0.75 + Math.random() / 2)).unref();
    this.#cleanups = [
      replica.on(CHANGED, (location) => this.#refresh(getCallKey(location as CallLocation))),
      replica.onMissed(() => this.#refreshAll()),
      () => clearInterval(poll),
    ];
  }

  createRequester(call: Call): InputRequester | undefined {
    const record = this.#recovery.findRecord(call.peer);
    const { session } = call;
    const isDurable = call.peer.handOver !== undefined && call.session !== undefined;
    if (session === undefined || (!isDurable && record === undefined)) return undefined;
    const { forms, replica, effects, streams, limits } = this.#options;
    const run = new CallRun({
      call,
      forms,
      replica,
      records: this.#records,
      inputTimeoutMs: limits.inputTimeoutMs,
      record,
      createRecorder: (isDone) => effects.createRecorder(this.#records.ttlMs, isDone),
      locate: (each) => {
        const { stream } = call.peer;
        if (stream === undefined) return undefined;
        const location: CallLocation = { session: session.id, stream };
        this.#runs.set(getCallKey(location), each);
        return location;
      },
      wasSent: async ({ session, stream }, requestId) =>
        (await streams.getSentMessages(session, stream)).some((text) => text.includes(`"${requestId}"`)),
      onHandOver: (recorded) => this.#track(recorded),
      onDone: (location) => this.#runs.delete(getCallKey(location)),
    });
    call.durable = run;
    return run;
  }

  acceptReply(
    { id: session }: Session,
    id: RequestId,
    message: Message,
    checkScopes: (scopes: readonly string[]) => void,
  ): Promise<void> | undefined {
    const question = parseQuestionId(id);
    if (question === undefined) return undefined;
    const { callId, stream } = question;
    const location = { session, stream };
    return this.#answer(location, callId, String(id), toReply(message), checkScopes);
  }

  cancel({ id: session }: Session, id: RequestId): void {
    // A notification has no response that could wait for this.
    this.#cancel(session, id).catch(() => {});
  }

  async close(): Promise<void> {
    this.#closing.abort();
    for (const cleanUp of this.#cleanups) cleanUp();
    this.#recovery.close();
    await Promise.all(this.#handOvers);
  }

  #track(recorded: Promise<unknown>): void {
    const remove = (): void => void this.#handOvers.delete(tracked);
    // After a failure, which is logged, other processes continue when this one's lease has expired.
    const tracked = recorded.then(remove, remove);
    this.#handOvers.add(tracked);
  }

  async #answer(
    location: CallLocation,
    callId: string,
    requestId: string,
    reply: QuestionReply,
    checkScopes: (scopes: readonly string[]) => void,
  ): Promise<void> {
    let rejection: unknown;
    const store = async (accepted: QuestionReply) => {
      const { record } = await this.#records.change(location, (each) => {
        if (each?.callId !== callId) return undefined;
        try {
          checkScopes(each.scopes ?? []);
        } catch (error) {
          // Thrown below, since errors that are thrown here are retried like those of the store.
          rejection = error;
          return undefined;
        }
        return withRequestReply(each, requestId, accepted);
      });
      return record;
    };
    const isFinal = (error: unknown): boolean =>
      error instanceof ToolError || this.#waitingAnswers > MAX_WAITING_ANSWERS;
    this.#waitingAnswers++;
    // Clients send an answer only once.
    const record = await retry(() => store(reply), { isFinal, maxDelayMs: OUTAGE_TOLERANCE_MS })
      .catch((error: unknown) => {
        if (error instanceof ToolError) return store({ rejection: error.message });
        throw error;
      })
      .finally(() => this.#waitingAnswers--);
    if (rejection !== undefined) throw rejection;
    if (record?.callId !== callId) return;
    // The answer is stored. A later error does not concern the client.
    await this.#wake(location, record.worker).catch(() => {});
  }

  async #cancel(session: string, id: RequestId): Promise<void> {
    const location = await this.#records.find(session, id);
    if (location === undefined) return;
    const { record, isChanged } = await this.#records.change(
      location,
      (each) => each && withResponse(each, null),
    );
    if (record === undefined || !isChanged) return;
    if (await this.#recovery.isAlive(record)) await this.#notify(location, record.worker);
    else await this.#recovery.createWriter(location, record.run + 1).finish(undefined);
  }

  /** Lets the process that works on a call continue, or takes the call over if that process has crashed. */
  async #wake(location: CallLocation, worker: string): Promise<void> {
    if (await this.#recovery.watch(location, worker)) await this.#notify(location, worker).catch(() => {});
  }

  async #notify(location: CallLocation, worker: string): Promise<void> {
    const { replica } = this.#options;
    if (worker === replica.id) this.#refresh(getCallKey(location));
    else await replica.send(worker, CHANGED, location);
  }

  #refreshAll(): void {
    for (const key of this.#runs.keys()) this.#refresh(key);
  }

  #refresh(key: string): void {
    const run = this.#runs.get(key);
    run?.refresh().catch(async () => {
      // The answer is stored, and no other message will announce it.
      await sleep(REFRESH_RETRY_DELAY_MS, this.#closing.signal);
      if (this.#runs.get(key) === run && !this.#closing.signal.aborted) this.#refresh(key);
    });
  }
}

function toReply({ result, error }: Message): QuestionReply {
  return error === undefined ? { result } : { rejection: getRejectionMessage(error) };
}
