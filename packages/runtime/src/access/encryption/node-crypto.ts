type NodeCrypto = typeof import("node:crypto");

/**
 * Returns `node:crypto`, loaded on first use: most servers start, and many end, without it, and loading it takes longer
 * than the rest of this package.
 */
export function getNodeCrypto(): NodeCrypto {
  return process.getBuiltinModule("node:crypto");
}

/**
 * Returns cryptographically secure random bytes.
 *
 * @example
 * createRandomBytes(4).toString("hex") // "9f86d081"
 */
export function createRandomBytes(count: number): Buffer {
  return globalThis.crypto.getRandomValues(Buffer.alloc(count));
}
