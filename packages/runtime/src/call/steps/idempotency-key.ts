import { getNodeCrypto } from "../../access/encryption/node-crypto.js";

/**
 * Returns the key that identifies one effect of one call to other systems: the same in every run of the call, and in no
 * other call. It is a UUID (version 5) of the call's ID and the effect's key, since most systems accept UUIDs.
 *
 * @param callId a UUID
 * @example
 * createIdempotencyKey("6ba7b810-9dad-11d1-80b4-00c04fd430c8", "www.example.com") // "2ed6657d-e927-568b-95e1-2665a8aea6a2"
 */
export function createIdempotencyKey(callId: string, key: string): string {
  const namespace = Buffer.from(callId.replaceAll("-", ""), "hex");
  const bytes = getNodeCrypto().createHash("sha1").update(namespace).update(key).digest();
  bytes.writeUInt8(0x50 | (bytes.readUInt8(6) & 0x0f), 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    "-",
  );
}
