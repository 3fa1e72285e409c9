/** The effects of one run: each happens once, and its result is JSON whether it happened in this run or before. */
export class Effects {
  readonly #results: Map<string, unknown>;
  readonly #running = new Map<string, Promise<unknown>>();
  readonly #onIdle: () => void;

  /**
   * @param done results of earlier runs
   * @param onIdle called whenever no effect is under way any more
   */
  constructor(done: ReadonlyMap<string, unknown> = new Map(), onIdle: () => void = () => {}) {
    this.#results = new Map(done);
    this.#onIdle = onIdle;
  }

  /** The results so far, by key. */
  get results(): ReadonlyMap<string, unknown> {
    return this.#results;
  }

  /** True while no effect is under way. */
  get isIdle(): boolean {
    return this.#running.size === 0;
  }

  once<T>(key: string, effect: () => T | Promise<T>): Promise<T> {
    if (this.#results.has(key)) return Promise.resolve(this.#results.get(key) as T);
    let running = this.#running.get(key);
    if (running === undefined) {
      running = this.#run(key, effect);
      this.#running.set(key, running);
    }
    return running as Promise<T>;
  }

  /** An effect that failed has not happened; the next run tries again. */
  async #run(key: string, effect: () => unknown): Promise<unknown> {
    try {
      const text = JSON.stringify(await effect()) as string | undefined;
      const result: unknown = text === undefined ? undefined : JSON.parse(text);
      this.#results.set(key, result);
      return result;
    } finally {
      this.#running.delete(key);
      if (this.isIdle) this.#onIdle();
    }
  }
}
