/** Starts Redis, three replicas of the built server, and a proxy that distributes requests to them in turn. */
import { startCluster } from "./local/cluster.mjs";
import { startRedis } from "./local/redis.mjs";

const REDIS_PORT = 6390;

const redis = process.env["TENON_REDIS_URL"] ?? (await startOwnRedis());
const cluster = await startCluster({
  redis,
  port: 3000,
  onLog: (number, line) => console.error(`replica ${number}  ${readMessage(line)}`),
});
console.error(`\nConnect to ${cluster.url}, or run the demo: npm run flow\n`);

let isStopping = false;
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    if (isStopping) process.exit(1);
    isStopping = true;
    void cluster.stop().then(() => process.exit(0));
  });
}

async function startOwnRedis() {
  try {
    const { url } = await startRedis(REDIS_PORT);
    console.error(`redis      listens on ${url}`);
    return url;
  } catch (error) {
    console.error(`redis-server cannot be started (${/** @type {Error} */ (error).message}).`);
    console.error("Install it (on Debian: apt-get install redis-server), or set TENON_REDIS_URL.");
    process.exit(1);
  }
}

/**
 * Returns the message in a line of the text log.
 *
 * @param {string} line
 */
function readMessage(line) {
  return line.startsWith("{") ? JSON.parse(line).msg : line;
}
