import { type Expected, type Given, METADATA, type Sent } from "./row.js";

export const served: Expected = { status: 200 };

export const invalidProof = (description: string): Expected => ({
  status: 401,
  challenge: `DPoP error="invalid_dpop_proof", error_description="${description}`,
  challengeContains: [`resource_metadata="${METADATA}"`, 'algs="'],
  challengeOmits: ["Bearer"],
});

export const invalidToken = (description: string): Expected => ({
  status: 401,
  challenge: `DPoP error="invalid_token", error_description="${description}`,
});

/** Creates a request whose proof has these claims. */
export const claims =
  (more: () => object) =>
  (given: Given): Promise<Sent> =>
    given.proven(more());

export const NO_PROOF = "The DPoP header is not a DPoP proof with a public key.";
export const NO_PUBLIC_KEY = "The DPoP proof must contain its public key, and no part of the private one.";
export const OTHER_URL = "The DPoP proof is for another URL.";
export const OTHER_TIME = "The DPoP proof was not made within the last 5 minutes.";
