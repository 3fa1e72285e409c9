/**
 * Built servers that the environment alone tells of a Redis.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { buildServer, type BuiltServer } from "../support/built-server.js";
import { missingRedis, RedisServer } from "../support/redis-server.mjs";

const ECHO = `
  import { Tool } from "@tenon/runtime";
  export class Echo {
    @Tool() say(text: string): string { return text; }
  }
`;

const CONFIGURED = `
  import { defineServer } from "@tenon/runtime";
  import { shared, memoryStore } from "@tenon/runtime/store";
  export default defineServer({ store: shared(memoryStore()) });
`;

const described = (dependencies: object): string =>
  JSON.stringify({ name: "sample", version: "1.2.3", type: "module", dependencies });

const WITH_CLIENT = { "package.json": described({ "@redis/client": "^6.3.0" }), "src/echo.ts": ECHO };

const missing = missingRedis();

describe.skipIf(missing !== undefined)(`TENON_REDIS_URL${missing ? ` (skipped: ${missing})` : ""}`, () => {
  let redis: RedisServer;
  let built: BuiltServer | undefined;
  let child: ChildProcess | undefined;
  beforeAll(async () => {
    redis = await RedisServer.start();
  });
  afterAll(() => redis.close());
  afterEach(async () => {
    child?.kill("SIGKILL");
    built?.remove();
    await redis.command("FLUSHALL");
  });

  /** What a server says until it listens. */
  async function start(files: Record<string, string>, url: string): Promise<string> {
    built = await buildServer(files);
    child = spawn(process.execPath, [built.program, "--http", "--port", "0"], {
      env: { ...process.env, TENON_REDIS_URL: url },
    });
    let said = "";
    for await (const chunk of child.stderr as AsyncIterable<Buffer>) {
      said += chunk.toString();
      if (/listens on|cannot start/.test(said)) break;
    }
    return said;
  }

  const replicas = () => redis.command("KEYS", "tenon:sample:replica:*");

  it("is where a server shares things that depends on @redis/client and names no store", async () => {
    const said = await start(WITH_CLIENT, redis.url);
    expect(said).not.toContain("TENON_REDIS_URL");
    await expect.poll(replicas).not.toBe("");
    child?.kill("SIGTERM");
    await once(child!, "exit");
    expect(await replicas()).toBe("");
  });

  it("does not matter where a configuration names a store", async () => {
    const said = await start({ ...WITH_CLIENT, "src/server.ts": CONFIGURED }, redis.url);
    expect(said).not.toContain("TENON_REDIS_URL");
    expect(await replicas()).toBe("");
  });

  it("is not passed over in silence where the client is missing", async () => {
    const said = await start({ "src/echo.ts": ECHO }, redis.url);
    expect(said).toContain(
      "TENON_REDIS_URL is set, but this server keeps everything in its own process. Run `npm install @redis/client` " +
        "and build it again, or name the store in src/server.ts: `store: redis()` of @tenon/runtime/redis.",
    );
    expect(await replicas()).toBe("");
  });

  it("keeps a server from starting where it is no URL, without saying what it is", async () => {
    const said = await start(WITH_CLIENT, "http://ada:secret@localhost");
    expect(said).toContain("redis: the URL of Redis must begin with redis:// or rediss://.");
    expect(said).not.toContain("secret");
  });

  it("is loaded by nobody where it is not set", async () => {
    await start(WITH_CLIENT, "");
    // The client of Redis is in a file of its own.
    expect(
      readdirSync(join(built!.root, "dist")).filter((file) => file.endsWith(".js")).length,
    ).toBeGreaterThan(3);
    expect(await replicas()).toBe("");
  });
});
