import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { errors, Provider } from "oidc-provider";
import { FOREIGN } from "../../wire/recorder.mjs";

/** A real authorization server, whose only user agrees to everything. */
export interface AuthorizationServer {
  readonly issuer: string;
  close(): Promise<void>;
}

export interface AuthorizationServerOptions {
  /** The servers that tokens are for, with the audience that tokens name for each. */
  audiences: ReadonlyMap<string, string>;
  scopes: readonly string[];
  /** A client that is already registered. */
  client: { id: string; redirectUrl: string };
  /** The metadata documents of clients by their URLs, which are the client IDs (CIMD). */
  documents?: ReadonlyMap<string, object>;
}

export async function startAuthorizationServer({
  audiences,
  scopes,
  client,
  documents = new Map(),
}: AuthorizationServerOptions): Promise<AuthorizationServer> {
  const http = createServer();
  Object.assign(http, { [FOREIGN]: true });
  await new Promise<void>((resolve) => {
    http.listen(0, "127.0.0.1", resolve);
  });
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.id,
        redirect_uris: [client.redirectUrl],
        token_endpoint_auth_method: "none",
        grant_types: ["authorization_code"],
        response_types: ["code"],
        application_type: "native",
      },
    ],
    cookies: { keys: ["not a secret"] },
    scopes: [...scopes],
    ttl: { Interaction: 600, Grant: 600, Session: 600 },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      clientIdMetadataDocument: { enabled: true, ack: "draft-02" },
      dPoP: { enabled: true, nonceSecret: Buffer.alloc(32) },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => [...audiences.keys()],
        useGrantedResource: () => true,
        getResourceServerInfo: (_, resource) => {
          const audience = audiences.get(resource);
          if (audience === undefined) throw new errors.InvalidTarget();
          return { scope: scopes.join(" "), audience, accessTokenFormat: "jwt", accessTokenTTL: 600 };
        },
      },
    },
    fetch: async (url) => {
      const document = documents.get(String(url));
      return document === undefined ? new Response(null, { status: 404 }) : Response.json(document);
    },
  });
  const respond = provider.callback();
  http.on("request", (request, response) => {
    if (request.url?.startsWith("/interaction/") !== true) return void respond(request, response);
    void approve(provider, request, response);
  });
  return {
    issuer,
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
}

/** Logs in as Ada, and grants the requested scopes. */
export async function approve(
  provider: Provider,
  ...[request, response]: Parameters<Provider["interactionDetails"]>
): Promise<void> {
  const { params } = await provider.interactionDetails(request, response);
  const grant = new provider.Grant({ accountId: "ada", clientId: String(params["client_id"]) });
  const scope = String(params["scope"] ?? "");
  grant.addOIDCScope(scope);
  for (const resource of [params["resource"]].flat()) grant.addResourceScope(String(resource), scope);
  const consent = { grantId: await grant.save() };
  await provider.interactionFinished(request, response, { login: { accountId: "ada" }, consent });
}

/**
 * Opens the URL of an authorization request as a browser does: follows redirects, with cookies, until one leads back
 * to the client.
 *
 * @returns the query parameters of the last redirect
 */
export async function authorize(url: URL, redirectUrl: string): Promise<URLSearchParams> {
  const cookies = new Map<string, string>();
  let next = url;
  for (let hops = 0; hops < 10; hops++) {
    const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
    const response = await fetch(next, { redirect: "manual", headers: { cookie } });
    await response.text();
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get("location");
    if (location === null)
      throw new Error(`${next.href} answered with ${response.status} instead of a redirect.`);
    next = new URL(location, next);
    if (next.href.startsWith(redirectUrl)) {
      if (!next.searchParams.has("code")) throw new Error(`There is no code in ${next.search}.`);
      return next.searchParams;
    }
  }
  throw new Error("There are too many redirects.");
}
