import { createHash, randomUUID } from "node:crypto";
import type * as Auth from "@tenon/runtime/auth";
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from "jose";
import type { Issuer } from "../issuer.js";

/** One case of a specification: the request and the expected response. */
export interface Row {
  /** The section that requires it. */
  readonly section: string;
  readonly title: string;
  /** The server it is sent to. Default: `plain`. */
  readonly server?: ServerName;
  /** Creates the request; `send` of the parameter sends a preparatory request. */
  readonly request: (given: Given) => Promise<Sent> | Sent;
  readonly expected: Expected;
}

export interface Sent {
  /** Default: POST. */
  readonly method?: string;
  /** Default: that of the resource, which is also where the server listens. */
  readonly path?: string;
  /** The tool to call. Default: one that needs no scope. */
  readonly tool?: "add" | "conditions";
  /** A list is sent as several headers of that name. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
}

/** Properties that a response must or must not have. */
export interface Expected {
  readonly status: number;
  /** Start of `WWW-Authenticate`. */
  readonly challenge?: string;
  /** Other texts that the challenge must contain. */
  readonly challengeContains?: readonly string[];
  readonly challengeOmits?: readonly string[];
  /** Headers that the response must have. */
  readonly headers?: Readonly<Record<string, RegExp>>;
  /** The whole body, for an issuer of this name. */
  readonly json?: (issuer: string) => object;
}

export const RESOURCE = "https://mcp.example.com/mcp";
export const METADATA = "https://mcp.example.com/.well-known/oauth-protected-resource/mcp";

/** The servers that rows are about, by the options that they have in addition to those of all. */
export const SERVERS = {
  plain: () => ({}),
  root: () => ({ resource: "https://mcp.example.com" }),
  "root with a slash": () => ({ resource: "https://mcp.example.com/" }),
  deep: () => ({ resource: "https://mcp.example.com/a/mcp" }),
  "deep with a slash": () => ({ resource: "https://mcp.example.com/a/mcp/" }),
  entra: () => ({ audience: ["api://123", "api://456"] }),
  two: ({ url }) => ({ issuer: ["https://other.example", url] }),
  initial: () => ({ initialScopes: ["read"] }),
  requiring: () => ({ dpop: "require" }),
  nonces: () => ({ dpop: "require", dpopNonces: true }),
  misnamed: ({ url }) => ({ issuer: `${url}/` }),
  picky: (_, { jwt }) => ({ verify: jwt({ algorithms: ["ES384"] }) }),
  introspecting: ({ url }, { introspection }) => ({
    verify: introspection({ url: `${url}/introspect`, clientId: "mcp", clientSecret: "a secret" }),
  }),
} as const satisfies Record<string, (issuer: Issuer, auth: typeof Auth) => Partial<Auth.OAuthOptions>>;

export type ServerName = keyof typeof SERVERS;

/** A key pair of a client. */
export interface ClientKey {
  readonly secret: CryptoKey;
  readonly jwk: JWK;
  readonly privateJwk: JWK;
  readonly thumbprint: string;
}

export async function createClientKey(alg = "ES256"): Promise<ClientKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = await exportJWK(publicKey);
  return {
    secret: privateKey,
    jwk,
    privateJwk: await exportJWK(privateKey),
    thumbprint: await calculateJwkThumbprint(jwk),
  };
}

export const now = (): number => Math.floor(Date.now() / 1000);

export const hashToken = (token: string): string => createHash("sha256").update(token).digest("base64url");

/** Building blocks for the requests of rows. */
export class Given {
  constructor(
    readonly issuer: Issuer,
    readonly key: ClientKey,
    readonly otherKey: ClientKey,
    /** Sends to the same server as the row. */
    readonly send: (sent: Sent) => Promise<Answer>,
  ) {}

  /** Creates an access token, genuine and for this server unless `claims` or `header` change it. */
  token(claims: object = {}, header: object = {}): Promise<string> {
    return this.issuer.token(RESOURCE, claims, header);
  }

  /** Creates an access token that is bound to the client's key. */
  boundToken(claims: object = {}): Promise<string> {
    return this.token({ cnf: { jkt: this.key.thumbprint }, ...claims });
  }

  /** Creates a DPoP proof for a token, valid unless `claims`, `header`, or `key` change it. */
  proof(
    token: string,
    claims: object = {},
    header: object = {},
    key: CryptoKey | Uint8Array = this.key.secret,
  ): Promise<string> {
    const payload = { jti: randomUUID(), htm: "POST", htu: RESOURCE, iat: now(), ath: hashToken(token) };
    return new SignJWT({ ...payload, ...claims })
      .setProtectedHeader({ alg: "ES256", typ: "dpop+jwt", jwk: this.key.jwk, ...header })
      .sign(key);
  }

  /** Creates a request with a token that is bound to the client's key, and a proof for it. */
  async proven(claims: object = {}, header: object = {}, key?: CryptoKey | Uint8Array): Promise<Sent> {
    const token = await this.boundToken();
    return dpop(token, await this.proof(token, claims, header, key));
  }
}

/** Creates a request with a token that has these claims. */
export const withClaims =
  (claims: () => object) =>
  async (given: Given): Promise<Sent> =>
    bearer(await given.token(claims()));

export const bearer = (token: string): Sent => ({ headers: { authorization: `Bearer ${token}` } });

export const dpop = (token: string, proof: string | readonly string[]): Sent => ({
  headers: { authorization: `DPoP ${token}`, dpop: proof },
});
