/**
 * Built servers that find Redis only through the environment.
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
  import { sharedStore, memoryStore } from "@tenon/runtime/store";
  export default defineServer({ store: sharedStore(memoryStore()) });
`;

const packageJson = (dependencies: object): string =>
  JSON.stringify({ name: "sample", version: "1.2.3", type: "module", dependencies });

const WITH_CLIENT = { "package.json": packageJson({ "@redis/client": "^6.3.0" }), "src/echo.ts": ECHO };

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

  /** Returns the output of a server until it listens. */
  async function start(files: Record<string, string>, url: string): Promise<string> {
    built = await buildServer(files);
    child = spawn(process.execPath, [built.program, "--http", "--port", "0"], {
      env: { ...process.env, TENON_REDIS_URL: url },
    });
    let output = "";
    for await (const chunk of child.stderr as AsyncIterable<Buffer>) {
      output += chunk.toString();
      if (/listens on|cannot start/.test(output)) break;
    }
    return output;
  }

  const replicas = () => redis.command("KEYS", "tenon:sample:replica:*");

  it("names the store of a server that depends on @redis/client and configures none", async () => {
    const output = await start(WITH_CLIENT, redis.url);
    expect(output).not.toContain("TENON_REDIS_URL");
    await expect.poll(replicas).not.toBe("");
    child?.kill("SIGTERM");
    await once(child!, "exit");
    expect(await replicas()).toBe("");
  });

  it("is ignored if a configuration names a store", async () => {
    const output = await start({ ...WITH_CLIENT, "src/server.ts": CONFIGURED }, redis.url);
    expect(output).not.toContain("TENON_REDIS_URL");
    expect(await replicas()).toBe("");
  });

  it("is reported if the client is not installed", async () => {
    const output = await start({ "src/echo.ts": ECHO }, redis.url);
    expect(output).toContain(
      "TENON_REDIS_URL is set, but this server stores everything in its own process. Run `npm install @redis/client` " +
        "and build it again, or set `store: redis()` from @tenon/runtime/redis in src/server.ts.",
    );
    expect(await replicas()).toBe("");
  });

  it("is rejected at startup if it is not a URL, without being printed", async () => {
    const output = await start(WITH_CLIENT, "http://ada:secret@localhost");
    expect(output).toContain("redis: the URL of Redis must begin with redis:// or rediss://.");
    expect(output).not.toContain("secret");
  });

  it("causes the client to be loaded only if it is set", async () => {
    await start(WITH_CLIENT, "");
    // The Redis client is in its own file.
    expect(
      readdirSync(join(built!.root, "dist")).filter((file) => file.endsWith(".js")).length,
    ).toBeGreaterThan(3);
    expect(await replicas()).toBe("");
  });
});
