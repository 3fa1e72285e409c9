import type { AuthorizationHeader } from "./authorization-header.js";

/** How a token is shown: by whoever has it, or by whoever has the key as well that it is bound to. */
export type Scheme = "Bearer" | "DPoP";

/** The scheme that a request has used, if it is one of those. */
export function schemeOf(sent: AuthorizationHeader): Scheme | undefined {
  if (sent.kind !== "token") return undefined;
  return (["Bearer", "DPoP"] as const).find((each) => each.toLowerCase() === sent.scheme);
}
