import { createHash } from "node:crypto";
import { PROOF_WINDOW, type UsedProofs } from "../auth/dpop/used-proofs.js";
import type { Replica } from "./replica.js";

/** How far the clocks of the replicas may be apart, in seconds. */
const CLOCK_DRIFT = 60;

/** The proofs that must not be used again, at any replica. */
export class StoreUsedProofs implements UsedProofs {
  readonly #replica: Replica;

  constructor(replica: Replica) {
    this.#replica = replica;
  }

  async add(thumbprint: string, id: string, issued: number, now: number): Promise<boolean> {
    // An id may be as long as its client likes.
    const digest = createHash("sha256").update(`${thumbprint} ${id}`).digest("base64url").slice(0, 22);
    const ttlMs = (issued - now + PROOF_WINDOW + CLOCK_DRIFT) * 1000;
    const version = await this.#replica.store.set(this.#replica.key(`proof:${digest}`), "", {
      ttlMs,
      ifAbsent: true,
    });
    return version !== undefined;
  }
}
