/** The maximum difference between the time of a proof and that of the server, in seconds. */
export const PROOF_WINDOW = 300;
