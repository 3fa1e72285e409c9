import { idempotencyKey } from "./idempotency-key.js";

/** An effect of a handler, as the author wrote it. */
export type Effect<T> = (idempotencyKey: string) => T | Promise<T>;

/**
 * Does an effect unless another run of the same call has done it, and keeps what it returned for later runs: JSON text,
 * or nothing where there is none.
 */
export type KeepEffect = (
  callId: string,
  key: string,
  perform: () => Promise<string | undefined>,
) => Promise<string | undefined>;

export interface EffectsOptions {
  /** That of the call in earlier runs. Default: a new one. */
  readonly callId?: string | undefined;
  /** Results of earlier runs. */
  readonly done?: ReadonlyMap<string, unknown>;
  /** Default: nothing is kept but by this object. */
  readonly keep?: KeepEffect | null | undefined;
  /** Called whenever no effect is under way any more. */
  readonly onIdle?: () => void;
}

/** The effects of one run: each happens once, and its result is JSON whether it happened in this run or before. */
export class Effects {
  readonly #results: Map<string, unknown>;
  readonly #running = new Map<string, Promise<unknown>>();
  readonly #keep: KeepEffect | null;
  readonly #onIdle: (() => void) | undefined;
  #callId: string | undefined;

  constructor({ callId, done = new Map(), keep, onIdle }: EffectsOptions = {}) {
    this.#callId = callId;
    this.#results = new Map(done);
    this.#keep = keep ?? null;
    this.#onIdle = onIdle;
  }

  /** What all runs of the call have in common, a UUID. */
  get callId(): string {
    return (this.#callId ??= globalThis.crypto.randomUUID());
  }

  /** The results so far, by key. */
  get results(): ReadonlyMap<string, unknown> {
    return this.#results;
  }

  /** True while no effect is under way. */
  get isIdle(): boolean {
    return this.#running.size === 0;
  }

  /** @param keep where the result is kept; `null` for what is not kept but by this object */
  once<T>(key: string, effect: Effect<T>, keep: KeepEffect | null = this.#keep): Promise<T> {
    if (this.#results.has(key)) return Promise.resolve(this.#results.get(key) as T);
    let running = this.#running.get(key);
    if (running === undefined) {
      running = this.#run(key, effect, keep);
      this.#running.set(key, running);
    }
    return running as Promise<T>;
  }

  /** An effect that failed has not happened; the next run tries again. */
  async #run(key: string, effect: Effect<unknown>, keep: KeepEffect | null): Promise<unknown> {
    const perform = async (): Promise<string | undefined> =>
      JSON.stringify(await effect(idempotencyKey(this.callId, key))) as string | undefined;
    try {
      const text = await (keep?.(this.callId, key, perform) ?? perform());
      const result: unknown = text === undefined ? undefined : JSON.parse(text);
      this.#results.set(key, result);
      return result;
    } finally {
      this.#running.delete(key);
      if (this.isIdle) this.#onIdle?.();
    }
  }
}
