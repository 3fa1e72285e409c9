/** Thrown for an invalid DPoP proof. The message reaches the client. */
export class InvalidProofError extends Error {
  override name = "InvalidProofError";

  constructor(
    message: string,
    /** `use_dpop_nonce`: the proof would be accepted with the nonce in the response. */
    readonly code: "invalid_dpop_proof" | "use_dpop_nonce" = "invalid_dpop_proof",
  ) {
    super(message);
  }
}
