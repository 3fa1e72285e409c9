import type { AuthorizationHeader } from "./authorization-header.js";

/** The scheme of an access token: a bearer token, or one that is bound to a key. */
export type Scheme = "Bearer" | "DPoP";

/** Returns the scheme of a request, if it is one of these. */
export function findScheme(sent: AuthorizationHeader): Scheme | undefined {
  if (sent.kind !== "token") return undefined;
  return (["Bearer", "DPoP"] as const).find((each) => each.toLowerCase() === sent.scheme);
}
