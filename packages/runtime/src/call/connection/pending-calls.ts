import * as ErrorCode from "../../protocol/error-codes.js";
import { toErrorText } from "../../protocol/jsonrpc.js";
import type { Drainable } from "../../transports/transport.js";
import type { Call } from "./call.js";

/** The calls without a response: those of one client, or all stateless ones. */
export class PendingCalls<Key> implements Drainable {
  protected readonly calls = new Map<Key, Call>();
  readonly #getKey: (call: Call) => Key;

  /** @param getKey returns the unique key of a call */
  constructor(getKey: (call: Call) => Key) {
    this.#getKey = getKey;
  }

  /** The number of subscriptions, which last until the client or the server ends them. */
  get openStreams(): number {
    let count = 0;
    for (const { endStream } of this.calls.values()) if (endStream !== undefined) count++;
    return count;
  }

  add(call: Call): void {
    this.calls.set(this.#getKey(call), call);
  }

  delete(call: Call): void {
    const key = this.#getKey(call);
    if (this.calls.get(key) === call) this.calls.delete(key);
  }

  finish(): void {
    for (const call of [...this.calls.values()]) {
      call.durable?.handOver(false);
      call.endStream?.();
    }
  }

  stop(reason: string): void {
    for (const call of [...this.calls.values()]) {
      if (call.durable?.handOver(true) !== true) call.abort(reason);
    }
  }

  abandon(reason: string): void {
    for (const call of [...this.calls.values()]) {
      const text = toErrorText(call.id, ErrorCode.InternalError, reason);
      call.cancel(reason, undefined, { text, status: 200 });
    }
  }

  close(reason: string): void {
    const calls = [...this.calls.values()];
    this.calls.clear();
    for (const call of calls) call.cancel(reason);
  }
}
