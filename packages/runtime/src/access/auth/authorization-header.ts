/** The content of an `Authorization` header. */
export type AuthorizationHeader =
  | { readonly kind: "none" }
  | { readonly kind: "malformed" }
  | { readonly kind: "token"; readonly scheme: string; readonly token: string };

/** A scheme, and what RFC 9110 calls `token68`. Several headers that were joined by a comma do not match. */
const SCHEME_AND_TOKEN = /^([\w!#$%&'*+.^`|~-]+) +([A-Za-z0-9\-._~+/]+=*)$/;

/**
 * Reads the `Authorization` header of a request.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6750#section-2.1
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-11.4
 * @example
 * readAuthorization("bearer mF_9.B5f-4.1JqM") // { kind: "token", scheme: "bearer", token: "mF_9.B5f-4.1JqM" }
 */
export function readAuthorization(header: string | undefined): AuthorizationHeader {
  if (header === undefined || header.trim() === "") return { kind: "none" };
  const [, scheme = "", token = ""] = SCHEME_AND_TOKEN.exec(header.trim()) ?? [];
  return token === "" ? { kind: "malformed" } : { kind: "token", scheme: scheme.toLowerCase(), token };
}

/** The scheme of an access token: a bearer token, or one that is bound to a key. */
export type Scheme = "Bearer" | "DPoP";

/** Returns the scheme of a request, if it is one of these. */
export function findScheme(sent: AuthorizationHeader): Scheme | undefined {
  if (sent.kind !== "token") return undefined;
  return (["Bearer", "DPoP"] as const).find((each) => each.toLowerCase() === sent.scheme);
}
