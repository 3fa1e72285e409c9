/** The maximum difference between the time of a proof and that of the server, in seconds. */
export const MAX_PROOF_AGE_SECONDS = 300;
