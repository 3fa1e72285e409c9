import {
  decryptText,
  encryptText,
  isEncrypted,
  readPlainTextUse,
  readStateKeys,
  type StateKeys,
} from "../../access/encryption/encryption.js";
import { getNodeCrypto } from "../../access/encryption/node-crypto.js";
import type { LogSink } from "../../api/log.js";
import type { ReadOptions, Store, StreamPart } from "../../api/store.js";
import { createStoreUnreachableError } from "../../store/store-outages.js";

/** The minimum time between two log entries about values that cannot be read, in milliseconds. */
const LOG_INTERVAL_MS = 60_000;

const KEY_MISSING =
  "in the store was encrypted or signed with a key that this process does not have, or another program has changed it. Set " +
  "TENON_STATE_KEYS to the same value in all processes. While you replace a key, keep the old one in the list.";

const NO_KEYS =
  "in the store was encrypted or signed by a process with keys, and this one has none. Set TENON_STATE_KEYS to the same " +
  "value in all processes. To add the first keys while some processes have none, set `none,KEY` in all of them, and then `KEY,none`.";

const NOT_ENCRYPTED =
  "in the store is not encrypted, so this process does not read it: a program without the key may have written it. If it is " +
  "from before TENON_STATE_KEYS was set, add `,none` to the keys (`KEY,none`) until no such values are left. If other processes " +
  "still have no keys, set `none,KEY` in all of them first.";

/**
 * Prefix of the text of a lease. A lease names only a process, and its text must be the same each time, so it is signed
 * and not encrypted.
 */
const SIGNED = "signed.";

function sign(holder: string, name: string, key: Buffer): string {
  const signature = getNodeCrypto().createHmac("sha256", key).update(`${name} ${holder}`).digest("base64url");
  return `${SIGNED}${signature}.${holder}`;
}

/** Returns the holder of a signed lease; undefined if it was signed for another name, or with another key. */
function readSigned(text: string, name: string, keys: StateKeys): string | undefined {
  const holder = text.slice(text.indexOf(".", SIGNED.length) + 1);
  return keys().some((key) => sign(holder, name, key) === text) ? holder : undefined;
}

/** Matches the part of a key that determines its node in a cluster: in keys of rate limits, the caller. */
const CALLER = /(?<=\{).*(?=\})/s;

/** Replaces the caller in the key of a rate limit with a keyed hash, since a subject may be an email address. */
function hideCaller(key: string, keys: StateKeys): string {
  return key.replace(CALLER, (caller) =>
    getNodeCrypto().createHmac("sha256", keys()[0]).update(caller).digest("base64url"),
  );
}

/** A store whose streams can be read beyond the entries of processes with other keys. */
export interface EncryptedStore extends Store {
  /** @param options `unreadable` is the text in place of an entry that cannot be decrypted; without it, reading fails */
  read(
    stream: string,
    after: string,
    options?: ReadOptions & { readonly unreadable?: string },
  ): Promise<StreamPart>;
}

/**
 * Wraps a store so that it holds only encrypted values and messages: calls contain arguments, users' answers, and
 * results. Each is bound to its key, stream, or topic, so that it is rejected elsewhere. Plain text is rejected as
 * well, unless the keys allow it.
 *
 * @param stateKeys the value of `TENON_STATE_KEYS`; without it, the wrapper encrypts nothing
 */
export function encryptStore(store: Store, stateKeys: string | undefined, log: LogSink): EncryptedStore {
  const keys = stateKeys === undefined ? undefined : readStateKeys(stateKeys, "tenon store");
  const plainText = readPlainTextUse(stateKeys);
  const encrypt = (text: string, name: string): string =>
    keys === undefined || plainText.isWritten ? text : encryptText(text, keys, name);
  const tryDecrypt = (text: string, name: string): string | undefined => {
    if (isEncrypted(text)) return keys && decryptText(text, keys, name);
    const holder = keys && text.startsWith(SIGNED) ? readSigned(text, name, keys) : undefined;
    return holder ?? (plainText.isRead ? text : undefined);
  };

  let loggedAt = -Infinity;
  const logUnreadable = (text: string, name: string): void => {
    if (performance.now() - loggedAt < LOG_INTERVAL_MS) return;
    loggedAt = performance.now();
    log(
      isEncrypted(text) || text.startsWith(SIGNED)
        ? {
            level: "error",
            event: "store-key-missing",
            msg: `\`${name}\` ${keys === undefined ? NO_KEYS : KEY_MISSING}`,
          }
        : { level: "error", event: "store-not-encrypted", msg: `\`${name}\` ${NOT_ENCRYPTED}` },
    );
  };
  const decrypt = (text: string, name: string, unreadable?: string): string => {
    const decrypted = tryDecrypt(text, name);
    if (decrypted !== undefined) return decrypted;
    logUnreadable(text, name);
    if (unreadable !== undefined) return unreadable;
    throw createStoreUnreachableError();
  };

  return {
    get: async (key) => {
      const found = await store.get(key);
      return found && { ...found, value: decrypt(found.value, key) };
    },
    set: (key, value, options) => store.set(key, encrypt(value, key), options),
    delete: (key, options) => store.delete(key, options),
    append: (stream, values, options) =>
      store.append(
        stream,
        values.map((value) => encrypt(value, stream)),
        options,
      ),
    read: async (stream, after, { unreadable, ...options } = {}) => {
      const { entries, missed } = await store.read(stream, after, options);
      return {
        missed,
        entries: entries.map(({ id, value }) => ({ id, value: decrypt(value, stream, unreadable) })),
      };
    },
    publish: (topic, message) => store.publish(topic, encrypt(message, topic)),
    subscribe: (topics, onMessage, onMissed) =>
      store.subscribe(
        topics,
        (text, topic) => {
          const message = tryDecrypt(text, topic);
          if (message === undefined) logUnreadable(text, topic);
          else onMessage(message, topic);
        },
        onMissed,
      ),
    consume: (windows) =>
      store.consume(keys ? windows.map((each) => ({ ...each, key: hideCaller(each.key, keys) })) : windows),
    lease: (key, holder, ttlMs) =>
      store.lease(
        key,
        keys === undefined || plainText.isWritten ? holder : sign(holder, key, keys()[0]),
        ttlMs,
      ),
    close: () => store.close(),
  };
}
