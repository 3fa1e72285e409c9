import { createServer } from "node:http";
import { errors, Provider } from "oidc-provider";

/** The roles of users. Users who are not listed are employees. Anyone can log in, with any password. */
const ROLES = new Map([["ada", "manager"]]);

const SCOPES = "expenses:read expenses:write expenses:approve";

/**
 * Starts an authorization server for the demo. It has a login page, registers any client, and issues JWTs for one server. In
 * production, use Keycloak, Auth0, Entra, or a similar service.
 *
 * @param {number} port 0 selects a free port
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
    // Clients register with some scopes and request more later.
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
        getResourceServerInfo: (_, requested) => {
          if (requested !== resource) throw new errors.InvalidTarget();
          return { scope: SCOPES, audience: resource, accessTokenFormat: "jwt", accessTokenTTL: 600 };
        },
      },
    },
  });
  http.on("request", provider.callback());
  return { issuer, http };
}
