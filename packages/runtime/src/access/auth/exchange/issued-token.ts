import type { ExchangedToken } from "../../../api/exchange.js";

/** The parts of an issued token. */
export interface IssuedTokenParts {
  readonly accessToken: string;
  /** Default: `Bearer`. */
  readonly tokenType?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  readonly expiresAt?: Date | undefined;
}

/** A token of an authorization server. Private members keep it out of JSON and the output of `console.log`. */
export class IssuedToken implements ExchangedToken {
  readonly #accessToken: string;
  readonly tokenType: string;
  readonly scopes: readonly string[];
  readonly expiresAt: Date | undefined;

  constructor({ accessToken, tokenType = "Bearer", scopes = [], expiresAt }: IssuedTokenParts) {
    this.#accessToken = accessToken;
    // Servers write `bearer` and `Bearer`, and some APIs accept only the latter.
    this.tokenType = tokenType.toLowerCase() === "bearer" ? "Bearer" : tokenType;
    this.scopes = Object.freeze([...scopes]);
    this.expiresAt = expiresAt;
    Object.freeze(this);
  }

  get accessToken(): string {
    return this.#accessToken;
  }

  get authorization(): string {
    return `${this.tokenType} ${this.#accessToken}`;
  }
}
