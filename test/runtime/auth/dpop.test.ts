import { oauth, type OAuth } from "@tenon/runtime/auth";
import { createHttpHandler } from "@tenon/runtime/http";
import { createServer } from "@tenon/runtime/server";
import { createSseHandler } from "@tenon/runtime/sse";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
// Internal: how many proofs are remembered, and which are forgotten first, shows only after very many requests.
import { SeenProofs } from "../../../packages/runtime/src/access/auth/dpop/seen-proofs.js";
import { quietServer } from "../../support/describe-transports.js";
import { createFixture } from "../fixture/application.js";
import { type Issuer, startIssuer } from "./issuer.js";
import { createClientKey, Given } from "./tables/row.js";

const RESOURCE = "https://mcp.example.com/mcp";

describe("used DPoP proofs", () => {
  const LIFETIME = 300;

  test("are remembered until they are too old to be accepted", () => {
    const seen = new SeenProofs(LIFETIME);
    expect(seen.add("key", "a", 1000, 1000)).toBe(true);
    expect(seen.add("key", "a", 1000, 1300)).toBe(false);
    expect(seen.add("other key", "a", 1000, 1300)).toBe(true);
    seen.add("third key", "b", 1700, 1700);
    expect(seen.size).toBe(2);
  });

  test("are never accepted twice, however many there are, within bounded memory", () => {
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

  test("signed with one key do not displace those of another key", () => {
    const seen = new SeenProofs(LIFETIME, 100);
    const quiet = Array.from({ length: 20 }, (_, index) => `${index}`);
    for (const id of quiet) seen.add("quiet", id, 1000, 1000);
    for (let index = 0; index < 1000; index++) seen.add("loud", `${index}`, 1000 + index, 1000);
    expect(quiet.map((id) => seen.add("quiet", id, 1000, 1000))).toEqual(quiet.map(() => false));
    expect(seen.add("quiet", "new", 1000, 1000)).toBe(true);
    expect(seen.size).toBeLessThanOrEqual(100);
  });

  test("are not displaced by proofs of too many other keys", () => {
    const seen = new SeenProofs(LIFETIME, 10);
    const add = (key: number): boolean => seen.add(`${key}`, "a", 1000, 1000);
    expect(() => Array.from({ length: 10 }, (_, key) => add(key))).toThrow("Too many keys");
    expect(add(0)).toBe(false);
  });
});

describe("a DPoP nonce", () => {
  const KEY = "a key that is shared by several instances";
  let issuer: Issuer;
  let given: Given;
  beforeEach(async () => {
    issuer = await startIssuer();
    const key = await createClientKey();
    given = new Given(issuer, key, key, () => Promise.reject(new Error("not used")));
    vi.useFakeTimers({ toFake: ["Date"], now: 10_000_000 });
  });
  afterEach(async () => {
    vi.useRealTimers();
    await issuer.close();
  });

  /** Creates an instance of a server with these keys. */
  const instance = (keys: string): OAuth => {
    vi.stubEnv("TENON_STATE_KEYS", keys);
    return oauth({ issuer: issuer.url, resource: RESOURCE, dpop: "require", dpopNonces: true });
  };

  const prove = async ({ authenticate }: OAuth, claims: object) => {
    const headers = (await given.proven(claims)).headers as Record<string, string>;
    return authenticate({ method: "POST", header: (name) => headers[name] });
  };
  /** Returns the nonce that the instance sends to a client without one. */
  const requestNonce = async (auth: OAuth): Promise<string> => {
    const found = await prove(auth, {});
    return "headers" in found ? (found.headers?.["dpop-nonce"] ?? "") : "";
  };
  const isAccepted = async (auth: OAuth, nonce: string): Promise<boolean> => {
    const found = await prove(auth, { nonce });
    if ("subject" in found) return true;
    expect(found.challenge).toContain('error="use_dpop_nonce"');
    return false;
  };

  test("is accepted for a few minutes", async () => {
    const auth = instance(KEY);
    const nonce = await requestNonce(auth);
    vi.setSystemTime(10_100_000);
    expect(await isAccepted(auth, nonce)).toBe(true);
    vi.setSystemTime(10_400_000);
    expect(await isAccepted(auth, nonce)).toBe(false);
    vi.setSystemTime(9_000_000);
    expect(await isAccepted(auth, nonce)).toBe(false);
  });

  test("is accepted by all instances with the same key, and by no others", async () => {
    const nonce = await requestNonce(instance(KEY));
    expect(await isAccepted(instance(`${KEY} and by others,${KEY}`), nonce)).toBe(true);
    expect(await isAccepted(instance(`${KEY} and by others`), nonce)).toBe(false);
  });
});

test.each([
  [{ dpop: "off" }, 'oauth: `dpop` must be "accept" or "require" (got "off").'],
  [{ dpopNonces: "yes" }, "oauth: `dpopNonces` must be true or false."],
])("options %j are rejected", (options, problem) => {
  const all = { issuer: "https://login.example.com", resource: RESOURCE, ...options };
  expect(() => oauth(all as Parameters<typeof oauth>[0])).toThrow(new TypeError(problem));
});

test("a requested nonce is not logged, and an invalid proof is", async () => {
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
  expect(entries).toMatchObject([{ event: "rejected", status: 401 }]);
  await handle.close();
  await issuer.close();
});

test("proofs for the older transport must name its address", async () => {
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
