import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { apiKeys, oauth } from "@tenon/runtime/auth";
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from "jose";
import { interleave, median, percentile } from "../statistics.mjs";

/**
 * @typedef {object} AuthSample
 * @property {number} p50 in microseconds
 * @property {number} p99 in microseconds
 */

/** @typedef {import("@tenon/runtime/auth").Credentials} Credentials */

const RESOURCE = "https://mcp.example.com/mcp";
const API_KEY = "a-key-of-twenty-nine-characters";
const PROOF_ALGORITHM = "ES256";

/**
 * Measures how long this process takes to authenticate a request, sequentially and with cached keys.
 *
 * @param {number} rounds @param {number} requests of each kind and round
 * @returns {Promise<Map<string, AuthSample>>} medians by name
 */
export async function measureAuth(rounds, requests) {
  const issuer = await startIssuer(["RS256", "ES256", "EdDSA"]);
  const proofs = await createProver();
  const auth = oauth({ issuer: issuer.url, resource: RESOURCE });
  const keys = apiKeys({ [API_KEY]: "ada" });
  const ofKey = credentials(`Bearer ${API_KEY}`);
  const known = await issuer.token("RS256");
  const bound = await issuer.token("RS256", { cnf: { jkt: proofs.thumbprint } });
  const fresh = (/** @type {string} */ alg) =>
    times(requests, async () => credentials(`Bearer ${await issuer.token(alg)}`));

  /** @type {Record<string, () => Promise<AuthSample>>} */
  const kinds = {
    "API key": async () => measureRequests(keys, await times(requests, async () => ofKey)),
    "JWT, remembered": async () =>
      measureRequests(auth, await times(requests, async () => credentials(`Bearer ${known}`))),
    "JWT, first use, RS256": async () => measureRequests(auth, await fresh("RS256")),
    "JWT, first use, ES256": async () => measureRequests(auth, await fresh("ES256")),
    "JWT, first use, EdDSA": async () => measureRequests(auth, await fresh("EdDSA")),
    "JWT, remembered, and a DPoP proof": async () =>
      measureRequests(
        auth,
        await times(requests, async () => credentials(`DPoP ${bound}`, await proofs.proofOf(bound))),
      ),
  };
  try {
    for (const measure of Object.values(kinds)) await measure();
    const samples = await interleave(rounds, Object.keys(kinds), (name) =>
      /** @type {any} */ (kinds[name])(),
    );
    return new Map([...samples].map(([name, each]) => [name, medians(each)]));
  } finally {
    issuer.close();
  }
}

/**
 * @param {import("@tenon/runtime/auth").Auth} auth @param {readonly Credentials[]} requests
 * @returns {Promise<AuthSample>}
 */
async function measureRequests(auth, requests) {
  const latencies = [];
  for (const each of requests) {
    const started = performance.now();
    const found = await auth.authenticate(each);
    latencies.push((performance.now() - started) * 1000);
    if (!("subject" in found) || found.subject !== "ada")
      throw new Error(`Rejected: ${JSON.stringify(found)}`);
  }
  return { p50: median(latencies), p99: percentile(latencies, 0.99) };
}

/** @param {readonly AuthSample[]} samples @returns {AuthSample} */
function medians(samples) {
  return { p50: median(samples.map(({ p50 }) => p50)), p99: median(samples.map(({ p99 }) => p99)) };
}

/** @template Made @param {number} count @param {() => Promise<Made>} make */
async function times(count, make) {
  const made = [];
  for (let index = 0; index < count; index++) made.push(await make());
  return made;
}

/** @param {string} authorization @param {string} [dpop] @returns {Credentials} */
function credentials(authorization, dpop) {
  /** @type {Record<string, string | undefined>} */
  const headers = { authorization, dpop };
  return { method: "POST", header: (name) => headers[name] };
}

/** Creates an issuer of tokens with a key for each algorithm. @param {readonly string[]} algorithms */
async function startIssuer(algorithms) {
  const pairs = await Promise.all(algorithms.map((alg) => generateKeyPair(alg)));
  const keys = await Promise.all(
    pairs.map(async ({ publicKey }, index) => ({
      ...(await exportJWK(publicKey)),
      kid: algorithms[index],
      alg: algorithms[index],
      use: "sig",
    })),
  );
  const http = createServer((request, response) => {
    const isKeys = request.url === "/keys";
    response.end(JSON.stringify(isKeys ? { keys } : { issuer: url, jwks_uri: `${url}/keys` }));
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const url = `http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (http.address()).port}`;
  const exp = Math.floor(Date.now() / 1000) + 3600;
  return {
    url,
    /** Signs a token of a usual size, about 700 bytes. @param {string} alg @param {object} [claims] */
    token: (alg, claims) => {
      const key = pairs[algorithms.indexOf(alg)]?.privateKey;
      if (key === undefined) throw new Error(`There is no key for ${alg}.`);
      return new SignJWT({
        iss: url,
        aud: RESOURCE,
        sub: "ada",
        client_id: "https://client.example/metadata.json",
        scope: "files:read files:write",
        exp,
        iat: exp - 3600,
        jti: randomUUID(),
        email: "ada@example.com",
        groups: ["engineering", "analysis", "history"],
        ...claims,
      })
        .setProtectedHeader({ alg, kid: alg, typ: "at+jwt" })
        .sign(key);
    },
    close: () => {
      http.close();
      http.closeAllConnections();
    },
  };
}

/** Creates the key of a client. Returns its thumbprint, and a function that creates proofs with it. */
async function createProver() {
  const { publicKey, privateKey } = await generateKeyPair(PROOF_ALGORITHM);
  const jwk = await exportJWK(publicKey);
  return {
    thumbprint: await calculateJwkThumbprint(jwk),
    /** @param {string} token */
    proofOf: (token) =>
      new SignJWT({
        jti: randomUUID(),
        htm: "POST",
        htu: RESOURCE,
        iat: Math.floor(Date.now() / 1000),
        ath: createHash("sha256").update(token).digest("base64url"),
      })
        .setProtectedHeader({ alg: PROOF_ALGORITHM, typ: "dpop+jwt", jwk })
        .sign(privateKey),
  };
}
