import { spawn } from "node:child_process";
import { once } from "node:events";

/**
 * Starts a Redis server that stores everything in memory and ends with this process.
 *
 * @param {number} port
 * @returns {Promise<{ url: string, stop: () => void }>}
 * @throws Error if `redis-server` is not on the PATH
 */
export async function startRedis(port) {
  const args = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
  const child = spawn("redis-server", args, {
    stdio: ["ignore", "pipe", "inherit"],
    // Ctrl-C must not stop it, because the replicas need it while they shut down.
    detached: true,
  });
  child.stdout.setEncoding("utf8");
  for await (const [text] of readOutput(child)) {
    if (text.includes("Ready to accept connections")) break;
  }
  child.stdout.resume();
  const stop = () => void child.kill("SIGKILL");
  process.once("exit", stop);
  return { url: `redis://127.0.0.1:${port}`, stop };
}

/**
 * Yields the output of a process.
 *
 * @param {import("node:child_process").ChildProcess} child
 */
async function* readOutput(child) {
  const failed = Promise.race([
    once(child, "error").then(([error]) => {
      throw error;
    }),
    once(child, "exit").then(() => {
      throw new Error("redis-server has ended.");
    }),
  ]);
  failed.catch(() => {});
  const { stdout } = /** @type {{ stdout: import("node:stream").Readable }} */ (child);
  for (;;) yield /** @type {[string]} */ (await Promise.race([once(stdout, "data"), failed]));
}
