/**
 * `npm run chaos`: kills processes at random moments, under load, and looks whether anybody has lost anything.
 * @module
 */
import { parseArgs } from "node:util";
import { missingRedis } from "../../support/redis-server.mjs";
import { buildFixture } from "../fixture/build.mjs";
import { runChaos } from "./chaos.mjs";
import { summarize } from "./summary.mjs";

const USAGE = `Usage: npm run chaos -- [options]

  --minutes <number>  how long processes are killed (default 10)
  --seed <number>     where all that is random comes from (default: another each time, and printed)
  --clients <number>  how many clients are at work together (default 12)
  -h, --help          show this text

Three processes of one server stand behind a proxy on a separate Redis (redis-server must be on the PATH). The same
seed gives the same work and the same kills; which moment they hit is up to the machine. A lost result, a doubled effect
or a client that is stuck fails the run.
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
    help: { type: "boolean", short: "h", default: false },
  },
});

async function main() {
  const missing = missingRedis();
  if (missing !== undefined) throw new Error(missing);
  const minutes = positive(values.minutes, 10, "minutes");
  const seed = Math.floor(positive(values.seed, 1 + Math.random() * 2 ** 31, "seed"));
  const lanes = Math.ceil(positive(values.clients, 12, "clients"));
  say(`--seed ${seed} --minutes ${minutes} --clients ${lanes}`);
  const { program, remove } = await buildFixture();
  try {
    const found = await runChaos({ program, seed, milliseconds: minutes * 60_000, lanes, say });
    say(`\n${summarize(found)}`);
    if (found.outcomes.faults > 0) process.exitCode = 1;
  } finally {
    remove();
  }
}

if (values.help) say(USAGE);
else await main();
