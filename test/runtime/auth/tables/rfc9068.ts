import { SignJWT } from "jose";
import { bearer, type Expected, now, RESOURCE, type Row, withClaims } from "./row.js";

const served: Expected = { status: 200 };

const refused = (says: string): Expected => ({
  status: 401,
  challenge: `Bearer error="invalid_token", error_description="${says}`,
});

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A token whose header says more, or something else. */
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
  // Stricter than most issuers are: what else is a JWT is told by its audience.
  header("the type JWT", { typ: "JWT" }, served),
  header("no type", { typ: undefined }, served),
  ...["logout+jwt", "dpop+jwt", "secevent+jwt", "id_token", "at", ""].map((typ) =>
    header(`the type "${typ}"`, { typ }, refused("The token is of another type.")),
  ),
  header("a type that is no text", { typ: 7 }, refused("The token is")),

  claims("an issuer that is accepted", () => ({}), served),
  claims("no issuer", () => ({ iss: undefined }), refused("The token is from another issuer.")),
  claims("another issuer", () => ({ iss: "https://evil.example" }), refused("The token is from another")),
  claims("several issuers", () => ({ iss: ["https://evil.example"] }), refused("The token is from another")),
  {
    section: "4",
    title: "one of two issuers",
    server: "two",
    request: async (given) => bearer(await given.token()),
    expected: served,
  },
  {
    section: "4",
    title: "the issuer with a slash more",
    request: async (given) => bearer(await given.token({ iss: `${given.issuer.url}/` })),
    expected: refused("The token is from another issuer."),
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
    expected: refused("The token is from another issuer."),
  },

  claims("no audience", () => ({ aud: undefined }), refused("The token is not for this server.")),
  claims("another audience", () => ({ aud: "https://other.example" }), refused("The token is not for")),

  claims("an end in the past", () => ({ exp: now() - 60 }), refused("The token has expired.")),
  claims("no end", () => ({ exp: undefined }), refused("The token does not say when it expires.")),
  claims("an end in words", () => ({ exp: "tomorrow" }), refused("The token does not say when")),
  claims("an end in digits", () => ({ exp: `${now() + 60}` }), refused("The token does not say when")),
  claims("a beginning in the past", () => ({ nbf: now() - 60 }), served),
  claims("a beginning in the future", () => ({ nbf: now() + 60 }), refused("The token is not valid yet.")),
  claims("a beginning in words", () => ({ nbf: "now" }), refused("The token is not valid yet.")),
  claims("no subject", () => ({ sub: undefined }), refused("The token does not say whose it is.")),
  claims("an empty subject", () => ({ sub: "" }), refused("The token does not say whose it is.")),
  claims("a subject that is no text", () => ({ sub: 7 }), refused("The token does not say whose it is.")),

  {
    section: "4",
    title: "claims that were changed",
    request: async (given) => {
      const [first, , signature] = (await given.token()).split(".");
      const changed = encode({ iss: given.issuer.url, aud: RESOURCE, sub: "eve", exp: now() + 60 });
      return bearer([first, changed, signature].join("."));
    },
    expected: refused("The token's signature is wrong."),
  },
  {
    section: "4",
    title: "another key than that of its name",
    request: async (given) => {
      const payload = { iss: given.issuer.url, aud: RESOURCE, sub: "eve", exp: now() + 60 };
      const signer = new SignJWT(payload).setProtectedHeader({ alg: "ES256", kid: "key-1" });
      return bearer(await signer.sign(given.key.secret));
    },
    expected: refused("The token's signature is wrong."),
  },
  {
    section: "4",
    title: "a key that it brings along",
    request: async (given) => {
      const payload = { iss: given.issuer.url, aud: RESOURCE, sub: "eve", exp: now() + 60 };
      const signer = new SignJWT(payload).setProtectedHeader({ alg: "ES256", jwk: given.key.jwk });
      return bearer(await signer.sign(given.key.secret));
    },
    expected: refused("The token's signature is wrong."),
  },
  header("a key that is not known", { kid: "key-9" }, refused("The token is signed with a key that its")),
  {
    section: "4",
    title: "an extension that is critical, and not known (RFC 7515, section 4.1.11)",
    request: async (given) => {
      const [, payload, signature] = (await given.token()).split(".");
      return bearer(`${encode({ alg: "ES256", kid: "key-1", crit: ["x"], x: 1 })}.${payload}.${signature}`);
    },
    expected: refused("The token is signed by an algorithm that is not accepted."),
  },
  {
    section: "4",
    title: "no signature (RFC 8725, section 3.1)",
    request: async (given) => {
      const [, payload] = (await given.token()).split(".");
      return bearer(`${encode({ alg: "none" })}.${payload}.AA`);
    },
    expected: refused("The token is signed by an algorithm that is not accepted."),
  },
  {
    section: "4",
    title: "a public key as if it were a secret (RFC 8725, section 3.1)",
    request: async (given) => {
      const { keys } = (await (await fetch(`${given.issuer.url}/keys`)).json()) as { keys: object[] };
      const payload = { iss: given.issuer.url, aud: RESOURCE, sub: "eve", exp: now() + 60 };
      const signer = new SignJWT(payload).setProtectedHeader({ alg: "HS256", kid: "key-1" });
      return bearer(await signer.sign(Buffer.from(JSON.stringify(keys[0]))));
    },
    expected: refused("The token is signed by an algorithm that is not accepted."),
  },
  {
    section: "4",
    title: "an algorithm that is not the key's",
    request: async (given) => {
      const [, payload, signature] = (await given.token()).split(".");
      return bearer(`${encode({ alg: "ES384", kid: "key-1" })}.${payload}.${signature}`);
    },
    expected: refused("The token is signed with a key that its issuer does not have."),
  },
  {
    section: "4",
    title: "an algorithm that the server does not take",
    server: "picky",
    request: async (given) => bearer(await given.token()),
    expected: refused("The token is signed by an algorithm that is not accepted."),
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
    title: "claims that are no object",
    request: async (given) => {
      const [first, , signature] = (await given.token()).split(".");
      return bearer([first, encode(["a"]), signature].join("."));
    },
    expected: refused("The token is not a JWT."),
  },
  {
    section: "4",
    title: "an encrypted token, of which there are no keys",
    request: () => bearer(`${encode({ alg: "RSA-OAEP", enc: "A256GCM" })}.AA.AA.AA.AA`),
    expected: refused("The token is not a JWT."),
  },
];
