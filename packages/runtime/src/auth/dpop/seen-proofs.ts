import { createHash } from "node:crypto";
import type { UsedProofs } from "./used-proofs.js";

/** So many proofs are remembered at once, of all keys together. Each takes about 150 bytes. */
const MOST = 50_000;

/** How often what nobody could use any more is looked for, in seconds. */
const SWEEP = 30;

/** The proofs that were made with one key. */
interface KeyProofs {
  /** When each was issued, in seconds, by what stands for its `jti`. */
  readonly issued: Map<string, number>;
  /** Proofs issued no later than this are not remembered any more, and not accepted. */
  forgottenThrough: number;
  /** When the youngest was issued. */
  latest: number;
}

/**
 * The proofs that were used in this process already, for as long as they would be accepted. When there are too many, the key with most
 * of them loses the older half, and from then on only younger proofs of that key are taken: who floods the memory keeps
 * out nobody else, and nothing is ever taken twice.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9449#section-11.1
 */
export class SeenProofs implements UsedProofs {
  readonly #lifetime: number;
  readonly #most: number;
  readonly #byKey = new Map<string, KeyProofs>();
  #size = 0;
  #sweptAt = -Infinity;

  /** @param lifetime how long after it was issued a proof is accepted, in seconds */
  constructor(lifetime: number, most = MOST) {
    this.#lifetime = lifetime;
    this.#most = most;
  }

  /** How much is remembered: proofs, and the keys they were made with. */
  get size(): number {
    return this.#size + this.#byKey.size;
  }

  /** @throws Error when there are too many keys */
  add(thumbprint: string, id: string, issued: number, now: number): boolean {
    if (now - this.#sweptAt >= SWEEP) this.#sweep(now);
    const proofs = this.#byKey.get(thumbprint) ?? {
      issued: new Map<string, number>(),
      forgottenThrough: -Infinity,
      latest: -Infinity,
    };
    // An id may be as long as its client likes.
    const digest = createHash("sha256").update(id).digest("base64url").slice(0, 22);
    if (proofs.issued.has(digest)) return false;
    if (this.size + 2 > this.#most) this.#halveLargest();
    if (issued <= proofs.forgottenThrough) return false;
    proofs.issued.set(digest, issued);
    proofs.latest = Math.max(proofs.latest, issued);
    this.#byKey.set(thumbprint, proofs);
    this.#size++;
    return true;
  }

  /** Forgets what would be refused for its age. */
  #sweep(now: number): void {
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
      throw new Error("Too many keys have been used for DPoP proofs a short while ago.");
    const times = [...largest.issued.values()].toSorted((a, b) => a - b);
    largest.forgottenThrough = times[Math.ceil(times.length / 2) - 1] ?? Infinity;
    for (const [digest, issued] of largest.issued) {
      if (issued > largest.forgottenThrough) continue;
      largest.issued.delete(digest);
      this.#size--;
    }
  }
}
