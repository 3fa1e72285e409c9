import { randomUUID } from "node:crypto";
import { SignJWT } from "jose";
import { type ClientKey, hashToken, now } from "./tables/row.js";

/**
 * Creates a `fetch` for clients that do not support DPoP. It has their tokens bound to a key, and proves possession of
 * the key in each request.
 *
 * @param proofs collects the proofs of all requests with a token, in order
 */
export function provingFetch(key: ClientKey, proofs: string[] = []): typeof fetch {
  const nonces = new Map<string, string>();
  const send = async (
    input: URL | string | Request,
    init: RequestInit = {},
    isRetry = false,
  ): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : input);
    const headers = new Headers(init.headers);
    const token = headers.get("authorization")?.replace(/^Bearer /, "");
    if (token === undefined && url.pathname !== "/token") return fetch(input, init);
    const nonce = nonces.get(url.origin);
    const proof = await new SignJWT({
      jti: randomUUID(),
      htm: init.method ?? "GET",
      htu: `${url.origin}${url.pathname}`,
      iat: now(),
      ...(token !== undefined && { ath: hashToken(token) }),
      ...(nonce !== undefined && { nonce }),
    })
      .setProtectedHeader({ alg: "ES256", typ: "dpop+jwt", jwk: key.jwk })
      .sign(key.secret);
    headers.set("dpop", proof);
    if (token !== undefined) {
      headers.set("authorization", `DPoP ${token}`);
      proofs.push(proof);
    }
    const response = await fetch(input, { ...init, headers });
    const given = response.headers.get("dpop-nonce");
    if (given === null || given === nonce || isRetry || response.ok) return response;
    nonces.set(url.origin, given);
    return send(input, init, true);
  };
  return (input, init) => send(input, init);
}
