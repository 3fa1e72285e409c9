import type { ExchangedToken } from "../../../api/exchange.js";
import { ExchangeFailure } from "./exchange-failure.js";

/** Maximum number of cached tokens. The least recently used are removed first. */
const MAX_TOKENS = 10_000;

/** The maximum time before a token's expiry at which the token is renewed, in milliseconds. */
const MAX_RENEWAL_MS = 60_000;

/** The share of a short lifetime that remains when a token is renewed. */
const RENEWAL_SHARE = 0.2;

/** The minimum remaining validity with which a token that cannot be renewed is still used, in milliseconds. */
const MIN_REMAINING_MS = 5_000;

/** The lifetime of a token for which the authorization server specifies none, in milliseconds. */
const DEFAULT_LIFETIME_MS = 60_000;

interface Cached {
  readonly token: ExchangedToken;
  readonly renewAt: number;
  readonly expiresAt: number;
}

/** Tokens for other APIs, by the caller's token and the request for which they were issued. */
export class ExchangedTokens {
  readonly #cached = new Map<string, Cached>();
  readonly #pending = new Map<string, Promise<ExchangedToken>>();

  /**
   * Returns the cached token, or requests one with `request`, which runs only once for concurrent calls. A token is
   * renewed a minute before it expires; if it has a short lifetime, after four fifths of it. If the authorization
   * server is unavailable at that time, the token is used for longer.
   *
   * @throws the error of `request`, which is not remembered
   */
  async find(key: string, request: () => Promise<ExchangedToken>): Promise<ExchangedToken> {
    const cached = this.#cached.get(key);
    if (cached !== undefined && cached.renewAt > Date.now()) {
      this.#cached.delete(key);
      this.#cached.set(key, cached);
      return cached.token;
    }
    let pending = this.#pending.get(key);
    if (pending === undefined) {
      pending = this.#renew(key, cached, request).finally(() => this.#pending.delete(key));
      this.#pending.set(key, pending);
    }
    return pending;
  }

  async #renew(
    key: string,
    cached: Cached | undefined,
    request: () => Promise<ExchangedToken>,
  ): Promise<ExchangedToken> {
    try {
      const token = await request();
      this.#remember(key, token);
      return token;
    } catch (error) {
      const isUnavailable = error instanceof ExchangeFailure && error.kind === "unavailable";
      if (isUnavailable && cached !== undefined && cached.expiresAt - MIN_REMAINING_MS > Date.now())
        return cached.token;
      this.#cached.delete(key);
      throw error;
    }
  }

  #remember(key: string, token: ExchangedToken): void {
    const now = Date.now();
    const expiresAt = token.expiresAt?.getTime() ?? now + DEFAULT_LIFETIME_MS;
    const renewAt = expiresAt - Math.min(MAX_RENEWAL_MS, (expiresAt - now) * RENEWAL_SHARE);
    this.#cached.delete(key);
    this.#cached.set(key, { token, renewAt, expiresAt });
    if (this.#cached.size <= MAX_TOKENS) return;
    const [oldest = ""] = this.#cached.keys();
    this.#cached.delete(oldest);
  }
}
