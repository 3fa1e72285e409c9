/**
 * Returns the `Authorization` header with which a client authenticates at an authorization server
 * (`client_secret_basic`). Both parts are percent-encoded.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6749#section-2.3.1
 * @example
 * formatBasic("mcp", "a secret") // "Basic bWNwOmElMjBzZWNyZXQ="
 */
export function formatBasic(clientId: string, clientSecret: string): string {
  const [id, secret] = [clientId, clientSecret].map(encodeURIComponent);
  return `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`;
}
