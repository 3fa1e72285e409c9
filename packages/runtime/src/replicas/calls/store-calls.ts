import { ToolError } from "../../api/errors.js";
import type { Limits } from "../../api/limits.js";
import type { LogSink } from "../../api/log.js";
import type { Asker } from "../../ask/questions/question.js";
import type { Forms } from "../../ask/questions/served-form.js";
import type { Agreement } from "../../protocol/agreement.js";
import type { Call } from "../../connection/call.js";
import type { Session } from "../../connection/session.js";
import type { SharedCalls } from "../../connection/shared-calls.js";
import { isObject, type Message, type RequestId } from "../../protocol/jsonrpc.js";
import { findRevision } from "../../protocol/revisions.js";
import type { EventChannel } from "../../transports/http/exchange/exchange.js";
import type { SharedStreams } from "../../transports/http/sessions/session-streams.js";
import type { Peer, TransportConnection } from "../../transports/transport.js";
import type { EffectRecords } from "../effect-records.js";
import type { Replica } from "../replica.js";
import { type CallRecord, principalOf, type QuestionReply, withReply } from "./call-record.js";
import { type CallPlace, CallRecords } from "./call-records.js";
import { questionPlace } from "./question-id.js";
import { RecordedRun } from "./recorded-run.js";

/** What tells the process at work on a call that its record has changed. */
const CHANGED = "call-changed";

/** After this time a process that does not answer is known to be dead, in milliseconds. */
const RECHECK_MS = 12_000;

/** How often a call is polled of which another process may have died before it could say that it has changed. */
const POLL_MS = 10_000;

const MOST_REFUSAL_CHARACTERS = 500;

/** Pauses after which an answer is offered to a store again that could not take it, in milliseconds. */
const ANSWER_RETRIES_MS = [100, 200, 400, 800, 1600, 3000];

/** How many answers wait for that at most. */
const MOST_WAITING_ANSWERS = 1000;

/** What calls are made from. */
export interface CallSource {
  readonly limits: Limits;
  readonly forms: Forms;
  readonly log: LogSink;
  /** Opens a conversation for a call that was begun in another. */
  connect(peer: Peer, options: { readonly agreement: Agreement }): TransportConnection;
}

export interface StoreCallsOptions extends CallSource {
  readonly replica: Replica;
  readonly effects: EffectRecords;
  readonly streams: Pick<SharedStreams, "goOn" | "sent" | "takeOver">;
}

/**
 * The calls of one server that ask their clients, in its store: any of its processes takes the answers, and when the one
 * at work has died, the one that has an answer, or the client, goes on.
 */
export class StoreCalls implements SharedCalls {
  readonly #options: StoreCallsOptions;
  readonly #records: CallRecords;
  /** What this process is at work on. */
  readonly #runs = new Map<string, RecordedRun>();
  /** Calls that it takes over, by the peers made for them. */
  readonly #takenOver = new WeakMap<Peer, CallRecord>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #waitingAnswers = 0;
  readonly #handOvers = new Set<Promise<void>>();
  readonly #stops: (() => void)[];

  constructor(options: StoreCallsOptions) {
    const { replica, limits } = options;
    this.#options = options;
    this.#records = new CallRecords(replica, limits);
    options.streams.takeOver = (call) => this.goOn(call);
    this.#stops = [
      replica.on(CHANGED, (place) => this.#refresh(keyOf(place as CallPlace))),
      replica.onGap(() => this.#refreshAll()),
    ];
    const poll = setInterval(() => this.#refreshAll(), POLL_MS * (0.75 + Math.random() / 2)).unref();
    this.#stops.push(() => clearInterval(poll));
  }

  asker(call: Call): Asker | undefined {
    const record = this.#takenOver.get(call.peer);
    const isKept = call.peer.handOver !== undefined && call.session.peer.endsWithAnswer !== true;
    if (!isKept && record === undefined) return undefined;
    const { forms, replica, effects, streams, limits } = this.#options;
    const run = new RecordedRun({
      call,
      forms,
      replica,
      records: this.#records,
      answerMs: limits.answerMs,
      record,
      keeper: (isOver) => effects.keeper(this.#records.ttlMs, isOver),
      locate: (each) => {
        const { stream } = call.peer;
        if (stream === undefined) return undefined;
        const place: CallPlace = { session: call.session.id, stream };
        this.#runs.set(keyOf(place), each);
        return place;
      },
      wasSent: async ({ session, stream }, requestId) =>
        (await streams.sent(session, stream)).some((text) => text.includes(`"${requestId}"`)),
      onHandOver: (kept) => this.#track(kept),
      onOver: (place) => this.#runs.delete(keyOf(place)),
    });
    call.recorded = run;
    return run;
  }

  answer({ id: session }: Session, id: RequestId, message: Message): Promise<void> | undefined {
    const question = questionPlace(id);
    if (question === undefined) return undefined;
    const { callId, stream } = question;
    return this.#answer({ session, stream }, callId, String(id), replyOf(message));
  }

  cancel({ id: session }: Session, id: RequestId): void {
    // Nobody waits for it to happen.
    this.#cancel(session, id).catch(() => {});
  }

  /**
   * Sees that somebody is at work on the call of a stream from which nothing comes.
   *
   * @returns false when nothing more will come
   */
  async goOn({ session, stream }: CallPlace): Promise<boolean> {
    const place: CallPlace = { session, stream };
    const record = await this.#records.get(place);
    if (record === undefined) return false;
    if (await this.#isAlive(record)) return true;
    await this.#takeOver(place, record);
    return true;
  }

  async close(): Promise<void> {
    for (const stop of this.#stops) stop();
    for (const timer of this.#timers) clearTimeout(timer);
    await Promise.all(this.#handOvers);
  }

  #track(kept: Promise<void>): void {
    const over = kept
      .catch(() => {
        // The log has it, and this process is known to be dead soon.
      })
      .then(() => {
        this.#handOvers.delete(over);
      });
    this.#handOvers.add(over);
  }

  async #answer(place: CallPlace, callId: string, requestId: string, reply: QuestionReply): Promise<void> {
    let found: CallRecord | undefined;
    const keep = (given: QuestionReply): Promise<CallRecord | undefined> =>
      this.#records.change(place, (record) => {
        found = record.callId === callId ? record : undefined;
        return found && withReply(found, requestId, given);
      });
    try {
      await this.#persist(() => keep(reply));
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      await keep({ refusal: error.message });
    }
    // The answer is kept, now or when it came before; whether anybody can be told of it is not for its client to know.
    if (found !== undefined) await this.#wake(place, found).catch(() => {});
  }

  /** Tries for a while to keep an answer, as when the store is started again: its client would not send it twice. */
  async #persist(keep: () => Promise<unknown>): Promise<unknown> {
    for (const pauseMs of ANSWER_RETRIES_MS) {
      try {
        return await keep();
      } catch (error) {
        if (error instanceof ToolError || this.#waitingAnswers >= MOST_WAITING_ANSWERS) throw error;
      }
      this.#waitingAnswers++;
      await new Promise((resolve) => setTimeout(resolve, pauseMs).unref());
      this.#waitingAnswers--;
    }
    return keep();
  }

  async #cancel(session: string, id: RequestId): Promise<void> {
    const place = await this.#records.find(session, id);
    const record =
      place &&
      (await this.#records.change(place, (each) =>
        each.answer === undefined ? { ...each, answer: null } : undefined,
      ));
    if (place === undefined || record === undefined) return;
    if (await this.#isAlive(record)) await this.#tell(place, record);
    else await this.#writer(place, record.run + 1).finish(undefined);
  }

  /** The process at work goes on, or this one. */
  async #wake(place: CallPlace, record: CallRecord): Promise<void> {
    if (!(await this.#isAlive(record))) return this.#takeOver(place, record);
    await this.#tell(place, record).catch(() => {});
    if (record.by === this.#options.replica.id) return;
    // It may have died a moment ago.
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      void this.#recheck(place, record).catch(() => {});
    }, RECHECK_MS).unref();
    this.#timers.add(timer);
  }

  async #recheck(place: CallPlace, { callId, run }: CallRecord): Promise<void> {
    const record = await this.#records.get(place);
    if (record?.callId !== callId || record.run !== run || (await this.#isAlive(record))) return;
    await this.#takeOver(place, record);
  }

  async #tell(place: CallPlace, { by }: CallRecord): Promise<void> {
    const { replica } = this.#options;
    if (by === replica.id) this.#refresh(keyOf(place));
    else await replica.tell(by, CHANGED, place);
  }

  async #isAlive({ by }: CallRecord): Promise<boolean> {
    return by !== "" && (await this.#options.replica.isAlive(by));
  }

  #refreshAll(): void {
    for (const key of this.#runs.keys()) this.#refresh(key);
  }

  #refresh(key: string): void {
    const run = this.#runs.get(key);
    run?.refresh().catch(() => {
      // Its answer is kept, and nobody will say so again.
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        if (this.#runs.get(key) === run) this.#refresh(key);
      }, 1000).unref();
      this.#timers.add(timer);
    });
  }

  /** Goes on with a call whose process has died, unless another is faster. */
  async #takeOver(place: CallPlace, found: CallRecord): Promise<void> {
    const { replica } = this.#options;
    await replica.whenHeld();
    const record = await this.#records.change(place, (each) =>
      each.callId === found.callId && each.run === found.run && each.by === found.by
        ? { ...each, by: replica.id, run: each.run + 1 }
        : undefined,
    );
    if (record === undefined) return;
    const writer = this.#writer(place, record.run);
    // Its process died between deciding on the answer and sending it.
    if (record.answer !== undefined) await writer.finish(record.answer ?? undefined);
    else void this.#serve(place, record, writer);
  }

  #writer({ session, stream }: CallPlace, run: number): EventChannel {
    return this.#options.streams.goOn(session, stream, run);
  }

  async #serve(place: CallPlace, record: CallRecord, writer: EventChannel): Promise<void> {
    const { connect, log } = this.#options;
    const { id, method, params, client, address, logLevel, stream } = record;
    const revision = findRevision(record.revision, "legacy");
    if (revision === undefined) return;
    const principal = principalOf(record);
    const send = (text: string): void => {
      // What was said before its first question, or between two, the client has heard.
      if (this.#runs.get(keyOf(place))?.isBehind === false) writer.send(text);
    };
    const peer: Peer = { send, principal, address, stream, isAgain: true };
    this.#takenOver.set(peer, record);
    const agreement: Agreement = { id: place.session, revision, client, openedAt: Date.now() };
    const connection = connect(peer, { agreement });
    connection.restore(logLevel === undefined ? {} : { logLevel });
    log({ level: "info", event: "call-taken-over", msg: "A call goes on whose process has died", method });
    const answer = await connection.receive({ jsonrpc: "2.0", id, method, params }, peer);
    if (answer !== undefined) await writer.finish(answer.text);
    connection.close();
  }
}

function replyOf({ result, error }: Message): QuestionReply {
  if (error === undefined) return { result };
  const { message } = isObject(error) ? error : {};
  const words = typeof message === "string" ? message.slice(0, MOST_REFUSAL_CHARACTERS) : "no reason given";
  return { refusal: `The client refused to answer: ${words}` };
}

function keyOf({ session, stream }: CallPlace): string {
  return `${session} ${stream}`;
}
