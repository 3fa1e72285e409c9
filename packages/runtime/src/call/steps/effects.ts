import { describeChanged, findPart } from "../../data/results/lost-values.js";
import { createIdempotencyKey } from "./idempotency-key.js";

/** An effect of a handler: the author's function. */
export type Effect<T> = (idempotencyKey: string) => T | Promise<T>;

/**
 * Performs an effect unless another run of the same call has performed it, and records its result for later runs.
 * Resolves to the result as JSON text, or to `undefined` for an effect that returns nothing.
 */
export type RecordEffect = (
  callId: string,
  key: string,
  perform: () => Promise<string | undefined>,
) => Promise<string | undefined>;

/** Records results of effects for runs of the same call in other processes. */
export interface EffectStore {
  /**
   * Returns a function that records the effects of one run.
   *
   * @param ttlMs the time after an effect for which the same call may run again, in milliseconds
   * @param isDone returns true if the run is no longer needed
   */
  createRecorder(ttlMs: number, isDone: () => boolean): RecordEffect;
}

export interface EffectsOptions {
  /** The call's ID in earlier runs. Default: a new one. */
  readonly callId?: string | undefined;
  /** Results of earlier runs. */
  readonly done?: ReadonlyMap<string, unknown>;
  /** Default: results are only in the memory of this object. */
  readonly recordEffect?: RecordEffect | null | undefined;
  /** Called whenever the last effect in progress ends. */
  readonly onIdle?: () => void;
}

/** The effects of one run. Each is performed once. Its result has passed through JSON, whichever run performed it. */
export class Effects {
  readonly #results: Map<string, unknown>;
  readonly #running = new Map<string, Promise<unknown>>();
  readonly #recordEffect: RecordEffect | null;
  readonly #onIdle: (() => void) | undefined;
  #callId: string | undefined;

  constructor({ callId, done = new Map(), recordEffect, onIdle }: EffectsOptions = {}) {
    this.#callId = callId;
    this.#results = new Map(done);
    this.#recordEffect = recordEffect ?? null;
    this.#onIdle = onIdle;
  }

  /** Identifies the call in all its runs; a UUID. */
  get callId(): string {
    return (this.#callId ??= globalThis.crypto.randomUUID());
  }

  /** The results so far, by key. */
  get results(): ReadonlyMap<string, unknown> {
    return this.#results;
  }

  /** Whether no effect is in progress. */
  get isIdle(): boolean {
    return this.#running.size === 0;
  }

  /**
   * Performs an effect, or returns its recorded result.
   *
   * @param recordEffect `null` for a result that stays in the memory of this object
   */
  step<T>(
    key: string,
    effect: Effect<T>,
    recordEffect: RecordEffect | null = this.#recordEffect,
  ): Promise<T> {
    if (this.#results.has(key)) return Promise.resolve(this.#results.get(key) as T);
    let running = this.#running.get(key);
    if (running === undefined) {
      running = this.#run(key, effect, recordEffect);
      this.#running.set(key, running);
    }
    return running as Promise<T>;
  }

  /** Performs an effect. A failed effect is not recorded, so that the next run tries again. */
  async #run(key: string, effect: Effect<unknown>, recordEffect: RecordEffect | null): Promise<unknown> {
    const perform = async (): Promise<string | undefined> => {
      const result: unknown = await effect(createIdempotencyKey(this.callId, key));
      // The result of every run has passed through JSON, so its methods would be missing.
      const changed = findPart(result, describeChanged, true);
      if (changed !== undefined) throw createNotJsonError(key, changed);
      return JSON.stringify(result) as string | undefined;
    };
    try {
      const text = await (recordEffect?.(this.callId, key, perform) ?? perform());
      const result: unknown = text === undefined ? undefined : JSON.parse(text);
      this.#results.set(key, result);
      return result;
    } finally {
      this.#running.delete(key);
      if (this.isIdle) this.#onIdle?.();
    }
  }
}

function createNotJsonError(key: string, changed: string): TypeError {
  return new TypeError(
    `The result of the step "${key}" must be JSON, because a later run may read it from a record, but ${changed}. ` +
      "Return strings, numbers, booleans, `null`, and arrays and objects of these.",
  );
}
