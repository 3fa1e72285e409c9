import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createRemoteJWKSet, exportJWK, generateKeyPair, jwtVerify, SignJWT, type CryptoKey } from "jose";
import { type Configuration, errors, type KoaContextWithOIDC, Provider } from "oidc-provider";
import { FOREIGN } from "../../wire/recorder.mjs";
import { approve, authorize } from "./authorization-server.js";

const URN = "urn:ietf:params:oauth:";
const ID_JAG = `${URN}token-type:id-jag`;
const CALLBACK = "http://127.0.0.1:9/callback";
const SECRET = "a secret of this client";

/** A real authorization server with one additional grant. */
interface GrantServer {
  readonly issuer: string;
  close(): Promise<void>;
}

interface Grant {
  readonly name: string;
  readonly parameters: readonly string[];
  /** Returns the response to a token request. */
  respond(provider: Provider, ctx: KoaContextWithOIDC, key: CryptoKey): Promise<object>;
}

async function startServer(
  clientId: string,
  grant: Grant,
  configuration: Configuration,
): Promise<GrantServer> {
  const http = createServer();
  Object.assign(http, { [FOREIGN]: true });
  await new Promise<void>((resolve) => {
    http.listen(0, "127.0.0.1", resolve);
  });
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  const provider = new Provider(issuer, {
    ...configuration,
    clients: [
      {
        client_id: clientId,
        client_secret: SECRET,
        redirect_uris: [CALLBACK],
        grant_types: ["authorization_code", grant.name],
        response_types: ["code"],
        id_token_signed_response_alg: "ES256",
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: "ES256", use: "sig", kid: "1" }] },
    cookies: { keys: ["not a secret"] },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    features: { ...configuration.features, devInteractions: { enabled: false } },
  });
  const handle = async (ctx: KoaContextWithOIDC): Promise<void> => {
    ctx.body = await grant.respond(provider, ctx, privateKey);
  };
  provider.registerGrantType(grant.name, handle, [...grant.parameters], []);
  const respond = provider.callback();
  http.on("request", (request, response) => {
    if (request.url?.startsWith("/interaction/") === true) return void approve(provider, request, response);
    void respond(request, response);
  });
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      http.close(() => resolve());
      http.closeAllConnections();
    });
  return { issuer, close };
}

/** The client of a company's identity provider, and of the authorization server of an MCP server. */
export const CLIENT = { idp: "company-app", server: "app", secret: SECRET };

/**
 * Starts the identity provider of a company. It exchanges the ID token of a user for an identity assertion (ID-JAG) for
 * the authorization servers that the company trusts.
 */
export function startIdentityProvider(mayUse: (issuer: string) => boolean): Promise<GrantServer> {
  return startServer(
    CLIENT.idp,
    {
      name: `${URN}grant-type:token-exchange`,
      parameters: [
        "requested_token_type",
        "audience",
        "resource",
        "scope",
        "subject_token",
        "subject_token_type",
      ],
      async respond(provider, { oidc: { params = {} } }, key) {
        if (
          params["requested_token_type"] !== ID_JAG ||
          params["subject_token_type"] !== `${URN}token-type:id_token`
        )
          throw new errors.InvalidRequest("unsupported token types");
        const { payload } = await jwtVerify(
          String(params["subject_token"]),
          createRemoteJWKSet(new URL(`${provider.issuer}/jwks`)),
          { issuer: provider.issuer, audience: CLIENT.idp },
        );
        const audience = String(params["audience"]);
        if (!mayUse(audience)) throw new errors.InvalidTarget("the company does not use this server");
        const scope = params["scope"];
        const assertion = await new SignJWT({
          resource: params["resource"],
          client_id: CLIENT.server,
          ...(scope !== undefined && { scope }),
        })
          .setProtectedHeader({ alg: "ES256", kid: "1", typ: "oauth-id-jag+jwt" })
          .setIssuer(provider.issuer)
          .setSubject(payload.sub!)
          .setAudience(audience)
          .setJti(crypto.randomUUID())
          .setIssuedAt()
          .setExpirationTime("5m")
          .sign(key);
        return { issued_token_type: ID_JAG, access_token: assertion, token_type: "N_A", expires_in: 300 };
      },
    },
    {},
  );
}

/** Signs the user in at the identity provider. @returns the ID token */
export async function signInAtCompany(issuer: string): Promise<string> {
  const verifier = "v".repeat(43);
  const url = new URL(`${issuer}/auth`);
  url.search = new URLSearchParams({
    client_id: CLIENT.idp,
    response_type: "code",
    redirect_uri: CALLBACK,
    scope: "openid",
    code_challenge_method: "S256",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
  }).toString();
  const code = (await authorize(url, CALLBACK)).get("code") ?? "";
  const response = await fetch(`${issuer}/token`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa(`${CLIENT.idp}:${encodeURIComponent(SECRET)}`)}` },
    body: new URLSearchParams({
      grant_type: "authorization_code",
      code,
      redirect_uri: CALLBACK,
      code_verifier: verifier,
    }),
  });
  return ((await response.json()) as { id_token: string }).id_token;
}

/** Starts the authorization server of an MCP server. It accepts identity assertions of one identity provider. */
export function startAssertionServer(resource: string, idp: string): Promise<GrantServer> {
  const used = new Set<string>();
  const resourceServer = {
    scope: "read write",
    audience: resource,
    accessTokenFormat: "jwt" as const,
    accessTokenTTL: 600,
    jwt: { sign: { alg: "ES256" as const } },
  };
  return startServer(
    CLIENT.server,
    {
      name: `${URN}grant-type:jwt-bearer`,
      parameters: ["assertion", "scope"],
      async respond(provider, { oidc: { client, params = {} } }) {
        const reject = (reason: string): never => {
          throw new errors.InvalidGrant(reason);
        };
        const { payload } = await jwtVerify(
          String(params["assertion"]),
          createRemoteJWKSet(new URL(`${idp}/jwks`)),
          { issuer: idp, audience: provider.issuer, typ: "oauth-id-jag+jwt" },
        ).catch((error: unknown) => reject(String(error)));
        if (payload["client_id"] !== client?.clientId) reject("the assertion is for another client");
        if (payload["resource"] !== resource) reject("the assertion is for another resource");
        if (used.has(payload.jti!)) reject("the assertion was used before");
        used.add(payload.jti!);
        const scope = String(payload["scope"] ?? "read");
        const token = new provider.AccessToken({ client, accountId: payload.sub, scope, extra: {} } as never);
        token.resourceServer = new provider.ResourceServer(resource, resourceServer);
        return {
          access_token: await token.save(),
          token_type: "Bearer",
          expires_in: token.expiration,
          scope,
        };
      },
    },
    {
      scopes: ["read", "write"],
      discovery: { authorization_grant_profiles_supported: [`${URN}grant-profile:id-jag`] },
      features: { resourceIndicators: { enabled: true, getResourceServerInfo: () => resourceServer } },
    },
  );
}
