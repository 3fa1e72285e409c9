/**
 * Who may call over HTTP, and how they show it.
 *
 * @example
 * import { oauth } from "@tenon/runtime/auth";
 * export default defineServer({
 *   auth: oauth({ issuer: "https://login.example.com", resource: "https://mcp.example.com/mcp" }),
 * });
 * @module
 */
export { apiKeys } from "./api-keys.js";
export type { Auth, Credentials } from "./authenticator.js";
export { InvalidToken } from "./tokens/invalid-token.js";
export { introspection, type IntrospectionOptions } from "./tokens/introspection.js";
export { jwt, type JwtOptions } from "./tokens/jwt.js";
export { oauth, type OAuth, type OAuthOptions } from "./oauth.js";
export type { ScopeOptions, ScopeTable } from "./scopes.js";
export type { TokenClaims, TokenVerifier, VerifierContext } from "./tokens/token-verifier.js";
