import type { JWK } from "jose";
import { formatBasic } from "../tokens/basic-authorization.js";
import { loadJose } from "../tokens/jose.js";

/** A private key with which a client authenticates (`private_key_jwt`). Requires the package `jose`. */
export interface ClientKey {
  /** The key: PKCS #8 as PEM (`-----BEGIN PRIVATE KEY-----`), or a JWK. */
  key: string | JWK;
  /** Default: the `alg` of the JWK, or `ES256` without one. */
  algorithm?: string | undefined;
  /** Further members of the JWT's header that identify the key, such as `kid`, or `x5t#S256` with Entra. */
  header?: Readonly<Record<string, string>> | undefined;
  /** The `aud` of the JWT. Default: the issuer. Entra requires the URL of its token endpoint. */
  audience?: string | undefined;
}

/** Matches a private key in PKCS #8 as PEM. */
const PEM = /^-----BEGIN PRIVATE KEY-----[A-Za-z0-9+/=\s]+-----END PRIVATE KEY-----\s*$/;

/** Returns whether a value has the form of a private key. Only its first use shows whether it fits its algorithm. */
export function isPrivateKey(key: unknown): boolean {
  if (typeof key === "string") return PEM.test(key);
  const { kty, d } = Object(key) as JWK;
  return typeof kty === "string" && typeof d === "string";
}

/** The credentials of a client at an authorization server: a secret or a key. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
  /** How the secret is sent. Default: `client_secret_basic`. */
  readonly clientAuthentication?: "client_secret_basic" | "client_secret_post" | undefined;
  readonly privateKey?: ClientKey | undefined;
}

/** Adds the client's authentication to the headers or the body of a request. */
export type Authenticate = (headers: Headers, body: URLSearchParams, issuer: string) => Promise<void>;

const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/** The lifetime of a client assertion. */
const ASSERTION_LIFETIME_SECONDS = 60;

/**
 * Creates the function that authenticates a client.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6749#section-2.3.1
 * @see https://www.rfc-editor.org/rfc/rfc7523#section-2.2
 */
export function createClientAuthentication(credentials: ClientCredentials): Authenticate {
  const { clientId, clientSecret = "", clientAuthentication, privateKey } = credentials;
  if (privateKey !== undefined) return createKeyAuthentication(clientId, privateKey);
  return async (headers, body) => {
    if (clientAuthentication === "client_secret_post") {
      body.set("client_id", clientId);
      body.set("client_secret", clientSecret);
      return;
    }
    headers.set("authorization", formatBasic(clientId, clientSecret));
  };
}

function createKeyAuthentication(
  clientId: string,
  { key, algorithm, header, audience }: ClientKey,
): Authenticate {
  const alg = algorithm ?? (typeof key === "string" ? undefined : key.alg) ?? "ES256";
  return async (_headers, body, issuer) => {
    const { importJWK, importPKCS8, SignJWT } = await loadJose();
    const secret = await (typeof key === "string" ? importPKCS8(key, alg) : importJWK(key, alg));
    const kid = typeof key === "string" ? undefined : key.kid;
    const now = Math.floor(Date.now() / 1000);
    const assertion = await new SignJWT({ jti: globalThis.crypto.randomUUID() })
      .setProtectedHeader({ ...(kid !== undefined && { kid }), ...header, typ: "JWT", alg })
      .setIssuer(clientId)
      .setSubject(clientId)
      .setAudience(audience ?? issuer)
      .setIssuedAt(now)
      .setNotBefore(now)
      .setExpirationTime(now + ASSERTION_LIFETIME_SECONDS)
      .sign(secret);
    body.set("client_id", clientId);
    body.set("client_assertion_type", ASSERTION_TYPE);
    body.set("client_assertion", assertion);
  };
}
