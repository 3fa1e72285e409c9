export type Jose = typeof import("jose");

/**
 * Loads `jose`, an optional peer dependency that only servers that verify JWTs need.
 *
 * @throws Error with the command that installs it, if it is not installed
 */
export async function loadJose(): Promise<Jose> {
  try {
    return await import("jose");
  } catch (error) {
    throw new Error("Verifying JWTs needs the package `jose`. Install it: npm install jose", {
      cause: error,
    });
  }
}

/** The algorithms of JOSE that use public keys instead of shared secrets. */
export const PUBLIC_KEY_ALGORITHMS: readonly string[] = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];

/** Matches a single JWT in its only valid spelling, without the padding that decoders would accept. */
export const COMPACT_JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;
