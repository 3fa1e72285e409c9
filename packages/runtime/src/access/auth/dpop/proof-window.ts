/** The maximum difference between the time of a proof and the server's time, in seconds. */
export const MAX_PROOF_AGE_SECONDS = 300;
