/**
 * Authentication of callers over HTTP.
 *
 * @example
 * import { oauth } from "@tenon/runtime/auth";
 * export default defineServer({
 *   auth: oauth({ issuer: "https://login.example.com", resource: "https://mcp.example.com/mcp" }),
 * });
 * @module
 */
export { apiKeys } from "./api-keys.js";
export type { Auth, Credentials, ScopeOptions, ScopeTable } from "../../api/auth.js";
export type { ClientKey } from "./exchange/client-authentication.js";
export { IssuedToken, type IssuedTokenParts } from "./exchange/issued-token.js";
export { tokenExchange, type TokenExchange, type TokenExchangeOptions } from "./exchange/token-exchange.js";
export { InvalidTokenError } from "./tokens/invalid-token-error.js";
export { introspection, type IntrospectionOptions } from "./tokens/introspection.js";
export { jwt, type JwtOptions } from "./tokens/jwt.js";
export { oauth, type OAuth, type OAuthOptions } from "./oauth.js";
export type { TokenClaims, TokenVerifier, VerifierContext } from "./tokens/token-verifier.js";
