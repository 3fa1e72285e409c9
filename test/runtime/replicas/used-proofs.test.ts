/** A proof of possession (DPoP) is accepted only once, whichever process receives it. */
import { oauth } from "@tenon/runtime/auth";
import { createHttpHandler } from "@tenon/runtime/http";
import { createServer } from "@tenon/runtime/server";
import { memoryStore, sharedStore, type Store } from "@tenon/runtime/store";
import type { LogEntry } from "@tenon/runtime";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClientKey, Given } from "../auth/tables/row.js";
import { type Issuer, startIssuer } from "../auth/issuer.js";
import { createFixture } from "../fixture/application.js";

const RESOURCE = "https://mcp.example.com/mcp";

describe("servers that share a store", () => {
  let issuer: Issuer;
  beforeAll(async () => {
    issuer = await startIssuer();
  });
  afterAll(() => issuer.close());

  const serve = (store: Store, log: LogEntry[] = []) =>
    createHttpHandler(
      createServer(
        createFixture({
          auth: oauth({ issuer: issuer.url, resource: RESOURCE, dpop: "require" }),
          store: sharedStore(store),
          log: (entry) => void log.push(entry),
        }),
      ),
    );

  async function proof(): Promise<() => Request> {
    const key = await createClientKey();
    const given = new Given(issuer, key, key, () => Promise.reject(new Error("not used")));
    const { headers } = await given.proven({});
    return () => new Request(RESOURCE, { method: "POST", headers: headers as Record<string, string> });
  }

  test("accept a proof only once", async () => {
    const store = memoryStore();
    const [a, b] = [serve(store), serve(store)];
    const request = await proof();
    // An accepted request has no content type, which is rejected later.
    expect((await a(request())).status).toBe(415);
    for (const handle of [b, a]) {
      const { status, headers } = await handle(request());
      expect([status, headers.get("www-authenticate")]).toEqual([
        401,
        expect.stringContaining("The DPoP proof was used before.") as string,
      ]);
    }
    const other = await proof();
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => (await [a, b][n % 2]!(other())).status),
    );
    expect(statuses.sort()).toEqual([...Array.from({ length: 19 }, () => 401), 415]);
    await Promise.all([a.close(), b.close()]);
  });

  test("admit no caller while it is unreachable, without remembering the request", async () => {
    const store = memoryStore();
    let isGone = true;
    const unreachable: Store = Object.assign(Object.create(store) as Store, {
      set: (...args: Parameters<Store["set"]>) =>
        isGone ? Promise.reject(new Error("connect ECONNREFUSED")) : store.set(...args),
    });
    for (const name of [
      "get",
      "publish",
      "subscribe",
      "lease",
      "read",
      "append",
      "consume",
      "delete",
      "close",
    ] as const)
      (unreachable as unknown as Record<string, unknown>)[name] = store[name].bind(store);
    const log: LogEntry[] = [];
    const handle = serve(unreachable, log);
    const request = await proof();
    for (let times = 0; times < 3; times += 1) {
      const response = await handle(request());
      expect([response.status, response.headers.get("retry-after")]).toEqual([503, "1"]);
      expect(await response.text()).toContain("cannot reach the store that its processes share");
    }
    expect(log.map(({ event }) => event)).toEqual(["store-not-encrypted", "store-unreachable"]);
    isGone = false;
    expect((await handle(request())).status).toBe(415);
    expect((await handle(request())).status).toBe(401);
    await handle.close();
  });
});
