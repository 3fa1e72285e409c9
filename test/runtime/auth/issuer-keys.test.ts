import { compactVerify, errors } from "jose";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { IssuerKeys } from "../../../packages/runtime/src/auth/tokens/issuer-keys.js";
import { type Issuer, startIssuer } from "./issuer.js";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const UNKNOWN = "no applicable key found";
const UNREACHABLE = "cannot be fetched";

let issuer: Issuer;
let now: number;
let keys: IssuerKeys;
beforeEach(async () => {
  issuer = await startIssuer();
  now = 0;
  keys = new IssuerKeys(issuer.url, undefined, () => now);
});
afterEach(() => issuer.close());

/** Looks for the key of a token: one of the issuer's, unless the header names another. */
const verify = async (header = {}): Promise<unknown> =>
  compactVerify(await issuer.token("https://mcp.example.com", {}, header), keys.find);

const unknownKey = (): Promise<unknown> => verify({ kid: "not-there" });
const asked = (): number => issuer.requests.filter((path) => path === "/keys").length;

describe("a key that is new", () => {
  beforeEach(() => verify());

  test("is found when a token names it, and the one before is withdrawn", async () => {
    const old = await issuer.token("https://mcp.example.com");
    await issuer.rotate();
    now += 6000;
    await verify();
    await expect(compactVerify(old, keys.find)).rejects.toThrow(UNKNOWN);
  });

  test("is found where the keys have moved", async () => {
    await issuer.rotate();
    now += 6000;
    await verify();
    expect(issuer.requests.filter((path) => path.includes("well-known"))).toHaveLength(2);
  });

  test("is not looked for more often than every five seconds, whoever asks for keys that are not there", async () => {
    now += 6000;
    const flood = Array.from({ length: 50 }, () =>
      expect(unknownKey()).rejects.toThrow(errors.JWKSNoMatchingKey),
    );
    await Promise.all(flood);
    await expect(unknownKey()).rejects.toThrow(UNKNOWN);
    expect(asked()).toBe(2);
    now += 6000;
    await expect(unknownKey()).rejects.toThrow(UNKNOWN);
    expect(asked()).toBe(3);
  });
});

describe("an issuer that is down", () => {
  test("from the start is asked again after a pause, and not before", async () => {
    issuer.isUp = false;
    await expect(verify()).rejects.toThrow(UNREACHABLE);
    const before = issuer.requests.length;
    await expect(verify()).rejects.toThrow(UNREACHABLE);
    expect(issuer.requests.length).toBe(before);
    issuer.isUp = true;
    now += 6000;
    await verify();
  });

  test("keeps nobody out whose key is known, for a day", async () => {
    await verify();
    issuer.isUp = false;
    now += DAY - 1;
    await verify();
    now += 2;
    await expect(verify()).rejects.toThrow(UNREACHABLE);
  });

  test("is not asked more often because of keys that are not there, and it is not known whether they are", async () => {
    await verify();
    issuer.isUp = false;
    now += 6000;
    await expect(unknownKey()).rejects.toThrow(UNREACHABLE);
    const before = issuer.requests.length;
    await Promise.all(Array.from({ length: 50 }, () => expect(unknownKey()).rejects.toThrow(UNREACHABLE)));
    expect(issuer.requests.length).toBe(before);
    await verify();
  });
});

describe("an issuer that is slow", () => {
  let answer: () => void;
  const slow = (): void => {
    issuer.patience = new Promise((resolve) => {
      answer = resolve;
    });
  };

  test("is asked once, whoever waits", async () => {
    slow();
    const waiting = Array.from({ length: 20 }, () => verify());
    await expect.poll(() => issuer.requests.length).toBe(1);
    answer();
    await Promise.all(waiting);
    expect(asked()).toBe(1);
  });

  test("keeps nobody waiting whose key is known", async () => {
    await verify();
    slow();
    now += 11 * MINUTE;
    // One is to find a key that is not there, which takes as long as the issuer does.
    const waiting = expect(unknownKey()).rejects.toThrow(UNKNOWN);
    await verify();
    await verify();
    answer();
    await waiting;
    expect(asked()).toBe(2);
  });
});

test("keys are not fetched from where anybody on the way could change them", async () => {
  const secure = "https://login.example.com";
  const fetched = vi
    .spyOn(globalThis, "fetch")
    .mockImplementation(async () =>
      Response.json({ issuer: secure, jwks_uri: "http://login.example.com/keys" }),
    );
  onTestFinished(() => fetched.mockRestore());
  const { find } = new IssuerKeys(secure, undefined);
  const token = await issuer.token("https://mcp.example.com");
  await expect(compactVerify(token, find)).rejects.toMatchObject({
    cause: { message: expect.stringContaining("its `jwks_uri` is no https: URL") as string },
  });
  expect(fetched.mock.calls.map(([url]) => url)).not.toContain("http://login.example.com/keys");
});

describe("an answer that is not one of keys", () => {
  const garbage = ["<html>", "", "[]", "{}", '{"keys":7}', '{"keys":[7]}', "null"];

  test.each(garbage)("lets nobody in: %j", async (text) => {
    issuer.keysText = text;
    await expect(verify()).rejects.toThrow(UNREACHABLE);
  });

  test.each(garbage)("changes nothing for those whose key is known: %j", async (text) => {
    await verify();
    issuer.keysText = text;
    now += 11 * MINUTE;
    await verify();
    await expect.poll(asked).toBe(2);
    await verify();
    issuer.keysText = undefined;
    now += 6000;
    await verify();
    await expect.poll(asked).toBe(3);
  });

  test("is not read to its end where it has none that is near", async () => {
    issuer.keysText = `{"keys":[],"more":"${"x".repeat(3 << 20)}"}`;
    await expect(verify()).rejects.toMatchObject({
      cause: { message: "the answer has more than 1048576 bytes" },
    });
  });

  test("with no keys withdraws all", async () => {
    await verify();
    issuer.keysText = '{"keys":[]}';
    now += 11 * MINUTE;
    await verify();
    await expect.poll(() => verify().catch((error: Error) => error.message)).toMatch(UNKNOWN);
  });
});
