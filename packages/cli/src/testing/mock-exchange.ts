import type { ExchangeRequest, Principal } from "@tenon/runtime";
import { IssuedToken, type IssuedTokenParts } from "@tenon/runtime/auth";
import type { ServerOptions } from "@tenon/runtime/server";

/**
 * Returns the token for a request of `ctx.exchange`: an access token, or a token with its type, scopes, and expiry. It may
 * throw the error that the handler should receive, such as a `ToolError`.
 *
 * @example
 * const exchange: MockExchange = ({ audience }, principal) => `${audience} for ${principal?.subject}`;
 */
export type MockExchange = (
  request: ExchangeRequest,
  principal: Principal | undefined,
) => string | IssuedTokenParts | Promise<string | IssuedTokenParts>;

/** Converts a mock to the exchange of a server. */
export function toExchange(mock: MockExchange): NonNullable<ServerOptions["exchange"]> {
  return async ({ principal }, request) => {
    const issued = await mock(request, principal);
    return new IssuedToken(typeof issued === "string" ? { accessToken: issued } : issued);
  };
}
