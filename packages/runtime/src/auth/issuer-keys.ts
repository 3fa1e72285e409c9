import type { CompactVerifyGetKey, createRemoteJWKSet } from "jose";
import { loadJose } from "./load-jose.js";
import { fetchIssuerMetadata } from "./issuer-metadata.js";

type RemoteKeys = ReturnType<typeof createRemoteJWKSet>;

/** Keys older than this are fetched again, while they are still used. */
const FRESH_MS = 10 * 60_000;

/** Keys older than this are not used any more: their issuer may have withdrawn them. */
const USABLE_MS = 24 * 60 * 60_000;

/** After a failure nobody waits for another one so soon. */
const PAUSE_MS = 5_000;

const TIMEOUT_MS = 5_000;

/** The keys that one issuer publishes. They are fetched when they are first needed. */
export class IssuerKeys {
  readonly #issuer: string;
  #jwksUri: string | undefined;
  #keys: RemoteKeys | undefined;
  #fetchedAt = -Infinity;
  #failedAt = -Infinity;
  #failure: unknown;
  #fetching: Promise<RemoteKeys> | undefined;

  constructor(issuer: string, jwksUri: string | undefined) {
    this.#issuer = issuer;
    this.#jwksUri = jwksUri;
  }

  /**
   * What finds the key of a token.
   *
   * @throws Error when there are no keys and none can be fetched now
   */
  async resolver(): Promise<CompactVerifyGetKey> {
    const age = performance.now() - this.#fetchedAt;
    if (this.#keys !== undefined && age < USABLE_MS) {
      if (age > FRESH_MS) void this.#fetch().catch(() => {});
      return this.#keys;
    }
    return this.#fetch();
  }

  /** One request at a time, however many wait for it. */
  #fetch(): Promise<RemoteKeys> {
    if (performance.now() - this.#failedAt < PAUSE_MS) return Promise.reject(this.#failure);
    this.#fetching ??= this.#fetchNow().finally(() => {
      this.#fetching = undefined;
    });
    return this.#fetching;
  }

  async #fetchNow(): Promise<RemoteKeys> {
    try {
      const { createRemoteJWKSet } = await loadJose();
      this.#jwksUri ??= (await fetchIssuerMetadata(this.#issuer)).jwks_uri;
      this.#keys ??= createRemoteJWKSet(new URL(this.#jwksUri), {
        // When they are fetched again is decided here, so that nobody has to wait for it.
        cacheMaxAge: Infinity,
        timeoutDuration: TIMEOUT_MS,
      });
      await this.#keys.reload();
      this.#fetchedAt = performance.now();
      return this.#keys;
    } catch (error) {
      this.#failedAt = performance.now();
      this.#failure = new Error(`The keys of ${this.#issuer} cannot be fetched.`, { cause: error });
      throw this.#failure;
    }
  }
}
