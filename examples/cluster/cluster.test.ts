/** Runs `npm run flow` and checks its output. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { missingRedis, RedisServer } from "../../test/support/redis-server.mjs";
import { FOREIGN } from "../../test/wire/recorder.mjs";
import { startCluster } from "./local/cluster.mjs";

const missing = missingRedis();

describe.skipIf(missing !== undefined)(
  `the cluster${missing === undefined ? "" : ` (skipped: ${missing})`}`,
  () => {
    test("loses no call and sells no seat twice, whichever replica serves or is killed", async () => {
      const redis = await RedisServer.start();
      const cluster = await startCluster({ redis: redis.url });
      Object.assign(cluster.proxy, { [FOREIGN]: true });
      const { code, output } = await runFlow(cluster.url);
      await cluster.stop();
      await redis.close();
      expect(output).toContain("→ Bob was notified: play://hamlet");
      expect(output.match(/kill -9/g)).toHaveLength(2);
      expect(output).toContain("→ The tickets of a booking are printed.");
      expect(output).toMatch(/→ Too many calls to tool "book": 10 in a minute are allowed/);
      expect(output).toContain("→ 120 - 2 - 3 - 1 = 114");
      // The calls of a session go to all replicas.
      const replicas = output.matchAll(/Ada  200 replica (\d) {2}tools\/call seats/g);
      expect(new Set(Array.from(replicas, ([, number]) => number)).size).toBe(3);
      expect(code).toBe(0);
    });
  },
);

async function runFlow(url: string): Promise<{ code: number | null; output: string }> {
  // The test records the server's messages, not the client's.
  const env = { ...process.env, NODE_OPTIONS: "", CLUSTER_URL: url };
  const child = spawn(process.execPath, [join(import.meta.dirname, "client/main.mjs")], { env });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (text: Buffer) => (output += String(text)));
  const code = await new Promise<number | null>((resolve) => {
    child.once("close", resolve);
  });
  return { code, output };
}
