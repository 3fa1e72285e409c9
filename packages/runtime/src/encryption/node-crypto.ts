type NodeCrypto = typeof import("node:crypto");

/**
 * `node:crypto`, loaded when it is first asked for: most servers start, and many end, without any need of it,
 * and loading it takes longer than the rest of this package.
 */
export function nodeCrypto(): NodeCrypto {
  return process.getBuiltinModule("node:crypto");
}

/**
 * Random bytes that nobody can guess.
 *
 * @example
 * randomBytes(4).toString("hex") // "9f86d081"
 */
export function randomBytes(count: number): Buffer {
  return globalThis.crypto.getRandomValues(Buffer.alloc(count));
}
