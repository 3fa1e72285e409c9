import type { StoredValue } from "../api/store.js";
import type { KeepEffect } from "../ask/once/once.js";
import type { Replica } from "./replica.js";

/** How long a process may take for an effect before a retry begins it again, at least, in milliseconds. */
const LEAST_TTL_MS = 3_600_000;

const FIRST_WAIT_MS = 25;
const LAST_WAIT_MS = 1000;

/** How often, at most, the result of an effect is offered to a store that cannot be asked. */
const MOST_TRIES = 8;

/** What the store says of an effect. */
interface EffectRecord {
  /** The replica at work on it. */
  readonly by: string;
  /** Its result, as JSON text; `null` for one that has none. Absent while it is under way. */
  readonly text?: string | null;
}

/**
 * The results of `once()`, in the store: kept as soon as an effect is done, so that a process which dies before it
 * answers does not have it done again. Of two runs at the same time one does it, and the other waits for the result.
 */
export class EffectRecords {
  readonly #replica: Replica;

  constructor(replica: Replica) {
    this.#replica = replica;
  }

  /**
   * How one run of a call keeps its effects.
   *
   * @param ttlMs for how long after an effect the same call may be run again
   * @param isOver true when nobody waits for the run any more
   */
  keeper(ttlMs: number, isOver: () => boolean): KeepEffect {
    return async (callId, key, perform) => {
      const name = this.#replica.key(`effect:{${callId}}:${key}`);
      for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, LAST_WAIT_MS)) {
        const found = await this.#replica.store.get(name);
        const record = found && readRecord(found);
        if (record?.text !== undefined) return record.text ?? undefined;
        const isFree = record === undefined || !(await this.#replica.isAlive(record.by));
        const version = isFree ? await this.#begin(name, found?.version, ttlMs) : undefined;
        if (version !== undefined) return this.#perform(name, version, perform, ttlMs);
        if (isFree) continue;
        if (isOver()) throw new DOMException("The call is over.", "AbortError");
        await new Promise((resolve) => setTimeout(resolve, waitMs * (0.5 + Math.random())));
      }
    };
  }

  /** @returns undefined when another run was faster */
  async #begin(name: string, ifVersion: string | undefined, ttlMs: number): Promise<string | undefined> {
    // What looks dead to others would be begun by them again.
    await this.#replica.whenHeld();
    const condition = ifVersion === undefined ? { ifAbsent: true } : { ifVersion };
    const options = { ttlMs: Math.max(ttlMs, LEAST_TTL_MS), ...condition };
    return this.#replica.store.set(name, this.#record(), options);
  }

  async #perform(
    name: string,
    version: string,
    perform: () => Promise<string | undefined>,
    ttlMs: number,
  ): Promise<string | undefined> {
    let text: string | undefined;
    try {
      text = await perform();
    } catch (error) {
      await this.#insist(() => this.#replica.store.delete(name, { ifVersion: version }));
      throw error;
    }
    const first = await this.#insist(() => this.#settle(name, version, text ?? null, ttlMs));
    return first === undefined ? text : (first ?? undefined);
  }

  /** @returns the result that was there first: another run did the effect too, since this process seemed to be dead */
  async #settle(name: string, version: string, text: string | null, ttlMs: number): Promise<string | null> {
    let ifVersion: string | undefined = version;
    for (;;) {
      const condition: { ifVersion: string } | { ifAbsent: true } =
        ifVersion === undefined ? { ifAbsent: true } : { ifVersion };
      if ((await this.#replica.store.set(name, this.#record(text), { ttlMs, ...condition })) !== undefined) {
        return text;
      }
      const found = await this.#replica.store.get(name);
      const first = found && readRecord(found).text;
      if (first !== undefined) return first;
      ifVersion = found?.version;
    }
  }

  #record(text?: string | null): string {
    const record: EffectRecord = { by: this.#replica.id, ...(text !== undefined && { text }) };
    return JSON.stringify(record);
  }

  /**
   * Does what has to be done in the store, now or while the call goes on: the effect has happened, whether the store can
   * be asked or not.
   */
  async #insist<Value>(write: () => Promise<Value>): Promise<Value | undefined> {
    try {
      return await write();
    } catch {
      void this.#insistLater(write);
      return undefined;
    }
  }

  async #insistLater(write: () => Promise<unknown>): Promise<void> {
    for (let tries = 1, waitMs = LAST_WAIT_MS; tries < MOST_TRIES; tries++, waitMs *= 2) {
      await new Promise((resolve) => setTimeout(resolve, waitMs).unref());
      try {
        return void (await write());
      } catch {
        // The log has it.
      }
    }
  }
}

function readRecord({ value }: StoredValue): EffectRecord {
  return JSON.parse(value) as EffectRecord;
}
