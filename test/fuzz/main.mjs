/**
 * `npm run fuzz`: sends a server hundreds of thousands of invalid messages, and checks its promises.
 * @module
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { everything, guarded } from "./drive/subjects.mjs";
import { playRound, listSurface } from "./run.mjs";
import { shrink } from "./shrink.mjs";

const USAGE = `Usage: npm run fuzz -- [options]

  --cases <number>   how many cases in all (default 300000)
  --seed <number>    where all cases come from (default: another each time, and printed)
  --way <way>        only stdio, or only http
  -h, --help         show this text

The same seed and number give the same cases. A find is made smaller and written to test/fuzz/cases.
`;

/** The number of cases for each server. */
const ROUND = 5000;

/** @param {string} text */
function say(text) {
  process.stdout.write(`${text}\n`);
}

/** @param {string | undefined} text @param {number} otherwise @param {string} name */
function wholeNumber(text, otherwise, name) {
  const value = text === undefined ? otherwise : Number(text);
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`--${name} must be a whole number.`);
  return value;
}

const { values } = parseArgs({
  options: {
    cases: { type: "string" },
    seed: { type: "string" },
    way: { type: "string" },
    help: { type: "boolean", short: "h", default: false },
  },
});

/** @param {string} folder */
async function fuzz(folder) {
  const seed = wholeNumber(values.seed, Math.floor(Math.random() * 2 ** 31), "seed");
  const cases = wholeNumber(values.cases, 300_000, "cases");
  const started = performance.now();
  say(`--seed ${seed} --cases ${cases}${values.way === undefined ? "" : ` --way ${values.way}`}`);
  const subjects = [everything(), await guarded(folder)];
  const plans = [];
  for (const subject of subjects) {
    const surface = await listSurface(subject);
    for (const way of /** @type {const} */ (["stdio", "http"])) {
      if (values.way === undefined || values.way === way) plans.push({ subject, surface, way });
    }
  }
  for (let first = 0, round = 0; first < cases; first += ROUND, round++) {
    const plan = /** @type {(typeof plans)[number]} */ (plans[round % plans.length]);
    const count = Math.min(ROUND, cases - first);
    // Each plan covers all revisions, and has its own numbers.
    const number = Math.floor(round / plans.length);
    const { find, growth } = await playRound({ ...plan, seed, first: number * ROUND, count, round: number });
    if (find !== undefined) {
      say(`\n${find.problem}\n\nMaking it smaller …`);
      const small = await shrink(find, plan.subject, plan.surface);
      const file = join(import.meta.dirname, "cases", `seed-${seed}-${first}.json`);
      writeFileSync(file, `${JSON.stringify({ subject: plan.subject.name, ...small }, null, 2)}\n`);
      say(`\n${small.problem}\n\nWritten to ${file}.`);
      process.exitCode = 1;
      return;
    }
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    const done = `${first + count} cases, ${seconds} s`;
    say(
      `${done}: ${plan.subject.name} over ${plan.way}, ${(growth / 1024).toFixed(0)} KiB more than when warm`,
    );
  }
  say("Nothing was found.");
}

if (values.help) {
  say(USAGE);
} else {
  const folder = mkdtempSync(join(tmpdir(), "tenon-fuzz-"));
  try {
    await fuzz(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
