import { createHash } from "node:crypto";
import { MAX_PROOF_AGE_SECONDS } from "../../access/auth/dpop/proof-window.js";
import type { UsedProofs } from "../../api/auth.js";
import type { ConsumedStates } from "../../call/input/replay/consumed-states.js";
import { RecordTable } from "../../store/record-table.js";
import type { Replica } from "../replicas/replica.js";

/** The maximum difference between the clocks of replicas, in seconds. */
const MAX_CLOCK_SKEW_SECONDS = 60;

/** Request states and proofs of possession. Each can be used once, on any replica. */
export class SingleUses implements ConsumedStates, UsedProofs {
  /** The time for which each use is stored, in milliseconds. */
  readonly #uses: RecordTable<number>;

  constructor(replica: Replica) {
    this.#uses = new RecordTable({
      store: replica.store,
      getKey: (id) => replica.toKey(id),
      getTtlMs: (ttlMs) => ttlMs,
    });
  }

  consume(id: string, ttlMs: number): Promise<boolean> {
    return this.#uses.add(`consumed:{${id}}`, ttlMs);
  }

  add(thumbprint: string, id: string, issued: number, now: number): Promise<boolean> {
    // A client may choose an ID of any length.
    const digest = createHash("sha256").update(`${thumbprint} ${id}`).digest("base64url").slice(0, 22);
    return this.#uses.add(
      `proof:${digest}`,
      (issued - now + MAX_PROOF_AGE_SECONDS + MAX_CLOCK_SKEW_SECONDS) * 1000,
    );
  }
}
