import { createRunDoneError } from "../../call/durable/durable-run.js";
import type { EffectStore, RecordEffect } from "../../call/steps/effects.js";
import { type FoundRecord, RecordTable } from "../../store/record-table.js";
import { OUTAGE_TOLERANCE_MS, retry, getRetryDelayMs, sleep } from "../../store/retry.js";
import type { Replica } from "../replicas/replica.js";

/** The minimum time that an effect may take before a retry begins it again, in milliseconds. */
const MIN_TTL_MS = 3_600_000;

/** Maximum time between two reads of an effect that another run performs, in milliseconds. */
const MAX_WAIT_MS = 1000;

/** The time for which storing the result of an effect is retried, in milliseconds. */
const RESULT_RETRY_TIMEOUT_MS = 120_000;

/** An effect as it is stored. */
interface EffectRecord {
  /** The replica that performs it. Empty after it has failed. */
  readonly worker: string;
  /** Identifies the run that performs it, since the response to a write may be lost. */
  readonly token?: string;
  /** The result, as JSON text; `null` for none. Absent while the effect is in progress. */
  readonly text?: string | null;
}

/**
 * The results of `ctx.step()` in the store. A result is stored as soon as the effect is done, so that the effect is not
 * repeated if the process crashes before it responds. Of two concurrent runs, one performs the effect and the other
 * waits.
 */
export class EffectRecords implements EffectStore {
  readonly #replica: Replica;

  constructor(replica: Replica) {
    this.#replica = replica;
  }

  createRecorder(ttlMs: number, isDone: () => boolean): RecordEffect {
    const replica = this.#replica;
    const records = new RecordTable<EffectRecord>({
      store: replica.store,
      getKey: (id) => replica.toKey(`effect:${id}`),
      getTtlMs: ({ text }) => (text === undefined ? Math.max(ttlMs, MIN_TTL_MS) : ttlMs),
    });
    return async (callId, key, perform) => {
      const id = `{${callId}}:${key}`;
      const token = globalThis.crypto.randomUUID();
      for (let waits = 1; ; waits++) {
        const found = await retry(() => this.#findOrBegin(records, id, token), {
          isFinal: isDone,
          maxDelayMs: OUTAGE_TOLERANCE_MS,
        });
        const { record } = found;
        if (record?.text !== undefined) return record.text ?? undefined;
        if (record?.token === token) return this.#perform(records, id, found, perform);
        if (isDone()) throw createRunDoneError();
        await sleep(Math.min(MAX_WAIT_MS, getRetryDelayMs(waits)));
      }
    };
  }

  /** Returns the record of an effect. Records that this run begins the effect, unless another run has begun it. */
  async #findOrBegin(
    records: RecordTable<EffectRecord>,
    id: string,
    token: string,
  ): Promise<FoundRecord<EffectRecord>> {
    const found = await records.find(id);
    const { record } = found;
    const isFree =
      record === undefined ||
      (record.text === undefined &&
        record.token !== token &&
        (record.worker === "" || !(await this.#replica.isAlive(record.worker))));
    if (!isFree) return found;
    // Without its lease, this replica looks dead, and others would begin the effect again.
    await this.#replica.waitForLease();
    const begin = (latest: EffectRecord | undefined): EffectRecord | undefined =>
      latest === undefined || latest === record ? { worker: this.#replica.id, token } : undefined;
    return records.change(id, begin, found);
  }

  async #perform(
    records: RecordTable<EffectRecord>,
    id: string,
    begun: FoundRecord<EffectRecord>,
    perform: () => Promise<string | undefined>,
  ): Promise<string | undefined> {
    const worker = this.#replica.id;
    /**
     * Stores the result, unless another run has stored one. If this process seems dead, another run also performs the
     * effect.
     */
    const conclude = (next: EffectRecord) =>
      writeEventually(() =>
        records.change(id, (record) => (record?.text === undefined ? next : undefined), begun),
      );
    let text: string | undefined;
    try {
      text = await perform();
    } catch (error) {
      await conclude({ worker: "" });
      throw error;
    }
    const concluded = await conclude({ worker, text: text ?? null });
    return concluded?.record?.text === undefined ? text : (concluded.record.text ?? undefined);
  }
}

/**
 * Writes the result of an effect, now or while the call continues, since the effect has happened even if the store is
 * unreachable.
 */
async function writeEventually<Value>(write: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await write();
  } catch {
    // The error is logged.
    void retry(write, { maxDelayMs: RESULT_RETRY_TIMEOUT_MS }).catch(() => {});
    return undefined;
  }
}
