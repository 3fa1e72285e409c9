import { oauth } from "@tenon/runtime/auth";
import { createHttpHandler } from "@tenon/runtime/http";
import { createServer } from "@tenon/runtime/server";
import { createSseHandler } from "@tenon/runtime/sse";
import { describe, expect, test } from "vitest";
import { createNonces } from "../../../packages/runtime/src/auth/dpop/nonces.js";
import { SeenProofs } from "../../../packages/runtime/src/auth/dpop/seen-proofs.js";
import { readStateKeys } from "../../../packages/runtime/src/encryption/encryption.js";
import { quietServer } from "../../support/describe-transports.js";
import { createFixture } from "../fixture/application.js";
import { startIssuer } from "./issuer.js";
import { createClientKey, Given } from "./tables/row.js";

const RESOURCE = "https://mcp.example.com/mcp";

describe("the proofs that were used", () => {
  const LIFETIME = 300;

  test("are known until they are too old to be accepted", () => {
    const seen = new SeenProofs(LIFETIME);
    expect(seen.add("key", "a", 1000, 1000)).toBe(true);
    expect(seen.add("key", "a", 1000, 1300)).toBe(false);
    expect(seen.add("other key", "a", 1000, 1300)).toBe(true);
    seen.add("third key", "b", 1700, 1700);
    expect(seen.size).toBe(2);
  });

  test("are never taken twice, however many there are, and take no more memory than they may", () => {
    const seen = new SeenProofs(LIFETIME, 100);
    const proofs = Array.from({ length: 1000 }, (_, index) => ({
      id: `${index}`,
      issued: 1000 + (index % 250),
    }));
    const taken = proofs.filter(({ id, issued }) => seen.add("key", id, issued, 1250));
    expect(taken.length).toBeGreaterThan(99);
    expect(seen.size).toBeLessThanOrEqual(100);
    expect(taken.filter(({ id, issued }) => seen.add("key", id, issued, 1250))).toEqual([]);
  });

  test("of one key crowd out no other key's", () => {
    const seen = new SeenProofs(LIFETIME, 100);
    const quiet = Array.from({ length: 20 }, (_, index) => `${index}`);
    for (const id of quiet) seen.add("quiet", id, 1000, 1000);
    for (let index = 0; index < 1000; index++) seen.add("loud", `${index}`, 1000 + index, 1000);
    expect(quiet.map((id) => seen.add("quiet", id, 1000, 1000))).toEqual(quiet.map(() => false));
    expect(seen.add("quiet", "new", 1000, 1000)).toBe(true);
    expect(seen.size).toBeLessThanOrEqual(100);
  });

  test("cannot be made unknown by as many keys", () => {
    const seen = new SeenProofs(LIFETIME, 10);
    const add = (key: number): boolean => seen.add(`${key}`, "a", 1000, 1000);
    expect(() => Array.from({ length: 10 }, (_, key) => add(key))).toThrow("Too many keys");
    expect(add(0)).toBe(false);
  });
});

describe("a nonce", () => {
  const KEY = "a key that is shared by several instances";
  const noncesOf = (key: string, seconds: number) => createNonces(readStateKeys(key), () => seconds * 1000);

  test("is taken for a few minutes", () => {
    const nonce = noncesOf(KEY, 10_000).current();
    expect(noncesOf(KEY, 10_100).accepts(nonce)).toBe(true);
    expect(noncesOf(KEY, 10_400).accepts(nonce)).toBe(false);
    expect(noncesOf(KEY, 9_000).accepts(nonce)).toBe(false);
  });

  test("is that of all instances with the same key, and of no others", () => {
    const nonce = noncesOf(KEY, 10_000).current();
    expect(noncesOf(`${KEY} and by others,${KEY}`, 10_000).accepts(nonce)).toBe(true);
    expect(noncesOf(`${KEY} and by others`, 10_000).accepts(nonce)).toBe(false);
    expect(noncesOf(KEY, 10_000).accepts(undefined)).toBe(false);
  });
});

test.each([
  [{ dpop: "off" }, 'oauth: `dpop` must be "accept" or "require" (got "off").'],
  [{ dpopNonces: "yes" }, "oauth: `dpopNonces` must be true or false."],
])("options %j are refused", (options, problem) => {
  const all = { issuer: "https://login.example.com", resource: RESOURCE, ...options };
  expect(() => oauth(all as Parameters<typeof oauth>[0])).toThrow(new TypeError(problem));
});

test("a nonce that is asked for is not told of in the log, and a proof that is wrong is", async () => {
  const issuer = await startIssuer();
  const entries: Record<string, unknown>[] = [];
  const auth = oauth({ issuer: issuer.url, resource: RESOURCE, dpop: "require", dpopNonces: true });
  const log = (entry: object): void => void entries.push({ ...entry });
  const handle = createHttpHandler(createServer(createFixture({ auth, log })));
  const key = await createClientKey();
  const given = new Given(issuer, key, key, () => Promise.reject(new Error("not used")));
  const post = async (claims: object): Promise<string> => {
    const { headers } = await given.proven(claims);
    const response = await handle(
      new Request(RESOURCE, { method: "POST", headers: headers as Record<string, string> }),
    );
    return response.headers.get("www-authenticate") ?? "";
  };
  expect(await post({})).toContain('error="use_dpop_nonce"');
  expect(entries).toEqual([]);
  expect(await post({ htm: "GET" })).toContain('error="invalid_dpop_proof"');
  expect(entries).toMatchObject([{ event: "refused", status: 401 }]);
  await handle.close();
  await issuer.close();
});

test("at the addresses of the older transport, proofs are for those", async () => {
  const issuer = await startIssuer();
  const handle = createSseHandler(
    quietServer(createFixture({ auth: oauth({ issuer: issuer.url, resource: RESOURCE }) })),
  );
  const key = await createClientKey();
  const given = new Given(issuer, key, key, () => Promise.reject(new Error("not used")));
  const open = async (htu: string): Promise<number> => {
    const { headers } = await given.proven({ htm: "GET", htu });
    const response = await handle(
      new Request("https://mcp.example.com/sse", { headers: headers as Record<string, string> }),
    );
    await response.body?.cancel();
    return response.status;
  };
  expect(await open("https://mcp.example.com/sse")).toBe(200);
  expect(await open(RESOURCE)).toBe(401);
  await handle.close();
  await issuer.close();
});
