import {
  served,
  invalidProof,
  invalidToken,
  claims,
  NO_PROOF,
  NO_PUBLIC_KEY,
  OTHER_URL,
  OTHER_TIME,
} from "./proof-answers.js";
import { createClientKey, dpop, now, type Row } from "./row.js";

export const rows: readonly Row[] = [
  {
    section: "4.3",
    title: "a bound token with a proof",
    request: (given) => given.proven(),
    expected: served,
  },
  ...["ES384", "ES512", "PS256", "RS256", "EdDSA", "Ed25519"].map((alg): Row => ({
    section: "4.2",
    title: `a proof signed with ${alg}`,
    request: async (given) => {
      const { secret, jwk, thumbprint } = await createClientKey(alg);
      const token = await given.token({ cnf: { jkt: thumbprint } });
      return dpop(token, await given.proof(token, {}, { alg, jwk }, secret));
    },
    expected: served,
  })),

  // 4.3, in the order of its list.
  {
    section: "4.3, 1",
    title: "no proof",
    request: async (given) => ({ headers: { authorization: `DPoP ${await given.boundToken()}` } }),
    expected: invalidProof("A DPoP proof is required"),
  },
  {
    section: "4.3, 1",
    title: "two proofs in two headers",
    request: async (given) => {
      const token = await given.boundToken();
      return dpop(token, [await given.proof(token), await given.proof(token)]);
    },
    expected: invalidProof("The DPoP header must be one JWT."),
  },
  {
    section: "4.3, 1",
    title: "two proofs in one header",
    request: async (given) => {
      const token = await given.boundToken();
      return dpop(token, `${await given.proof(token)}, ${await given.proof(token)}`);
    },
    expected: invalidProof("The DPoP header must be one JWT."),
  },
  {
    section: "4.3, 2",
    title: "a proof that is not a JWT",
    request: async (given) => dpop(await given.boundToken(), "proof"),
    expected: invalidProof("The DPoP header must be one JWT."),
  },
  {
    section: "4.3, 2",
    title: "a proof of three parts that is not a JWT",
    request: async (given) => dpop(await given.boundToken(), "a.b.c"),
    expected: invalidProof(NO_PROOF),
  },
  {
    section: "4.3, 3",
    title: "no jti",
    request: claims(() => ({ jti: undefined })),
    expected: invalidProof("The DPoP proof has no `jti`."),
  },
  {
    section: "4.3, 3",
    title: "a jti that is not text",
    request: claims(() => ({ jti: 1 })),
    expected: invalidProof("The DPoP proof has no `jti`."),
  },
  {
    section: "4.3, 3",
    title: "no htm",
    request: claims(() => ({ htm: undefined })),
    expected: invalidProof("The DPoP proof is for another method."),
  },
  {
    section: "4.3, 3",
    title: "no htu",
    request: claims(() => ({ htu: undefined })),
    expected: invalidProof(OTHER_URL),
  },
  {
    section: "4.3, 3",
    title: "no iat",
    request: claims(() => ({ iat: undefined })),
    expected: invalidProof(OTHER_TIME),
  },
  {
    section: "4.3, 3",
    title: "no ath",
    request: claims(() => ({ ath: undefined })),
    expected: invalidProof("The DPoP proof is for another access token."),
  },
  ...["jwt", "at+jwt", undefined].map((typ): Row => ({
    section: "4.3, 4",
    title: `a proof of the type ${typ}`,
    request: (given) => given.proven({}, { typ }),
    expected: invalidProof("The DPoP proof must be of the type dpop+jwt."),
  })),
  {
    section: "4.3, 5",
    title: "a proof signed with a shared secret",
    request: async (given) => {
      const jwk = { kty: "oct", k: "c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0" };
      return given.proven({}, { alg: "HS256", jwk }, Buffer.from(jwk.k, "base64url"));
    },
    expected: invalidProof("The DPoP proof is signed with an algorithm that is not accepted."),
  },
  {
    section: "4.3, 5",
    title: "a proof without a signature",
    request: async (given) => {
      const token = await given.boundToken();
      const [, payload] = (await given.proof(token)).split(".");
      const header = { alg: "none", typ: "dpop+jwt", jwk: given.key.jwk };
      const encoded = Buffer.from(JSON.stringify(header)).toString("base64url");
      return dpop(token, `${encoded}.${payload}.AA`);
    },
    expected: invalidProof("The DPoP proof is signed with an algorithm that is not accepted."),
  },
  {
    section: "4.3, 6",
    title: "a proof signed with a key other than its own",
    request: (given) => given.proven({}, {}, given.otherKey.secret),
    expected: invalidProof("The signature of the DPoP proof is wrong."),
  },
  {
    section: "4.3, 6",
    title: "a proof without its key",
    request: (given) => given.proven({}, { jwk: undefined }),
    expected: invalidProof(NO_PUBLIC_KEY),
  },
  {
    section: "4.3, 6",
    title: "a proof with an invalid key",
    request: (given) => given.proven({}, { jwk: { kty: "EC" } }),
    expected: invalidProof(NO_PROOF),
  },
  {
    section: "4.3, 6",
    title: "a proof with a large key that is not the token's",
    request: async (given) => {
      const huge = Buffer.alloc(2000, 0xff).toString("base64url");
      const header = { alg: "RS256", jwk: { kty: "RSA", n: huge, e: huge } };
      const token = await given.boundToken();
      const [, payload, signature] = (await given.proof(token)).split(".");
      const encoded = Buffer.from(JSON.stringify({ typ: "dpop+jwt", ...header })).toString("base64url");
      return dpop(token, `${encoded}.${payload}.${signature}`);
    },
    expected: invalidToken("The token is bound to a different key"),
  },
  {
    section: "4.3, 7",
    title: "a proof with its private key",
    request: (given) => given.proven({}, { jwk: given.key.privateJwk }),
    expected: invalidProof(NO_PUBLIC_KEY),
  },
  {
    section: "4.3, 7",
    title: "a proof with a part of a private key",
    request: (given) => given.proven({}, { jwk: { ...given.key.jwk, p: "AQAB" } }),
    expected: invalidProof(NO_PUBLIC_KEY),
  },
  ...["GET", "post", ""].map((htm): Row => ({
    section: "4.3, 8",
    title: `a proof for the method "${htm}"`,
    request: claims(() => ({ htm })),
    expected: invalidProof("The DPoP proof is for another method."),
  })),
  ...[
    "https://mcp.example.com/other",
    "https://mcp.example.com/mcp/",
    "https://mcp.example.com/MCP",
    "https://other.example/mcp",
    "http://mcp.example.com/mcp",
    "https://mcp.example.com:8443/mcp",
    "https://eve@mcp.example.com/mcp",
    "https://mcp.example.com%2Fmcp",
    "/mcp",
    "",
    7,
  ].map((htu): Row => ({
    section: "4.3, 9",
    title: `a proof for ${JSON.stringify(htu)}`,
    request: claims(() => ({ htu })),
    expected: invalidProof(OTHER_URL),
  })),
  ...[
    "HTTPS://MCP.Example.com/mcp",
    "https://mcp.example.com:443/mcp",
    "https://mcp.example.com/mcp?a=b#c",
    "https://mcp.example.com/a/../mcp",
    "https://mcp.example.com/%6d%63p",
  ].map((htu): Row => ({
    section: "4.3, 9",
    title: `a proof for ${htu}, which is the same`,
    request: claims(() => ({ htu })),
    expected: served,
  })),
  {
    section: "4.3, 9",
    title: "a proof for the host that the request names",
    request: async (given) => {
      const sent = await given.proven({ htu: "http://localhost/mcp" });
      return { headers: { ...sent.headers, host: "localhost", "x-forwarded-host": "localhost" } };
    },
    expected: invalidProof(OTHER_URL),
  },
  {
    section: "4.3, 9",
    title: "a proof for the resource, whatever host the request names",
    request: async (given) => ({ headers: { ...(await given.proven()).headers, host: "localhost" } }),
    expected: served,
  },
  {
    section: "4.3, 10, and 8",
    title: "a proof without the required nonce",
    server: "nonces",
    request: (given) => given.proven(),
    expected: {
      status: 401,
      challenge: 'DPoP error="use_dpop_nonce", error_description="',
      headers: { "dpop-nonce": /^[\w-]{43}$/ },
    },
  },
  {
    section: "4.3, 10, and 8",
    title: "a proof with another nonce",
    server: "nonces",
    request: claims(() => ({ nonce: "eyJ7S_zG.eyJH0-Z.HX4w-7v" })),
    expected: { status: 401, challenge: 'DPoP error="use_dpop_nonce"' },
  },
  {
    section: "8",
    title: "a proof with the nonce of the rejection",
    server: "nonces",
    request: async (given) => {
      const { headers } = await given.send(await given.proven());
      return given.proven({ nonce: headers["dpop-nonce"] });
    },
    expected: served,
  },
  {
    section: "8",
    title: "a first request, with a nonce in the challenge",
    server: "nonces",
    request: () => ({}),
    expected: { status: 401, challenge: "DPoP resource_metadata=", headers: { "dpop-nonce": /^[\w-]{43}$/ } },
  },
  {
    section: "4.3, 11",
    title: "a proof that is six minutes old",
    request: claims(() => ({ iat: now() - 360 })),
    expected: invalidProof(OTHER_TIME),
  },
  {
    section: "4.3, 11",
    title: "a proof that is six minutes ahead",
    request: claims(() => ({ iat: now() + 360 })),
    expected: invalidProof(OTHER_TIME),
  },
  {
    section: "4.3, 11",
    title: "a proof that is four minutes old",
    request: claims(() => ({ iat: now() - 240 })),
    expected: served,
  },
  {
    section: "4.3, 11",
    title: "a proof that is four minutes ahead",
    request: claims(() => ({ iat: now() + 240 })),
    expected: served,
  },
  {
    section: "4.3, 11",
    title: "a time that is not a number",
    request: claims(() => ({ iat: "now" })),
    expected: { status: 401, challenge: 'DPoP error="invalid_dpop_proof"' },
  },
  {
    section: "4.3, 11",
    title: "a proof with an expiration in the past",
    request: claims(() => ({ exp: now() - 360 })),
    expected: invalidProof("The DPoP proof has expired."),
  },
  {
    section: "4.3, 12",
    title: "a proof for another token",
    request: async (given) => dpop(await given.boundToken(), await given.proof("another")),
    expected: invalidProof("The DPoP proof is for another access token."),
  },
  {
    section: "4.3, 12, and 6.1",
    title: "a proof with a key other than the token's",
    request: (given) => given.proven({}, { jwk: given.otherKey.jwk }, given.otherKey.secret),
    expected: invalidToken("The token is bound to a different key"),
  },
];
