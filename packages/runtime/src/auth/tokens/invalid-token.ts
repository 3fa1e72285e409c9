/**
 * Thrown for a token that is not to be accepted. The message reaches the client: it says what is wrong, and repeats
 * nothing of the token.
 */
export class InvalidToken extends Error {
  override name = "InvalidToken";
}
