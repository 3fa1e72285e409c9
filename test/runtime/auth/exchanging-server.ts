import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createLocalJWKSet, exportJWK, generateKeyPair, type JWTPayload, jwtVerify } from "jose";
import { errors, Provider, type ClientMetadata, type KoaContextWithOIDC } from "oidc-provider";
import { FOREIGN } from "../../wire/recorder.mjs";
import { approve, authorize } from "./authorization-server.js";

const CALLBACK = "http://127.0.0.1:9/callback";
const GRANT = "urn:ietf:params:oauth:grant-type:token-exchange";
const ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token";

/** A real authorization server that exchanges tokens (RFC 8693), and the API that its tokens are for. */
export interface ExchangingServer {
  readonly issuer: string;
  /** The URL of the API, which returns the claims of the token that it receives. */
  readonly apiUrl: string;
  /** The parameters of each exchange, and how the client authenticated. */
  readonly exchanges: Record<string, unknown>[];
  /** The lifetime of new tokens, in seconds. */
  lifetimes: { subject: number; issued: number };
  /** Exchanges wait for this. */
  patience: Promise<void>;
  /** The error of every exchange. */
  failure: { status: number; headers?: Record<string, string>; body: string } | undefined;
  /** Signs a user in, and returns the access token of its client. */
  signIn(scope?: string): Promise<string>;
  /** Uses another key; the one before is withdrawn. */
  rotate(): Promise<void>;
  close(): Promise<void>;
}

export interface ExchangingServerOptions {
  /** The MCP server: the audience of the tokens of its callers. */
  readonly resource: string;
  /** The clients that may exchange tokens. */
  readonly clients: readonly (Partial<ClientMetadata> & { client_id: string })[];
}

/** The APIs for which tokens are issued, and their scopes. */
const APIS: Readonly<Record<string, readonly string[]>> = {
  orders: ["orders:read", "orders:write"],
  mail: ["mail:send"],
};

export async function startExchangingServer({
  resource,
  clients,
}: ExchangingServerOptions): Promise<ExchangingServer> {
  const http = createServer();
  Object.assign(http, { [FOREIGN]: true });
  await new Promise<void>((resolve) => {
    http.listen(0, "127.0.0.1", resolve);
  });
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;

  let keys = await createKeys();
  const verify = async (token: string, audience: string): Promise<JWTPayload> =>
    (await jwtVerify(token, createLocalJWKSet(keys.publicKeys), { issuer, audience })).payload;

  const createProvider = (): Provider => {
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: "app",
          redirect_uris: [CALLBACK],
          token_endpoint_auth_method: "none",
          grant_types: ["authorization_code"],
          response_types: ["code"],
          application_type: "native",
          id_token_signed_response_alg: "ES256",
        },
        ...clients.map((client) => ({
          client_secret: "a secret: 50%",
          ...client,
          grant_types: [GRANT],
          redirect_uris: [],
          response_types: [],
          id_token_signed_response_alg: "ES256" as const,
        })),
      ],
      jwks: keys.privateKeys,
      cookies: { keys: ["not a secret"] },
      scopes: ["read", "write", ...Object.values(APIS).flat()],
      ttl: {
        AccessToken: (_, token) => token.resourceServer?.accessTokenTTL ?? 600,
        Interaction: 600,
        Grant: 600,
        Session: 600,
      },
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
      features: {
        devInteractions: { enabled: false },
        resourceIndicators: {
          enabled: true,
          defaultResource: () => resource,
          useGrantedResource: () => true,
          getResourceServerInfo: () => ({
            scope: "read write",
            audience: resource,
            accessTokenFormat: "jwt",
            accessTokenTTL: server.lifetimes.subject,
            jwt: { sign: { alg: "ES256" } },
          }),
        },
      },
    });
    const parameters = [
      "audience",
      "resource",
      "scope",
      "subject_token",
      "subject_token_type",
      "requested_token_type",
      "actor_token",
      "actor_token_type",
    ];
    const handle = (ctx: KoaContextWithOIDC): Promise<void> => exchange(provider, ctx);
    provider.registerGrantType(GRANT, handle, parameters, ["audience", "resource"]);
    return provider;
  };

  /** Implements the grant of RFC 8693. oidc-provider implements the rest: clients, keys, tokens, errors. */
  const exchange = async (provider: Provider, ctx: KoaContextWithOIDC): Promise<void> => {
    const { client, params = {} } = ctx.oidc;
    const given = Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined));
    server.exchanges.push({ ...given, authentication: client?.tokenEndpointAuthMethod });
    if (params["subject_token_type"] !== ACCESS_TOKEN)
      throw new errors.InvalidRequest("unsupported subject_token_type");
    const read = async (token: unknown): Promise<JWTPayload> => {
      try {
        return await verify(String(token), resource);
      } catch (error) {
        throw new errors.InvalidRequest(`invalid token ${String(token)}: ${(error as Error).message}`);
      }
    };
    const subject = await read(params["subject_token"]);
    const actor = params["actor_token"] === undefined ? undefined : await read(params["actor_token"]);
    const audience = String([params["audience"]].flat()[0]);
    const known = APIS[audience];
    if (known === undefined) throw new errors.InvalidTarget(`there is no API ${audience}`);
    const scopes = String(params["scope"] ?? known[0]).split(" ");
    const unknown = scopes.find((scope) => !known.includes(scope));
    if (unknown !== undefined) throw new errors.InvalidScope("requested scope is not allowed", unknown);
    const token = new provider.AccessToken({
      client: client!,
      accountId: subject.sub!,
      scope: scopes.join(" "),
      gty: "token-exchange",
      extra: {},
    } as never);
    token.resourceServer = new provider.ResourceServer(`urn:api:${audience}`, {
      scope: known.join(" "),
      audience,
      accessTokenFormat: "jwt",
      accessTokenTTL: server.lifetimes.issued,
      jwt: { sign: { alg: "ES256" } },
    });
    ctx.body = {
      access_token: await token.save(),
      issued_token_type: ACCESS_TOKEN,
      token_type: "Bearer",
      expires_in: token.expiration,
      scope: token.scope,
      ...(actor && { actor: actor.sub }),
    };
  };

  const server: ExchangingServer = {
    issuer,
    apiUrl: `${issuer}/api`,
    exchanges: [],
    lifetimes: { subject: 600, issued: 600 },
    patience: Promise.resolve(),
    failure: undefined,
    signIn: async (scope = "read") => {
      const verifier = "v".repeat(43);
      const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
      const url = new URL(`${issuer}/auth`);
      url.search = new URLSearchParams({
        client_id: "app",
        response_type: "code",
        redirect_uri: CALLBACK,
        scope,
        resource,
        code_challenge_method: "S256",
        code_challenge: Buffer.from(digest).toString("base64url"),
      }).toString();
      const returned = await authorize(url, CALLBACK);
      const response = await fetch(`${issuer}/token`, {
        method: "POST",
        body: new URLSearchParams({
          client_id: "app",
          grant_type: "authorization_code",
          code: returned.get("code") ?? "",
          redirect_uri: CALLBACK,
          code_verifier: verifier,
          resource,
        }),
      });
      return ((await response.json()) as { access_token: string }).access_token;
    },
    rotate: async () => {
      keys = await createKeys();
      current = createProvider();
    },
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };

  let current = createProvider();
  http.on("request", async (request, response) => {
    const { url = "" } = request;
    if (url.startsWith("/api")) {
      const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
      const claims = await verify(token, url.slice("/api/".length)).catch((error: unknown) => String(error));
      return void response.end(JSON.stringify(claims));
    }
    if (url === "/token" && (request.headers.authorization ?? "") !== "") await server.patience;
    const { failure } = server;
    if (url === "/token" && failure !== undefined)
      return void response.writeHead(failure.status, failure.headers).end(failure.body);
    if (url.startsWith("/interaction/")) return void approve(current, request, response);
    void current.callback()(request, response);
  });
  return server;
}

async function createKeys() {
  const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true });
  const kid = crypto.randomUUID();
  const use = { kid, alg: "ES256", use: "sig" };
  return {
    publicKeys: { keys: [{ ...(await exportJWK(publicKey)), ...use }] },
    privateKeys: { keys: [{ ...(await exportJWK(privateKey)), ...use }] },
  };
}
