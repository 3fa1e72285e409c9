import { randomUUID } from "node:crypto";
import { served, invalidProof, invalidToken, OTHER_URL } from "./proof-answers.js";
import { bearer, dpop, METADATA, now, RESOURCE, type Row } from "./row.js";

export const rows: readonly Row[] = [
  {
    section: "7.1",
    title: "no credentials, with both schemes in the challenge",
    request: () => ({}),
    expected: {
      status: 401,
      challenge: `Bearer resource_metadata="${METADATA}", DPoP algs="RS256 `,
      challengeOmits: ["error"],
    },
  },
  {
    section: "7.1",
    title: "no credentials, if only bound tokens are accepted",
    server: "requiring",
    request: () => ({}),
    expected: { status: 401, challenge: "DPoP ", challengeOmits: ["error", "Bearer"] },
  },
  {
    section: "7.1",
    title: "a scheme in any case",
    request: async (given) => {
      const token = await given.boundToken();
      return { headers: { authorization: `dpop ${token}`, dpop: await given.proof(token) } };
    },
    expected: served,
  },
  {
    section: "7.1",
    title: "a token that is not bound, with a proof",
    request: async (given) => {
      const token = await given.token();
      return dpop(token, await given.proof(token));
    },
    expected: invalidToken("The token is not bound to a key."),
  },
  {
    section: "6.1",
    title: "a token that is bound to something else, with a proof",
    request: async (given) => {
      const token = await given.token({ cnf: { "x5t#S256": "bwcK0esc3ACC3DB2Y5_lESsXE8o9ltc05O89jdN-dg2" } });
      return dpop(token, await given.proof(token));
    },
    expected: invalidToken(
      "The token is bound to something other than a DPoP key, such as a certificate (mTLS)",
    ),
  },
  {
    section: "7.1",
    title: "a bound token that has expired",
    request: async (given) => {
      const token = await given.boundToken({ exp: now() - 60 });
      return dpop(token, await given.proof(token));
    },
    expected: invalidToken("The token has expired."),
  },
  {
    section: "7.1",
    title: "a missing scope",
    request: async (given) => ({ ...(await given.proven()), tool: "conditions" }),
    expected: {
      status: 403,
      challenge: 'DPoP error="insufficient_scope"',
      challengeContains: ['scope="write"', 'algs="'],
      challengeOmits: ["Bearer"],
    },
  },
  {
    section: "7.2",
    title: "a bound token sent as a bearer token",
    request: async (given) => bearer(await given.boundToken()),
    expected: {
      status: 401,
      challenge: 'Bearer error="invalid_token", error_description="The token is bound to a key',
      challengeContains: ['DPoP algs="'],
    },
  },
  {
    section: "7.2",
    title: "a bound token sent as a bearer token, with its proof",
    request: async (given) => {
      const token = await given.boundToken();
      return { headers: { authorization: `Bearer ${token}`, dpop: await given.proof(token) } };
    },
    expected: { status: 401, challenge: 'Bearer error="invalid_token"' },
  },
  {
    section: "7.2",
    title: "a token that is bound to a certificate, without it (RFC 8705, section 3)",
    request: async (given) =>
      bearer(await given.token({ cnf: { "x5t#S256": "bwcK0esc3ACC3DB2Y5_lESsXE8o9ltc05O89jdN-dg2" } })),
    expected: {
      status: 401,
      challenge:
        'Bearer error="invalid_token", error_description="The token is bound to something other than a DPoP key',
    },
  },
  {
    section: "7.2",
    title: "a known bound token sent as a bearer token",
    request: async (given) => {
      const token = await given.boundToken();
      await given.send(dpop(token, await given.proof(token)));
      return bearer(token);
    },
    expected: { status: 401, challenge: 'Bearer error="invalid_token"' },
  },
  {
    section: "7.2",
    title: "a bearer token, if only bound tokens are accepted",
    server: "requiring",
    request: async (given) => bearer(await given.token()),
    expected: {
      status: 401,
      challenge: 'DPoP error="invalid_token", error_description="Only tokens that are bound',
    },
  },
  {
    section: "7.2",
    title: "a bound token, if only bound tokens are accepted",
    server: "requiring",
    request: (given) => given.proven(),
    expected: served,
  },

  {
    section: "11.1",
    title: "a proof that was used before",
    request: async (given) => {
      const sent = await given.proven();
      await given.send(sent);
      return sent;
    },
    expected: invalidProof("The DPoP proof was used before."),
  },
  {
    section: "11.1",
    title: "a known token with another proof",
    request: async (given) => {
      const token = await given.boundToken();
      await given.send(dpop(token, await given.proof(token)));
      return dpop(token, await given.proof(token));
    },
    expected: served,
  },
  {
    section: "11.1",
    title: "a proof with a jti that another key has used",
    request: async (given) => {
      const jti = randomUUID();
      await given.send(await given.proven({ jti }));
      const { jwk, secret, thumbprint } = given.otherKey;
      const token = await given.token({ cnf: { jkt: thumbprint } });
      return dpop(token, await given.proof(token, { jti }, { jwk }, secret));
    },
    expected: served,
  },
  {
    section: "11.1",
    title: "a known token with a proof for another request",
    request: async (given) => {
      const token = await given.boundToken();
      await given.send(dpop(token, await given.proof(token)));
      return dpop(token, await given.proof(token, { htu: `${RESOURCE}/other` }));
    },
    expected: invalidProof(OTHER_URL),
  },
  {
    section: "6.2",
    title: "an opaque token that is bound according to its issuer",
    server: "introspecting",
    request: async (given) => {
      const token = "bound-and-opaque";
      const { key, issuer } = given;
      const cnf = { jkt: key.thumbprint };
      issuer.introspected.set(token, { active: true, sub: "ada", aud: RESOURCE, cnf });
      return dpop(token, await given.proof(token));
    },
    expected: served,
  },
  {
    section: "6.2",
    title: "an opaque token that is bound according to its issuer, without a proof",
    server: "introspecting",
    request: ({ key, issuer }) => {
      const cnf = { jkt: key.thumbprint };
      issuer.introspected.set("bound-and-opaque", { active: true, sub: "ada", aud: RESOURCE, cnf });
      return bearer("bound-and-opaque");
    },
    expected: { status: 401, challenge: 'Bearer error="invalid_token"' },
  },
];
