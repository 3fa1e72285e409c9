import { oauth, type OAuth } from "@tenon/runtime/auth";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { type Issuer, startIssuer } from "./issuer.js";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const RESOURCE = "https://mcp.example.com/mcp";

const ADA = { subject: "ada" };
const UNKNOWN = { status: 401 };
const UNREACHABLE = "cannot be fetched";

let issuer: Issuer;
let auth: OAuth;
beforeEach(async () => {
  issuer = await startIssuer();
  auth = oauth({ issuer: issuer.url, resource: RESOURCE });
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(async () => {
  vi.useRealTimers();
  await issuer.close();
});

const pass = (ms: number): void => void vi.setSystemTime(Date.now() + ms);

const authenticate = (token: string, { authenticate } = auth) =>
  authenticate({
    method: "POST",
    header: (name) => (name === "authorization" ? `Bearer ${token}` : undefined),
  });

/** Verifies a new token, with a key of the issuer's unless the header names another. */
const verify = async (header = {}) => authenticate(await issuer.token(RESOURCE, {}, header));
const expectKnown = async (): Promise<void> => expect(await verify()).toMatchObject(ADA);
const unknownKey = () => verify({ kid: "not-there" });
/** Returns how often the keys were fetched. */
const fetches = (): number => issuer.requests.filter((path) => path === "/keys").length;

describe("a new signing key", () => {
  beforeEach(expectKnown);

  test("is found when a token names it, and replaces the old one", async () => {
    const old = await issuer.token(RESOURCE);
    await issuer.rotate();
    pass(6000);
    await expectKnown();
    expect(await authenticate(old)).toMatchObject(UNKNOWN);
  });

  test("is found at a new address", async () => {
    await issuer.rotate();
    pass(6000);
    await expectKnown();
    expect(issuer.requests.filter((path) => path.includes("well-known"))).toHaveLength(2);
  });

  test("is searched for at most every five seconds, however many unknown keys are named", async () => {
    pass(6000);
    const flood = await Promise.all(Array.from({ length: 50 }, unknownKey));
    for (const found of [...flood, await unknownKey()]) expect(found).toMatchObject(UNKNOWN);
    expect(fetches()).toBe(2);
    pass(6000);
    expect(await unknownKey()).toMatchObject(UNKNOWN);
    expect(fetches()).toBe(3);
  });
});

describe("an issuer that is down", () => {
  test("from the start is retried after a pause, and not before", async () => {
    issuer.isUp = false;
    await expect(verify()).rejects.toThrow(UNREACHABLE);
    const before = issuer.requests.length;
    await expect(verify()).rejects.toThrow(UNREACHABLE);
    expect(issuer.requests.length).toBe(before);
    issuer.isUp = true;
    pass(6000);
    await expectKnown();
  });

  test("is reported with the reason", async () => {
    const token = await issuer.token(RESOURCE);
    await issuer.close();
    const error = (await authenticate(token).catch((cause: unknown) => cause)) as Error;
    expect((error.cause as Error).message).toMatch(/fetch failed \(.*ECONNREFUSED 127\.0\.0\.1/);
  });

  test("does not affect callers with a known key, for a day", async () => {
    await expectKnown();
    issuer.isUp = false;
    pass(DAY - 1);
    await expectKnown();
    pass(2);
    await expect(verify()).rejects.toThrow(UNREACHABLE);
  });

  test("is not queried more often because of unknown keys, which yield 503", async () => {
    await expectKnown();
    issuer.isUp = false;
    pass(6000);
    await expect(unknownKey()).rejects.toThrow(UNREACHABLE);
    const before = issuer.requests.length;
    await Promise.all(Array.from({ length: 50 }, () => expect(unknownKey()).rejects.toThrow(UNREACHABLE)));
    expect(issuer.requests.length).toBe(before);
    await expectKnown();
  });
});

describe("a slow issuer", () => {
  let answer: () => void;
  const slow = (): void => {
    issuer.patience = new Promise((resolve) => {
      answer = resolve;
    });
  };

  test("is queried once, however many wait", async () => {
    slow();
    const waiting = Array.from({ length: 20 }, expectKnown);
    await expect.poll(() => issuer.requests.length).toBe(1);
    answer();
    await Promise.all(waiting);
    expect(fetches()).toBe(1);
  });

  test("does not delay callers with a known key", async () => {
    await expectKnown();
    slow();
    pass(11 * MINUTE);
    // One request names an unknown key, which takes as long as the issuer does.
    const waiting = unknownKey();
    await expectKnown();
    await expectKnown();
    answer();
    expect(await waiting).toMatchObject(UNKNOWN);
    expect(fetches()).toBe(2);
  });
});

test("keys are not fetched over a connection that others could change", async () => {
  const secure = "https://login.example.com";
  const fetched = vi
    .spyOn(globalThis, "fetch")
    .mockImplementation(async () =>
      Response.json({ issuer: secure, jwks_uri: "http://login.example.com/keys" }),
    );
  onTestFinished(() => fetched.mockRestore());
  const token = await issuer.token(RESOURCE, { iss: secure });
  await expect(authenticate(token, oauth({ issuer: secure, resource: RESOURCE }))).rejects.toMatchObject({
    cause: { message: expect.stringContaining("its `jwks_uri` is not an https: URL") as string },
  });
  expect(fetched.mock.calls.map(([url]) => url)).not.toContain("http://login.example.com/keys");
});

describe("a malformed key response", () => {
  const garbage = ["<html>", "", "[]", "{}", '{"keys":7}', '{"keys":[7]}', "null"];

  test.each(garbage)("admits no caller: %j", async (text) => {
    issuer.keysText = text;
    await expect(verify()).rejects.toThrow(UNREACHABLE);
  });

  test.each(garbage)("does not affect callers with a known key: %j", async (text) => {
    await expectKnown();
    issuer.keysText = text;
    pass(11 * MINUTE);
    await expectKnown();
    await expect.poll(fetches).toBe(2);
    await expectKnown();
    issuer.keysText = undefined;
    pass(6000);
    await expectKnown();
    await expect.poll(fetches).toBe(3);
  });

  test("is not read to its end if it is too large", async () => {
    issuer.keysText = `{"keys":[],"more":"${"x".repeat(3 << 20)}"}`;
    await expect(verify()).rejects.toMatchObject({
      cause: { message: "the response has more than 1048576 bytes" },
    });
  });

  test("is distinct from an empty key set, which withdraws all keys", async () => {
    await expectKnown();
    issuer.keysText = '{"keys":[]}';
    pass(11 * MINUTE);
    await expectKnown();
    await expect.poll(verify).toMatchObject(UNKNOWN);
  });
});
