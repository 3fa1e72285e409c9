/** Thrown for a DPoP proof that is not to be accepted. The message reaches the client. */
export class InvalidProof extends Error {
  override name = "InvalidProof";

  constructor(
    message: string,
    /** `use_dpop_nonce`: the same with the nonce that comes with the refusal would be accepted. */
    readonly code: "invalid_dpop_proof" | "use_dpop_nonce" = "invalid_dpop_proof",
  ) {
    super(message);
  }
}
