import { setTimeout as wait } from "node:timers/promises";

/** A bank that is slow, and does nothing twice. */
export class Bank {
  /** What was paid, by the key of each order. */
  readonly paid = new Map<string, number>();

  /** @param key of an order: one that comes again is the same order */
  async pay(euros: number, key: string, signal: AbortSignal): Promise<void> {
    await wait(50, undefined, { signal });
    this.paid.set(key, euros);
  }
}
