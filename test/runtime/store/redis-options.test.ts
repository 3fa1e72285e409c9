/** Options with which a store connects to Redis: URLs, users, TLS, and the author's own clients. */
import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClient, createClientPool, createSentinel } from "@redis/client";
import { redis } from "@tenon/runtime/redis";
import { createServer } from "@tenon/runtime/server";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { missingRedis, RedisServer } from "../../support/redis-server.mjs";
import { createFixture } from "../fixture/application.js";

const LONG = 60_000;
const missing = missingRedis();

afterEach(() => vi.unstubAllEnvs());

test.each([
  [[""], "redis: the URL of Redis is missing. Pass it as an argument, or set TENON_REDIS_URL."],
  [["http://ada:secret@host"], "redis: the URL of Redis must begin with redis:// or rediss://."],
  [["ada:secret@host"], "redis: the URL of Redis must begin with redis:// or rediss://."],
  [["redis://host/one"], "redis: the path of the URL of Redis must be a database number, or empty."],
  ...["redis://host?db=3", "redis://host/1#a"].map((url): [unknown[], string] => [
    [url],
    "redis: the URL of Redis cannot have a query or fragment. Its path is the database, and `client` has further options.",
  ]),
  [
    [undefined, { cluster: ["redis://a/0", "redis://b/2"] }],
    "redis: a cluster has only database 0, so the URLs in `cluster` cannot have another number.",
  ],
  [
    ["redis://host/5", { client: { database: 0 } }],
    "redis: the URL and `client` have different database numbers. Remove one of them.",
  ],
  [
    [{}],
    "redis: this is not a client of `@redis/client` (createClient, createClientPool, or createCluster).",
  ],
  [
    [createSentinel({ name: "m", sentinelRootNodes: [{ host: "h", port: 1 }] })],
    "redis: this is not a client of `@redis/client` (createClient, createClientPool, or createCluster).",
  ],
  [
    ["redis://h", { cluster: ["redis://h"] }],
    "redis: pass only one of these: a URL, a client, or `cluster`.",
  ],
  [[undefined, { cluster: [] }], "redis: `cluster` must contain at least one URL."],
  [
    ["redis://h", { prefix: "{a}" }],
    "redis: `prefix` must be a string without braces, which Redis uses as hash tags.",
  ],
  [
    ["redis://ada:secret@h", { client: { socket: { tls: true } } }],
    "redis: TLS must be on for all nodes or for none. Use rediss:// in each URL, or redis:// without `tls: true`.",
  ],
  [
    [undefined, { cluster: ["redis://h", "rediss://h"] }],
    "redis: TLS must be on for all nodes or for none. Use rediss:// in each URL, or redis:// without `tls: true`.",
  ],
  [
    ["redis://h", { timeoutMs: 0 }],
    "redis: `timeoutMs` must be a whole number of milliseconds of at least 1.",
  ],
  [["redis://h", { waitReplicas: -1 }], "redis: `waitReplicas` must be a whole number of at least 0."],
  [
    [createClientPool(), { waitReplicas: 1 }],
    "redis: `waitReplicas` needs a single connection. Pass a client from createClient, not a pool.",
  ],
])("invalid options are rejected: case %#", (args, problem) => {
  vi.stubEnv("TENON_REDIS_URL", "");
  expect(() => redis(...(args as Parameters<typeof redis>))).toThrow(new TypeError(problem));
});

test("a server without the Redis client reports what to install before it serves", async () => {
  vi.resetModules();
  vi.doMock("@redis/client", () => {
    throw new Error("Cannot find package '@redis/client'");
  });
  const { redis: withoutClient } = await import("@tenon/runtime/redis");
  const server = createServer(createFixture({ store: withoutClient("redis://127.0.0.1:1"), log: "off" }));
  await expect(server.opened).rejects.toThrow(
    "redis() needs the package `@redis/client`. Install it: npm install @redis/client",
  );
  await server.close();
  vi.doUnmock("@redis/client");
  vi.resetModules();
});

describe.skipIf(missing !== undefined)(`Redis${missing ? ` (skipped: ${missing})` : ""}`, () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await RedisServer.start();
  });
  afterAll(() => server.close());

  const connections = async (): Promise<number> =>
    (await server.command("CLIENT", "LIST")).split("\n").filter((line) => !line.includes("cmd=client"))
      .length;

  test("is found through the environment", async () => {
    vi.stubEnv("TENON_REDIS_URL", server.url);
    const { store } = redis();
    await store.set("by the environment", "x", { ttlMs: LONG });
    await store.close();
    expect(await server.command("EXISTS", "by the environment")).toBe("1");
  });

  test("accepts users by name and password, which no message reveals", async () => {
    await server.command("ACL", "SETUSER", "ada", "on", ">p@ss:word/", "~*", "&*", "+@all");
    const { store } = redis(`redis://ada:${encodeURIComponent("p@ss:word/")}@127.0.0.1:${server.port}/2`);
    await store.set("hers", "x", { ttlMs: LONG });
    await store.subscribe(
      ["topic"],
      () => {},
      () => {},
    );
    await store.close();
    expect(await server.command("-n", "2", "EXISTS", "hers")).toBe("1");
    const { store: wrong } = redis(`redis://ada:secret@127.0.0.1:${server.port}`);
    const problem = await wrong.get("hers").catch((error: Error) => error.message);
    expect(problem).toBe(
      "Redis is unreachable: WRONGPASS invalid username-password pair or user is disabled.",
    );
    await wrong.close();
  });

  test("closes only clients that it connected itself", async () => {
    const mine = createClient({ url: server.url });
    mine.on("error", () => {});
    await mine.connect();
    const before = await connections();
    const sharing = redis(mine as never);
    const servers = [1, 2].map(() => createServer(createFixture({ store: sharing, log: "off" })));
    await sharing.store.set("key", "x", { ttlMs: LONG });
    await servers[0]!.close();
    expect(await sharing.store.get("key")).toMatchObject({ value: "x" });
    await servers[1]!.close();
    expect(mine.isOpen).toBe(true);
    expect(await mine.ping()).toBe("PONG");
    await expect.poll(connections).toBe(before);
    await mine.close();

    const given = createClient({ url: server.url });
    const other = redis(given as never);
    const served = createServer(createFixture({ store: other, log: "off" }));
    await other.store.set("key", "x", { ttlMs: LONG });
    expect(given.isOpen).toBe(true);
    await served.close();
    expect(given.isOpen).toBe(false);
    await expect.poll(connections).toBe(before - 1);
  });

  test("closes a client that several stores use with the last of them", async () => {
    const given = createClient({ url: server.url });
    const stores = [1, 2].map(() => redis(given as never).store);
    for (const store of stores) await store.set("key", "x", { ttlMs: LONG });
    await stores[0]!.close();
    expect(await stores[1]!.get("key")).toMatchObject({ value: "x" });
    await stores[1]!.close();
    expect(given.isOpen).toBe(false);
  });

  test("states that Redis does not respond if a client keeps its commands until then", async () => {
    const down = await RedisServer.start();
    onTestFinished(() => down.close());
    const { store } = redis(createClient({ url: down.url }) as never, { timeoutMs: 200 });
    await store.set("key", "x", { ttlMs: LONG });
    await down.kill();
    const reason = /^Redis (?:did not respond within 200 ms|is unreachable: it does not respond)$/;
    const attempts = Array.from({ length: 5 }, () => store.get("key").catch((error: Error) => error.message));
    for (const problem of await Promise.all(attempts)) expect(problem).toMatch(reason);
    await store.close();
  });

  test("keeps prefixes and databases separate", async () => {
    const stores = [redis(server.url), redis(server.url, { prefix: "mine:" }), redis(`${server.url}/1`)].map(
      ({ store }) => store,
    );
    const heard: number[] = [];
    for (const [index, store] of stores.entries()) {
      await store.subscribe(
        ["topic"],
        () => heard.push(index),
        () => {},
      );
      await store.set("one key", String(index), { ttlMs: LONG });
    }
    for (const [index, store] of stores.entries())
      expect((await store.get("one key"))?.value).toBe(String(index));
    for (const store of stores) await store.publish("topic", "x");
    await expect.poll(() => heard.length).toBe(3);
    expect(heard).toEqual([0, 1, 2]);
    await Promise.all(stores.map((store) => store.close()));
  });
});

const openssl = (() => {
  try {
    execFileSync("openssl", ["version"], { stdio: "ignore" });
    return undefined;
  } catch {
    return "`openssl` is not on the PATH, so that there is no certificate.";
  }
})();

test.skipIf(missing ?? openssl)(`a rediss:// address uses TLS, and verifies certificates`, async () => {
  const folder = mkdtempSync(join(tmpdir(), "tenon-tls-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const args = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost`;
  await promisify(execFile)("openssl", [
    ...args.split(" "),
    ...["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out", cert],
  ]);
  const tlsPort = 20_000 + Math.floor(Math.random() * 10_000);
  const server = await RedisServer.start(
    ...["--tls-port", String(tlsPort), "--tls-cert-file", cert, "--tls-key-file", key],
    ...["--tls-ca-cert-file", cert, "--tls-auth-clients", "no"],
  );
  onTestFinished(() => server.close());
  const url = `rediss://127.0.0.1:${tlsPort}`;
  const { store } = redis(url, { client: { socket: { tls: true, ca: readFileSync(cert) } } });
  const heard: string[] = [];
  await store.subscribe(
    ["topic"],
    (message) => heard.push(message),
    () => {},
  );
  await store.publish("topic", "over TLS");
  await expect.poll(() => heard).toEqual(["over TLS"]);
  await store.close();
  const { store: untrusting } = redis(url);
  await expect(untrusting.get("key")).rejects.toThrow(/^Redis is unreachable: .*self-signed certificate/);
  await untrusting.close();
});
