import { setTimeout as wait } from "node:timers/promises";

/** A slow bank that executes each order once. */
export class Bank {
  /** The payments by order key. */
  readonly paid = new Map<string, number>();

  /** @param key identifies the order; a repeated key is the same order */
  async pay(euros: number, key: string, signal: AbortSignal): Promise<void> {
    await wait(50, undefined, { signal });
    this.paid.set(key, euros);
  }
}
