import { SignJWT } from "jose";
import { bearer, type Expected, now, RESOURCE, type Row, withClaims } from "./row.js";

const served: Expected = { status: 200 };

const invalidToken = (description: string): Expected => ({
  status: 401,
  challenge: `Bearer error="invalid_token", error_description="${description}`,
});

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** Creates a row for a token with additional or different header parameters. */
const header = (title: string, more: object, expected: Expected): Row => ({
  section: "4",
  title,
  request: async (given) => bearer(await given.token({}, more)),
  expected,
});

const claims = (title: string, more: () => object, expected: Expected): Row => ({
  section: "4",
  title,
  request: withClaims(more),
  expected,
});

export const rows: Row[] = [
  header("the type at+jwt", { typ: "at+jwt" }, served),
  header("the type application/at+jwt", { typ: "application/at+jwt" }, served),
  header("the type in capitals", { typ: "AT+JWT" }, served),
  // Many issuers use the type JWT; the audience distinguishes access tokens from other JWTs.
  header("the type JWT", { typ: "JWT" }, served),
  header("no type", { typ: undefined }, served),
  ...["logout+jwt", "dpop+jwt", "secevent+jwt", "id_token", "at", ""].map((typ) =>
    header(`the type "${typ}"`, { typ }, invalidToken("The type of the token is not accepted.")),
  ),
  header("a type that is not text", { typ: 7 }, invalidToken("The type of the token is")),

  claims("an issuer that is accepted", () => ({}), served),
  claims("no issuer", () => ({ iss: undefined }), invalidToken("The token is from another issuer.")),
  claims(
    "another issuer",
    () => ({ iss: "https://evil.example" }),
    invalidToken("The token is from another"),
  ),
  claims(
    "several issuers",
    () => ({ iss: ["https://evil.example"] }),
    invalidToken("The token is from another"),
  ),
  {
    section: "4",
    title: "one of two issuers",
    server: "two",
    request: async (given) => bearer(await given.token()),
    expected: served,
  },
  {
    section: "4",
    title: "the issuer with an additional slash",
    request: async (given) => bearer(await given.token({ iss: `${given.issuer.url}/` })),
    expected: invalidToken("The token is from another issuer."),
  },
  {
    section: "4",
    title: "an opaque token of another issuer",
    server: "introspecting",
    request: ({ issuer }) => {
      const iss = "https://evil.example";
      issuer.introspected.set("foreign", { active: true, sub: "ada", aud: RESOURCE, iss });
      return bearer("foreign");
    },
    expected: invalidToken("The token is from another issuer."),
  },

  claims("no audience", () => ({ aud: undefined }), invalidToken("The token is not for this server.")),
  claims("another audience", () => ({ aud: "https://other.example" }), invalidToken("The token is not for")),

  claims("an expiration in the past", () => ({ exp: now() - 60 }), invalidToken("The token has expired.")),
  claims(
    "no expiration",
    () => ({ exp: undefined }),
    invalidToken("The token has no valid expiration time."),
  ),
  claims(
    "an expiration that is not a number",
    () => ({ exp: "tomorrow" }),
    invalidToken("The token has no valid expiration time"),
  ),
  claims(
    "an end in digits",
    () => ({ exp: `${now() + 60}` }),
    invalidToken("The token has no valid expiration time"),
  ),
  claims("a start in the past", () => ({ nbf: now() - 60 }), served),
  claims("a start in the future", () => ({ nbf: now() + 60 }), invalidToken("The token is not valid yet.")),
  claims("a start that is not a number", () => ({ nbf: "now" }), invalidToken("The token is not valid yet.")),
  claims("no subject", () => ({ sub: undefined }), invalidToken("The token has no subject.")),
  claims("an empty subject", () => ({ sub: "" }), invalidToken("The token has no subject.")),
  claims("a subject that is not text", () => ({ sub: 7 }), invalidToken("The token has no subject.")),

  {
    section: "4",
    title: "claims that were changed",
    request: async (given) => {
      const [first, , signature] = (await given.token()).split(".");
      const changed = encode({ iss: given.issuer.url, aud: RESOURCE, sub: "eve", exp: now() + 60 });
      return bearer([first, changed, signature].join("."));
    },
    expected: invalidToken("The token's signature is wrong."),
  },
  {
    section: "4",
    title: "a key other than the named one",
    request: async (given) => {
      const payload = { iss: given.issuer.url, aud: RESOURCE, sub: "eve", exp: now() + 60 };
      const signer = new SignJWT(payload).setProtectedHeader({ alg: "ES256", kid: "key-1" });
      return bearer(await signer.sign(given.key.secret));
    },
    expected: invalidToken("The token's signature is wrong."),
  },
  {
    section: "4",
    title: "a key in the token's own header",
    request: async (given) => {
      const payload = { iss: given.issuer.url, aud: RESOURCE, sub: "eve", exp: now() + 60 };
      const signer = new SignJWT(payload).setProtectedHeader({ alg: "ES256", jwk: given.key.jwk });
      return bearer(await signer.sign(given.key.secret));
    },
    expected: invalidToken("The token's signature is wrong."),
  },
  header("an unknown key", { kid: "key-9" }, invalidToken("The token is signed with a key that its")),
  {
    section: "4",
    title: "an unknown critical extension (RFC 7515, section 4.1.11)",
    request: async (given) => {
      const [, payload, signature] = (await given.token()).split(".");
      return bearer(`${encode({ alg: "ES256", kid: "key-1", crit: ["x"], x: 1 })}.${payload}.${signature}`);
    },
    expected: invalidToken("The token is signed with an algorithm that is not accepted."),
  },
  {
    section: "4",
    title: "no signature (RFC 8725, section 3.1)",
    request: async (given) => {
      const [, payload] = (await given.token()).split(".");
      return bearer(`${encode({ alg: "none" })}.${payload}.AA`);
    },
    expected: invalidToken("The token is signed with an algorithm that is not accepted."),
  },
  {
    section: "4",
    title: "a public key used as a secret (RFC 8725, section 3.1)",
    request: async (given) => {
      const { keys } = (await (await fetch(`${given.issuer.url}/keys`)).json()) as { keys: object[] };
      const payload = { iss: given.issuer.url, aud: RESOURCE, sub: "eve", exp: now() + 60 };
      const signer = new SignJWT(payload).setProtectedHeader({ alg: "HS256", kid: "key-1" });
      return bearer(await signer.sign(Buffer.from(JSON.stringify(keys[0]))));
    },
    expected: invalidToken("The token is signed with an algorithm that is not accepted."),
  },
  {
    section: "4",
    title: "an algorithm that is not the key's",
    request: async (given) => {
      const [, payload, signature] = (await given.token()).split(".");
      return bearer(`${encode({ alg: "ES384", kid: "key-1" })}.${payload}.${signature}`);
    },
    expected: invalidToken("The token is signed with a key that its issuer does not have."),
  },
  {
    section: "4",
    title: "an algorithm that the server does not accept",
    server: "picky",
    request: async (given) => bearer(await given.token()),
    expected: invalidToken("The token is signed with an algorithm that is not accepted."),
  },
  {
    section: "4",
    title: "keys of an issuer that has another name (RFC 8414, section 3.3)",
    server: "misnamed",
    request: async (given) => bearer(await given.token({ iss: `${given.issuer.url}/` })),
    expected: { status: 503 },
  },
  {
    section: "4",
    title: "claims that are not an object",
    request: async (given) => {
      const [first, , signature] = (await given.token()).split(".");
      return bearer([first, encode(["a"]), signature].join("."));
    },
    expected: invalidToken("The token is not a JWT."),
  },
  {
    section: "4",
    title: "an encrypted token without keys",
    request: () => bearer(`${encode({ alg: "RSA-OAEP", enc: "A256GCM" })}.AA.AA.AA.AA`),
    expected: invalidToken("The token is not a JWT."),
  },
];
