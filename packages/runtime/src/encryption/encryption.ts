/**
 * Text that clients carry and only this server, or others with its keys, can read.
 *
 * @module
 */
import { nodeCrypto, randomBytes } from "./node-crypto.js";

/** The first encrypts, all decrypt. */
export type StateKeys = () => readonly [Buffer, ...Buffer[]];

const PREFIX = "v1.";
const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const LEAST_KEY_LENGTH = 32;

/**
 * The keys of `TENON_STATE_KEYS`: comma-separated, the first encrypts, all decrypt. Without any, a key of this process.
 * They are derived when first asked for, since most servers never encrypt anything.
 *
 * @param purpose what is encrypted for one purpose cannot be decrypted for another
 * @throws Error when a key is too short to be a secret
 */
export function readStateKeys(text: string | undefined, purpose = "tenon requestState"): StateKeys {
  const given = (text ?? "").split(",").flatMap((each) => each.trim() || []);
  if (given.some((each) => each.length < LEAST_KEY_LENGTH)) {
    throw new Error(
      `Each key in TENON_STATE_KEYS must have at least ${LEAST_KEY_LENGTH} characters. ` +
        "Make one with `openssl rand -base64 32`.",
    );
  }
  let keys: readonly [Buffer, ...Buffer[]] | undefined;
  return () => {
    if (keys === undefined) {
      const [first = randomBytes(32), ...others] = given.map((secret) => deriveKey(secret, purpose));
      keys = [first, ...others];
    }
    return keys;
  };
}

function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(nodeCrypto().hkdfSync("sha256", secret, "", purpose, 32));
}

/**
 * Text that only who has one of the keys can read, in characters that a header may have.
 *
 * @param binding what it belongs to: it is not read anywhere else
 */
export function encryptText(text: string, keys: StateKeys, binding: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = nodeCrypto().createCipheriv(CIPHER, keys()[0], nonce);
  cipher.setAAD(Buffer.from(binding));
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return PREFIX + Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64url");
}

/** What was encrypted; `undefined` when it was changed, belongs elsewhere, or was encrypted with none of the keys. */
export function decryptText(text: string, keys: StateKeys, binding: string): string | undefined {
  const encrypted = decode(text);
  if (encrypted === undefined) return undefined;
  for (const key of keys()) {
    const decrypted = tryDecrypt(encrypted, key, binding);
    if (decrypted !== undefined) return decrypted;
  }
  return undefined;
}

/** Node's decoder ignores what is no base64url; only the text that was given out counts. */
function decode(text: string): Buffer | undefined {
  if (!text.startsWith(PREFIX)) return undefined;
  const body = text.slice(PREFIX.length);
  const encrypted = Buffer.from(body, "base64url");
  if (encrypted.length < NONCE_BYTES + TAG_BYTES || encrypted.toString("base64url") !== body)
    return undefined;
  return encrypted;
}

function tryDecrypt(encrypted: Buffer, key: Buffer, binding: string): string | undefined {
  const nonce = encrypted.subarray(0, NONCE_BYTES);
  const tag = encrypted.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  const decipher = nodeCrypto().createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(binding));
  decipher.setAuthTag(tag);
  try {
    const body = encrypted.subarray(NONCE_BYTES + TAG_BYTES);
    return Buffer.concat([decipher.update(body), decipher.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}
