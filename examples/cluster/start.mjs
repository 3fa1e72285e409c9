/** Starts Redis, three replicas of the built server, and a proxy that deals requests out to them in turn. */
import { startCluster } from "./local/cluster.mjs";
import { startRedis } from "./local/redis.mjs";

const REDIS_PORT = 6390;

const redis = process.env["TENON_REDIS_URL"] ?? (await ownRedis());
const cluster = await startCluster({
  redis,
  port: 3000,
  onLog: (number, line) => console.error(`replica ${number}  ${messageOf(line)}`),
});
console.error(`\nConnect to ${cluster.url}, or see what happens there: npm run flow\n`);

let isStopping = false;
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    if (isStopping) process.exit(1);
    isStopping = true;
    void cluster.stop().then(() => process.exit(0));
  });
}

async function ownRedis() {
  try {
    const { url } = await startRedis(REDIS_PORT);
    console.error(`redis      listens on ${url}`);
    return url;
  } catch (error) {
    console.error(`redis-server cannot be started (${/** @type {Error} */ (error).message}).`);
    console.error(
      "Install it (on Debian: apt-get install redis-server), or say in TENON_REDIS_URL where one is.",
    );
    process.exit(1);
  }
}

/** What is in a line of the log for people. @param {string} line */
function messageOf(line) {
  return line.startsWith("{") ? JSON.parse(line).msg : line;
}
