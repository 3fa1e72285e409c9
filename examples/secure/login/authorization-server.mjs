import { createServer } from "node:http";
import { errors, Provider } from "oidc-provider";

/** Who works here. Anybody may log in, with any password. */
const ROLES = new Map([["ada", "manager"]]);

const SCOPES = "expenses:read expenses:write expenses:approve";

/**
 * An authorization server to try things with: it has a page to log in, registers any client, and gives out JWTs for the
 * one server that it knows. In production yours is Keycloak, Auth0, Entra, …
 *
 * @param {number} port 0 picks a free one
 * @param {string} resource the MCP server's URL
 */
export async function startAuthorizationServer(port, resource) {
  const http = createServer();
  await new Promise((resolve) => http.listen(port, "localhost", () => resolve(undefined)));
  const address = /** @type {import("node:net").AddressInfo} */ (http.address());
  const issuer = `http://localhost:${address.port}`;
  const provider = new Provider(issuer, {
    scopes: SCOPES.split(" "),
    cookies: { keys: ["not a secret"] },
    ttl: { Interaction: 600, Grant: 3600, Session: 3600 },
    findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    extraTokenClaims: (_, token) => ({
      role: ("accountId" in token && ROLES.get(token.accountId)) || "employee",
    }),
    // Clients name scopes when they register, and later need more.
    extraClientMetadata: {
      properties: ["tried"],
      validator: (_context, _key, _value, metadata) => {
        delete metadata.scope;
      },
    },
    features: {
      registration: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo: (_, wanted) => {
          if (wanted !== resource) throw new errors.InvalidTarget();
          return { scope: SCOPES, audience: resource, accessTokenFormat: "jwt", accessTokenTTL: 600 };
        },
      },
    },
  });
  http.on("request", provider.callback());
  return { issuer, http };
}
