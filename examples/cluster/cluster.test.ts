/** What `npm run flow` shows. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { missingRedis, RedisServer } from "../../test/support/redis-server.mjs";
import { FOREIGN } from "../../test/wire/recorder.mjs";
import { startCluster } from "./local/cluster.mjs";

const missing = missingRedis();

describe.skipIf(missing !== undefined)(
  `cluster${missing === undefined ? "" : ` (skipped: ${missing})`}`,
  () => {
    test("loses nothing and sells nothing twice, whichever replica serves and whichever is killed", async () => {
      const redis = await RedisServer.start();
      const cluster = await startCluster({ redis: redis.url });
      Object.assign(cluster.proxy, { [FOREIGN]: true });
      const { code, said } = await runFlow(cluster.url);
      await cluster.stop();
      await redis.close();
      expect(said).toContain("→ Bob heard: play://hamlet");
      expect(said.match(/kill -9/g)).toHaveLength(2);
      expect(said).toContain("→ The tickets of a booking are printed.");
      expect(said).toMatch(/→ Too many calls of tool "book": 10 in a minute are allowed/);
      expect(said).toContain("→ 120 - 2 - 3 - 1 = 114");
      // A session's calls go to all of them.
      const replicas = said.matchAll(/Ada  200 replica (\d) {2}tools\/call seats/g);
      expect(new Set(Array.from(replicas, ([, number]) => number)).size).toBe(3);
      expect(code).toBe(0);
    });
  },
);

async function runFlow(url: string): Promise<{ code: number | null; said: string }> {
  // What serves is tapped, and not the client.
  const env = { ...process.env, NODE_OPTIONS: "", URL_OF_CLUSTER: url };
  const child = spawn(process.execPath, [join(import.meta.dirname, "client/main.mjs")], { env });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (text: Buffer) => (said += String(text)));
  const code = await new Promise<number | null>((resolve) => {
    child.once("close", resolve);
  });
  return { code, said };
}
