/** Tokens and key sets that a library or a careless issuer gets wrong: none of them is a fault of the server. */
import { createSign, generateKeyPairSync, type KeyObject } from "node:crypto";
import { oauth, type OAuth } from "@tenon/runtime/auth";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Issuer, startIssuer } from "./issuer.js";

const RESOURCE = "https://mcp.example.com/mcp";
const ADA = { subject: "ada" };
const HEADER = { alg: "RS256", kid: "a", typ: "at+jwt" };
const NOT_A_JWT = { status: 401, reason: "The token is not a JWT." };
const UNUSABLE = {
  status: 401,
  reason: expect.stringContaining("a key of its issuer that cannot be used") as string,
};

interface Pair {
  publicKey: KeyObject;
  privateKey: KeyObject;
}

const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
const small = generateKeyPairSync("rsa", { modulusLength: 1024 });

let issuer: Issuer;
let auth: OAuth;
beforeEach(async () => {
  issuer = await startIssuer();
  auth = oauth({ issuer: issuer.url, resource: RESOURCE });
});
afterEach(async () => {
  vi.useRealTimers();
  await issuer.close();
});

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

function sign({ privateKey }: Pair, header: object = HEADER, claims: object = {}): string {
  const exp = Math.floor(Date.now() / 1000) + 600;
  const payload = encode({ iss: issuer.url, aud: RESOURCE, sub: "ada", exp, ...claims });
  const input = `${encode(header)}.${payload}`;
  return `${input}.${createSign("RSA-SHA256").update(input).sign(privateKey).toString("base64url")}`;
}

function publish(...keys: unknown[]): void {
  issuer.keysText = JSON.stringify({ keys });
}

const toJwk = ({ publicKey }: Pair, kid = "a"): Record<string, unknown> => ({
  ...publicKey.export({ format: "jwk" }),
  kid,
  alg: "RS256",
  use: "sig",
});

const authenticate = (token: string): unknown =>
  auth.authenticate({
    method: "POST",
    header: (name) => (name === "authorization" ? `Bearer ${token}` : undefined),
  });

describe("a token", () => {
  beforeEach(() => publish(toJwk(pair)));

  test.each([
    ["an unencoded payload", { crit: ["b64"], b64: false }],
    ["an unencoded payload that is not critical", { b64: false }],
    ["critical headers that are not a list", { crit: 5 }],
  ])("with %s is not a JWT", async (_name, header) => {
    expect(await authenticate(sign(pair, { ...HEADER, ...header }))).toMatchObject(NOT_A_JWT);
  });

  test("with an unknown critical header is rejected", async () => {
    expect(await authenticate(sign(pair, { ...HEADER, crit: ["x"], x: 1 }))).toMatchObject({ status: 401 });
  });

  test("with an impossible time of expiry is rejected", async () => {
    expect(await authenticate(sign(pair, HEADER, { exp: 1e300 }))).toMatchObject({
      reason: "The token has no valid expiration time.",
    });
  });
});

describe("a key set", () => {
  test.each([null, 5, "key", []])("is used without a member that is not a key: %j", async (member) => {
    publish(member, toJwk(pair));
    expect(await authenticate(sign(pair))).toMatchObject(ADA);
  });

  test.each<[string, Pair, object]>([
    ["is too short", small, toJwk(small)],
    ["has no modulus", pair, { ...toJwk(pair), n: undefined }],
    ["has a modulus that is not Base64", pair, { ...toJwk(pair), n: "!" }],
    ["is private", pair, { ...pair.privateKey.export({ format: "jwk" }), kid: "a", alg: "RS256" }],
  ])("with a key that %s rejects its tokens, and no others", async (_name, key, jwk) => {
    const other = generateKeyPairSync("rsa", { modulusLength: 2048 });
    publish(jwk, toJwk(other, "b"));
    expect(await authenticate(sign(key))).toMatchObject(UNUSABLE);
    expect(await authenticate(sign(other, { ...HEADER, kid: "b" }))).toMatchObject(ADA);
  });
});

describe("a key that the issuer publishes after its keys were fetched", () => {
  const next = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const now = (): number => Math.floor(Date.now() / 1000);
  const newToken = (): string => sign(next, { ...HEADER, kid: "next" }, { iat: now() });

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    publish(toJwk(pair));
    expect(await authenticate(sign(pair))).toMatchObject(ADA);
    publish(toJwk(pair), toJwk(next, "next"));
  });
  const pass = (ms: number): void => void vi.setSystemTime(Date.now() + ms);

  test("yields 503 for its tokens until the keys may be fetched again, and is then accepted", async () => {
    pass(2000);
    const token = newToken();
    await expect(authenticate(token)).rejects.toMatchObject({
      status: 503,
      headers: { "retry-after": "3" },
    });
    pass(3001);
    expect(await authenticate(token)).toMatchObject(ADA);
  });

  test("does not cause an older token with an unknown key to be accepted", async () => {
    const token = sign(next, { ...HEADER, kid: "never" }, { iat: now() - 60 });
    expect(await authenticate(token)).toMatchObject({ status: 401 });
  });
});
