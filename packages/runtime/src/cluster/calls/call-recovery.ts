import type { LogSink } from "../../api/log.js";
import type { CallSource } from "../../call/durable/shared-calls.js";
import type { Agreement } from "../../protocol/agreement.js";
import { findRevision } from "../../protocol/revisions.js";
import type { EventChannel } from "../../transports/http/exchange/exchange.js";
import type { SharedStreams } from "../../transports/http/sessions/session-streams.js";
import type { Peer } from "../../transports/transport.js";
import { readStoredPrincipal } from "../records/stored-request.js";
import type { Replica } from "../replicas/replica.js";
import { type CallLocation, type CallRecord, type CallRecords, withNextProcess } from "./call-records.js";

/** Time after which a process that does not respond is known to be dead, in milliseconds. */
const RECHECK_DELAY_MS = 12_000;

export interface CallRecoveryOptions {
  readonly replica: Replica;
  readonly records: CallRecords;
  readonly streams: Pick<SharedStreams, "createWriter">;
  readonly connect: CallSource["connect"];
  readonly log: LogSink;
  /** Returns whether the run of a call in this process still repeats what an earlier run has sent; undefined without a run. */
  isBehind(location: CallLocation): boolean | undefined;
}

/** Continues legacy calls whose processes have crashed or released them. */
export class CallRecovery {
  readonly #options: CallRecoveryOptions;
  /** The calls that this process takes over, by the peers made for them. */
  readonly #takenOver = new WeakMap<Peer, CallRecord>();
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(options: CallRecoveryOptions) {
    this.#options = options;
  }

  /** Returns the record of the call served for a peer, if this process has taken it over. */
  findRecord(peer: Peer): CallRecord | undefined {
    return this.#takenOver.get(peer);
  }

  async isAlive({ worker }: Pick<CallRecord, "worker">): Promise<boolean> {
    return worker !== "" && (await this.#options.replica.isAlive(worker));
  }

  /**
   * Ensures that a process works on the call of a silent stream.
   *
   * @returns false if nothing more will arrive
   */
  async recover({ session, stream }: CallLocation): Promise<boolean> {
    const location: CallLocation = { session, stream };
    const record = await this.#options.records.get(location);
    if (record === undefined) return false;
    if (!(await this.isAlive(record))) await this.#takeOver(location, record);
    return true;
  }

  /**
   * Takes a call over if its process is dead now, or at a later check.
   *
   * @returns true while the process is alive
   */
  async watch(location: CallLocation, worker: string): Promise<boolean> {
    if (!(await this.isAlive({ worker }))) {
      await this.recover(location);
      return false;
    }
    if (worker === this.#options.replica.id) return true;
    // The process may have crashed a moment ago.
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      void this.recover(location).catch(() => {});
    }, RECHECK_DELAY_MS).unref();
    this.#timers.add(timer);
    return true;
  }

  /** Returns the channel for messages about a call: the process that has the client's connection receives them. */
  createWriter({ session, stream }: CallLocation, run: number): EventChannel {
    return this.#options.streams.createWriter(session, stream, run);
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  /** Continues a call, unless another process is faster. */
  async #takeOver(location: CallLocation, found: CallRecord): Promise<void> {
    const { replica, records } = this.#options;
    await replica.waitForLease();
    const { record, isChanged } = await records.change(location, (each) =>
      each?.callId === found.callId && each.run === found.run && each.worker === found.worker
        ? withNextProcess(each, replica.id)
        : undefined,
    );
    if (record === undefined || !isChanged) return;
    const writer = this.createWriter(location, record.run);
    // The process crashed after it decided on the response and before it sent the response.
    if (record.response !== undefined) await writer.finish(record.response ?? undefined);
    else void this.#serve(location, record, writer);
  }

  async #serve(location: CallLocation, record: CallRecord, writer: EventChannel): Promise<void> {
    const { connect, log, isBehind } = this.#options;
    const { request, logLevel } = record;
    const { id, method, params, client, address } = request;
    const revision = findRevision(request.revision, "legacy");
    if (revision === undefined) return;
    const send = (text: string): void => {
      // The client already has the messages that an earlier run sent.
      if (isBehind(location) === false) writer.send(text);
    };
    const { session, stream } = location;
    const peer: Peer = {
      send,
      principal: readStoredPrincipal(request.principal),
      address,
      stream,
      isRecovered: true,
    };
    this.#takenOver.set(peer, record);
    const agreement: Agreement = { id: session, revision, client, openedAt: Date.now() };
    const connection = connect(peer, { agreement });
    connection.restore(logLevel === undefined ? {} : { logLevel });
    log({
      level: "info",
      event: "call-taken-over",
      msg: "A call continues after its process crashed.",
      method,
    });
    const response = await connection.receive({ jsonrpc: "2.0", id, method, params }, peer);
    if (response !== undefined) await writer.finish(response.text);
    connection.close();
  }
}
