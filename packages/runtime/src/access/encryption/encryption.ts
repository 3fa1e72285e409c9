/**
 * Encryption of text that clients store for the server, and that only servers with the keys can read.
 *
 * @module
 */
import { getNodeCrypto, createRandomBytes } from "./node-crypto.js";

/** Returns the keys. The first key encrypts, and all of them decrypt. */
export type StateKeys = () => readonly [Buffer, ...Buffer[]];

const PREFIX = "v1.";
const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const MIN_KEY_CHARACTERS = 32;

/** Entry that represents plain text in a list of keys, for a store that was not encrypted before. */
const PLAIN_TEXT = "none";

/**
 * Reads the keys of `TENON_STATE_KEYS`: comma-separated; the first encrypts, and all of them decrypt. Without any,
 * creates a key for this process. Keys are derived on first use, since most servers never encrypt anything.
 *
 * @param purpose the use of the keys: text encrypted for one purpose cannot be decrypted for another
 * @throws Error if a key is too short to be a secret, or if there is none
 */
export function readStateKeys(text: string | undefined, purpose = "tenon requestState"): StateKeys {
  const entries = listEntries(text);
  const secrets = entries.filter((each) => each !== PLAIN_TEXT);
  // A list of separators, or of `none` alone, looks like encryption, but has no key.
  const lacksKey = secrets.length === 0 && text?.trim();
  if (lacksKey || secrets.some((each) => each.length < MIN_KEY_CHARACTERS)) {
    throw new Error(
      `TENON_STATE_KEYS must contain keys with at least ${MIN_KEY_CHARACTERS} characters. ` +
        "Create one with `openssl rand -base64 32`.",
    );
  }
  let keys: readonly [Buffer, ...Buffer[]] | undefined;
  return () => {
    if (keys === undefined) {
      const [first = createRandomBytes(32), ...others] = secrets.map((secret) => deriveKey(secret, purpose));
      keys = [first, ...others];
    }
    return keys;
  };
}

/**
 * Returns whether a store with these keys may contain plain text. By default it may not, since a program that can write
 * to the store, but does not know the keys, could then forge calls. The entry `none` allows it while the first keys are
 * introduced: it is first in the list of processes that still write plain text, and last in the list of processes that
 * only read it.
 *
 * @param text the value of `TENON_STATE_KEYS`
 * @example
 * readPlainTextUse("KEY,none") // { isRead: true, isWritten: false }
 */
export function readPlainTextUse(text: string | undefined): { isRead: boolean; isWritten: boolean } {
  const entries = listEntries(text);
  return {
    isRead: entries.length === 0 || entries.includes(PLAIN_TEXT),
    isWritten: (entries[0] ?? PLAIN_TEXT) === PLAIN_TEXT,
  };
}

function listEntries(text = ""): string[] {
  return text.split(",").flatMap((each) => each.trim() || []);
}

function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(getNodeCrypto().hkdfSync("sha256", secret, "", purpose, 32));
}

/**
 * Encrypts a string. The result consists of characters that a header may contain.
 *
 * @param binding the context of the text, which decryption requires
 */
export function encryptText(text: string, keys: StateKeys, binding: string): string {
  const nonce = createRandomBytes(NONCE_BYTES);
  const cipher = getNodeCrypto().createCipheriv(CIPHER, keys()[0], nonce);
  cipher.setAAD(Buffer.from(binding));
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return PREFIX + Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64url");
}

/** Returns whether a string has the form of encrypted text. */
export function isEncrypted(text: string): boolean {
  return text.startsWith(PREFIX);
}

/** Decrypts a string. Returns `undefined` if it was changed, has a different binding, or was encrypted with a different key. */
export function decryptText(text: string, keys: StateKeys, binding: string): string | undefined {
  const encrypted = decode(text);
  if (encrypted === undefined) return undefined;
  for (const key of keys()) {
    const decrypted = tryDecrypt(encrypted, key, binding);
    if (decrypted !== undefined) return decrypted;
  }
  return undefined;
}

/** Decodes base64url. Node's decoder ignores other characters, so only the original spelling is accepted. */
function decode(text: string): Buffer | undefined {
  if (!isEncrypted(text)) return undefined;
  const body = text.slice(PREFIX.length);
  const encrypted = Buffer.from(body, "base64url");
  if (encrypted.length < NONCE_BYTES + TAG_BYTES || encrypted.toString("base64url") !== body)
    return undefined;
  return encrypted;
}

function tryDecrypt(encrypted: Buffer, key: Buffer, binding: string): string | undefined {
  const nonce = encrypted.subarray(0, NONCE_BYTES);
  const tag = encrypted.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  const decipher = getNodeCrypto().createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(binding));
  decipher.setAuthTag(tag);
  try {
    const body = encrypted.subarray(NONCE_BYTES + TAG_BYTES);
    return Buffer.concat([decipher.update(body), decipher.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}
