/**
 * Thrown for a token that is not accepted. The message reaches the client: it names the reason and contains no part of
 * the token.
 */
export class InvalidTokenError extends Error {
  override name = "InvalidTokenError";
}
