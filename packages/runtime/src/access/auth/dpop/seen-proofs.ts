import { createHash } from "node:crypto";
import type { UsedProofs } from "../../../api/auth.js";

/** The maximum number of remembered proofs of all keys. Each takes about 150 bytes. */
const MAX_PROOFS = 50_000;

/** The interval between removals of expired proofs, in seconds. */
const SWEEP_INTERVAL_SECONDS = 30;

/** The proofs that were made with one key. */
interface KeyProofs {
  /** The issue time of each proof, in seconds, by the digest of its `jti`. */
  readonly issued: Map<string, number>;
  /** Proofs issued no later than this are no longer remembered, and are rejected. */
  forgottenThrough: number;
  /** The issue time of the latest proof. */
  latest: number;
}

/**
 * The proofs that were used in this process, for as long as they would be accepted. If there are too many, the older
 * half of the proofs of the key with the most proofs is forgotten, and from then on only younger proofs of that key are
 * accepted: a client that floods the memory does not affect others, and no proof is accepted twice.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9449#section-11.1
 */
export class SeenProofs implements UsedProofs {
  readonly #lifetime: number;
  readonly #max: number;
  readonly #byKey = new Map<string, KeyProofs>();
  #size = 0;
  #sweptAt = -Infinity;

  /** @param lifetime the time for which a proof is accepted after it was issued, in seconds */
  constructor(lifetime: number, max = MAX_PROOFS) {
    this.#lifetime = lifetime;
    this.#max = max;
  }

  /** The number of remembered proofs and keys. */
  get size(): number {
    return this.#size + this.#byKey.size;
  }

  /**
   * Records a proof. Returns false if it was seen before.
   *
   * @throws Error if there are too many keys
   */
  add(thumbprint: string, id: string, issued: number, now: number): boolean {
    if (now - this.#sweptAt >= SWEEP_INTERVAL_SECONDS) this.#removeExpired(now);
    const proofs = this.#byKey.get(thumbprint) ?? {
      issued: new Map<string, number>(),
      forgottenThrough: -Infinity,
      latest: -Infinity,
    };
    // An ID may have any length, so its digest is stored.
    const digest = createHash("sha256").update(id).digest("base64url").slice(0, 22);
    if (proofs.issued.has(digest)) return false;
    if (this.size + 2 > this.#max) this.#halveLargest();
    if (issued <= proofs.forgottenThrough) return false;
    proofs.issued.set(digest, issued);
    proofs.latest = Math.max(proofs.latest, issued);
    this.#byKey.set(thumbprint, proofs);
    this.#size++;
    return true;
  }

  /** Forgets proofs that would be rejected for their age. */
  #removeExpired(now: number): void {
    this.#sweptAt = now;
    const tooOld = now - this.#lifetime;
    for (const [thumbprint, proofs] of this.#byKey) {
      if (proofs.latest < tooOld) {
        this.#byKey.delete(thumbprint);
        this.#size -= proofs.issued.size;
        continue;
      }
      for (const [digest, issued] of proofs.issued) {
        if (issued >= tooOld) continue;
        proofs.issued.delete(digest);
        this.#size--;
      }
    }
  }

  #halveLargest(): void {
    let largest: KeyProofs | undefined;
    for (const proofs of this.#byKey.values())
      if (proofs.issued.size > (largest?.issued.size ?? 1)) largest = proofs;
    if (largest === undefined)
      throw new Error("Too many keys were used for DPoP proofs in the last few minutes.");
    const times = [...largest.issued.values()].toSorted((a, b) => a - b);
    largest.forgottenThrough = times[Math.ceil(times.length / 2) - 1] ?? Infinity;
    for (const [digest, issued] of largest.issued) {
      if (issued > largest.forgottenThrough) continue;
      largest.issued.delete(digest);
      this.#size--;
    }
  }
}
