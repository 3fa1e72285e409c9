import type { HeaderReader } from "../protocol/headers.js";
import type { Principal } from "./caller.js";

/** The token to obtain with `Context.exchange`. Identify the API by `audience`, `resource`, or only its scopes. */
export interface ExchangeRequest {
  /** The API, by a name that the authorization server knows, such as its client ID. */
  audience?: string | readonly string[] | undefined;
  /** The scopes of the token, at the API. Default: decided by the authorization server. */
  scope?: string | readonly string[] | undefined;
  /** The URL of the API. */
  resource?: string | readonly string[] | undefined;
  /** A token of the program that acts for the caller. Default: the client that `tokenExchange` configures. */
  actor?: ActorToken | undefined;
}

/** A token of the program that acts for the caller. */
export interface ActorToken {
  /** The token itself. */
  readonly token: string;
  /** The type of the token. Default: `urn:ietf:params:oauth:token-type:access_token`. */
  readonly type?: string | undefined;
}

/**
 * A token for another API. It appears neither in JSON nor in logs: only `accessToken` and `authorization` contain it.
 */
export interface ExchangedToken {
  /** The token itself. */
  readonly accessToken: string;
  /** The type with which the token is sent, such as `Bearer`. */
  readonly tokenType: string;
  /** The value of the `Authorization` header: type and token. */
  readonly authorization: string;
  /** The scopes of the token. The authorization server may grant scopes other than those requested. */
  readonly scopes: readonly string[];
  /** The end of its validity. Undefined if the authorization server did not specify one. */
  readonly expiresAt: Date | undefined;
}

/** The call for which a token is obtained. */
export interface ExchangingCall {
  readonly principal: Principal | undefined;
  /** Reads the headers of the request. */
  readonly header: HeaderReader | undefined;
  /** Whether the response can still be an HTTP status with a challenge. */
  readonly mayChallenge: boolean;
  /** Logs a problem for the operator. */
  warn(message: string): void;
}

/**
 * Obtains a token for another API on behalf of a caller.
 *
 * @throws ToolError or ProtocolError with a message for the client
 */
export type Exchange = (call: ExchangingCall, request: ExchangeRequest) => Promise<ExchangedToken>;
