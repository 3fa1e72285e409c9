import type { CompactVerifyGetKey, createLocalJWKSet } from "jose";
import { fetchIssuerMetadata } from "./issuer-metadata.js";
import { fetchJson } from "./fetch-json.js";
import { loadJose } from "./load-jose.js";

type KeySet = ReturnType<typeof createLocalJWKSet>;

/** Keys older than this are fetched again, while they are still used. */
const FRESH_MS = 10 * 60_000;

/** Keys older than this are not used any more: their issuer may have withdrawn them. */
const USABLE_MS = 24 * 60 * 60_000;

/** The issuer is asked no more often than this, whatever comes. */
const PAUSE_MS = 5_000;

/**
 * The keys that one issuer publishes. They are fetched when they are first needed, and anew when they are old or a token
 * names one that is not among them. Nobody waits for that whose key is known, and an issuer that does not answer, or
 * answers with something else, changes nothing for them.
 */
export class IssuerKeys {
  readonly #issuer: string;
  readonly #configuredUri: string | undefined;
  readonly #now: () => number;
  #keys: KeySet | undefined;
  #fetchedAt = -Infinity;
  #failedAt = -Infinity;
  #failure: unknown;
  #fetching: Promise<KeySet> | undefined;

  /**
   * @param jwksUri default: what the issuer's metadata says
   * @param now in milliseconds
   */
  constructor(issuer: string, jwksUri: string | undefined, now = () => performance.now()) {
    this.#issuer = issuer;
    this.#configuredUri = jwksUri;
    this.#now = now;
  }

  /**
   * Finds the key of a token.
   *
   * @throws JWKSNoMatchingKey when the issuer does not have it
   * @throws Error when nobody can tell now
   */
  readonly find: CompactVerifyGetKey = async (header, token) => {
    const keys = await this.#usableKeys();
    try {
      return await keys(header, token);
    } catch (error) {
      const { errors } = await loadJose();
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      const isRecent = this.#fetching === undefined && this.#now() - this.#fetchedAt < PAUSE_MS;
      if (isRecent) throw error;
      // It may be new.
      const latest = await this.#fetch();
      return latest(header, token);
    }
  };

  async #usableKeys(): Promise<KeySet> {
    const age = this.#now() - this.#fetchedAt;
    if (this.#keys === undefined || age >= USABLE_MS) return this.#fetch();
    if (age > FRESH_MS) this.#fetch().catch(() => {});
    return this.#keys;
  }

  /** One request at a time, however many wait for it, and none soon after one that failed. */
  #fetch(): Promise<KeySet> {
    if (this.#now() - this.#failedAt < PAUSE_MS) return Promise.reject(this.#failure);
    this.#fetching ??= this.#fetchNow().finally(() => {
      this.#fetching = undefined;
    });
    return this.#fetching;
  }

  async #fetchNow(): Promise<KeySet> {
    try {
      const { createLocalJWKSet } = await loadJose();
      // Where they are is asked each time: they may have moved.
      const uri = this.#configuredUri ?? (await fetchIssuerMetadata(this.#issuer)).jwks_uri;
      this.#keys = createLocalJWKSet((await fetchJson(uri)) as Parameters<typeof createLocalJWKSet>[0]);
      this.#fetchedAt = this.#now();
      return this.#keys;
    } catch (error) {
      this.#failedAt = this.#now();
      this.#failure = new Error(`The keys of ${this.#issuer} cannot be fetched.`, { cause: error });
      throw this.#failure;
    }
  }
}
