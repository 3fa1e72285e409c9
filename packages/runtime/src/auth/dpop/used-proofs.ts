/** How far a proof's time may be from a server's, in seconds. */
export const PROOF_WINDOW = 300;

/** The proofs that must not be used again. */
export interface UsedProofs {
  /**
   * Remembers a proof.
   *
   * @param thumbprint of its key
   * @param issued when it was issued, in seconds since 1970
   * @returns false when it was used before, or might have been
   * @throws Error when it cannot be remembered, or nobody can be asked
   */
  add(thumbprint: string, id: string, issued: number, now: number): boolean | Promise<boolean>;
}
