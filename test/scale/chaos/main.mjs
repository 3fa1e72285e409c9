/**
 * `npm run chaos`: kills processes at random moments, under load, and takes Redis or its data away. Fails if a client
 * loses a result, sees an effect twice, or receives neither a result nor an error.
 * @module
 */
import { parseArgs } from "node:util";
import { missingRedis } from "../../support/redis-server.mjs";
import { buildFixture } from "../fixture/build.mjs";
import { runChaos } from "./chaos.mjs";
import { runStoreFault, runStoreFaults, STORE_FAULTS } from "./store-faults.mjs";
import { describeStoreFault, summarize } from "./summary.mjs";

/** @import { StoreFault, StoreFaultResult } from "./store-faults.mjs" */

const USAGE = `Usage: npm run chaos -- [options]

  --minutes <number>  time for which processes are killed (default 10)
  --seed <number>     seed of all random choices (default: a new one, which is printed)
  --clients <number>  number of concurrent clients (default 12)
  --only <part>       run one part only: kills or store (default: both)
  -h, --help          print this help

Three processes of one server run behind a proxy on a separate Redis (redis-server must be on the PATH).

kills: processes are killed at random moments and started again. The same seed results in the same work and the same
kills, but not at the same moments of a call.

store: Redis is unreachable for 1 to 15 seconds, is emptied, restarts without its data, or evicts everything, while
calls, tasks, streams and subscriptions are open. Outages shorter than 10 seconds may break none of them; otherwise
each client has a result or an error in time.

A lost result, an effect that happens twice, or a client that receives nothing fails the run. If TENON_TEST_RETRIES is set,
a fault of Redis that breaks a time limit is repeated alone first, because a busy machine may delay everything.
`;

/** @param {string} text */
function say(text) {
  process.stdout.write(`${text}\n`);
}

/** @param {string | undefined} text @param {number} otherwise @param {string} name */
function positive(text, otherwise, name) {
  const value = text === undefined ? otherwise : Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new Error(`--${name} must be a number above 0.`);
  return value;
}

const { values } = parseArgs({
  options: {
    minutes: { type: "string" },
    seed: { type: "string" },
    clients: { type: "string" },
    only: { type: "string" },
    help: { type: "boolean", short: "h", default: false },
  },
});

async function main() {
  const missing = missingRedis();
  if (missing !== undefined) throw new Error(missing);
  const minutes = positive(values.minutes, 10, "minutes");
  const seed = Math.floor(positive(values.seed, 1 + Math.random() * 2 ** 31, "seed"));
  const lanes = Math.ceil(positive(values.clients, 12, "clients"));
  const { only } = values;
  if (only !== undefined && only !== "kills" && only !== "store")
    throw new Error("--only must be `kills` or `store`.");
  const { program, remove } = await buildFixture();
  try {
    if (only !== "store") {
      say(`--seed ${seed} --minutes ${minutes} --clients ${lanes}`);
      const found = await runChaos({ program, seed, milliseconds: minutes * 60_000, lanes, say });
      say(`\n${summarize(found)}\n`);
      if (found.outcomes.faults > 0) process.exitCode = 1;
    }
    if (only !== "kills") {
      /** @type {StoreFault[]} */
      const late = [];
      await runStoreFaults(program, STORE_FAULTS, (result) => {
        say(describeStoreFault(result));
        if (result.doubled.length > 0) process.exitCode = 1;
        else if (result.problems.length > 0) late.push(result.fault);
      });
      if (process.env["TENON_TEST_RETRIES"] === undefined && late.length > 0) process.exitCode = 1;
      else for (const fault of late) repeat(await runStoreFault(program, fault));
    }
  } finally {
    remove();
  }
}

/** @param {StoreFaultResult} result */
function repeat(result) {
  say(`Repeated alone: ${describeStoreFault(result)}`);
  if (result.problems.length > 0) process.exitCode = 1;
}

if (values.help) say(USAGE);
else await main();
