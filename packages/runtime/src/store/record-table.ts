import type { Store } from "../api/store.js";

/** The options of a table. */
export interface RecordTableOptions<Value> {
  readonly store: Store;
  /** Returns the key of a record in the store. */
  getKey(id: string): string;
  /** Returns how long a record is stored after it was written, in milliseconds. */
  getTtlMs(record: Value): number;
  /** Maximum size of a record. Default: no limit. */
  readonly maxBytes?: number;
  /** Returns the error for a larger record. */
  createTooLargeError?(maxBytes: number): Error;
}

/** A record as it was read or written. */
export interface FoundRecord<Value> {
  /** Undefined if there is none. */
  readonly record: Value | undefined;
  readonly version: string | undefined;
}

/** A record after a change. */
export interface RecordChange<Value> extends FoundRecord<Value> {
  /** Whether the record was changed. */
  readonly isChanged: boolean;
}

/** Records of one kind in a store. Each change is made to the latest version of its record. */
export class RecordTable<Value> {
  readonly #options: RecordTableOptions<Value>;

  constructor(options: RecordTableOptions<Value>) {
    this.#options = options;
  }

  async get(id: string): Promise<Value | undefined> {
    return (await this.find(id)).record;
  }

  async find(id: string): Promise<FoundRecord<Value>> {
    const found = await this.#options.store.get(this.#options.getKey(id));
    return { record: found && (JSON.parse(found.value) as Value), version: found?.version };
  }

  /** Writes a record, whether or not it exists. */
  async put(id: string, record: Value): Promise<void> {
    await this.#set(id, record, {});
  }

  /**
   * Creates a record.
   *
   * @returns false if it already exists
   */
  async add(id: string, record: Value): Promise<boolean> {
    return (await this.#set(id, record, { ifAbsent: true })) !== undefined;
  }

  async delete(id: string): Promise<void> {
    await this.#options.store.delete(this.#options.getKey(id));
  }

  /**
   * Changes a record.
   *
   * @param change returns the next version of the record, or undefined to leave it unchanged. Called again if another
   *   process changed the record first
   * @param known the record as it was read a moment ago; saves a read
   * @throws the error from `createTooLargeError`
   */
  async change(
    id: string,
    change: (record: Value | undefined) => Value | undefined,
    known?: FoundRecord<Value>,
  ): Promise<RecordChange<Value>> {
    for (let found = known ?? (await this.find(id)); ; found = await this.find(id)) {
      const next = change(found.record);
      if (next === undefined) return { ...found, isChanged: false };
      const { version: ifVersion } = found;
      const condition = ifVersion === undefined ? { ifAbsent: true } : { ifVersion };
      const version = await this.#set(id, next, condition);
      if (version !== undefined) return { record: next, version, isChanged: true };
    }
  }

  #set(
    id: string,
    record: Value,
    condition: { ifAbsent?: boolean; ifVersion?: string },
  ): Promise<string | undefined> {
    const { store, getKey, getTtlMs, maxBytes = Infinity, createTooLargeError } = this.#options;
    const text = JSON.stringify(record);
    if (maxBytes !== Infinity && createTooLargeError !== undefined && Buffer.byteLength(text) > maxBytes)
      throw createTooLargeError(maxBytes);
    return store.set(getKey(id), text, { ttlMs: getTtlMs(record), ...condition });
  }
}
