import { parseArgs } from "node:util";

/** The parts of a run, in their order. */
export const PARTS = /** @type {const} */ ([
  "cold",
  "stdio",
  "http",
  "size",
  "tools",
  "sessions",
  "subscribers",
  "scale",
  "auth",
  "protections",
  "workers",
  "field",
  "compile",
  "commands",
  "dev",
  "answers",
]);

/** @typedef {(typeof PARTS)[number]} Part */

/**
 * @typedef {object} Options
 * @property {boolean} quick
 * @property {Set<Part>} parts
 * @property {boolean} stored full rounds; only such results are stored
 * @property {number} rounds
 * @property {number} coldRounds
 * @property {number} compileRounds
 * @property {readonly number[]} coldExtras
 * @property {readonly number[]} curveExtras
 * @property {import("./measures/stdio.mjs").StdioLoad} stdioLoad
 * @property {number} httpMilliseconds
 * @property {number} fieldMilliseconds
 * @property {readonly number[]} sessionPoints
 * @property {readonly number[]} subscriberPoints
 * @property {number} scaleRounds
 * @property {readonly number[]} sharedSessionPoints
 * @property {readonly number[]} sharedSubscriberPoints
 * @property {number} protectionCalls
 * @property {number} authRequests
 * @property {readonly number[]} compileTools
 * @property {number} devEdits
 */

export const USAGE = `Usage: npm run bench -- [options]

  --quick            fewer rounds and shorter loads, in about two minutes
  --only <parts>     these parts only: ${PARTS.join(", ")}
  --rounds <number>  number of rounds (default: 7)
  --profile          record CPU profiles of Tenon and raw instead
  -h, --help         show this text

A run with at least 7 rounds stores its results in test/bench/results/, one file per part. When all parts are stored, it
writes test/bench/RESULTS.md.
`;

/** @param {string[]} argv @returns {Options | "help" | "profile"} */
export function readOptions(argv) {
  const { values } = parseArgs({
    args: argv,
    options: {
      quick: { type: "boolean", default: false },
      only: { type: "string" },
      rounds: { type: "string" },
      profile: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return "help";
  if (values.profile) return "profile";
  const { quick } = values;
  const parts = new Set(values.only === undefined ? PARTS : values.only.split(",").map(toPart));
  const rounds = values.rounds === undefined ? (quick ? 3 : 7) : Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error("--rounds must be a positive whole number.");
  return {
    quick,
    parts,
    stored: !quick && rounds >= 7,
    rounds,
    // A start is short, and the noisiest measurement.
    coldRounds: quick ? 5 : 2 * rounds + 1,
    compileRounds: quick ? 1 : rounds,
    coldExtras: [0, 100, 997],
    curveExtras: quick ? [0, 100, 997] : [0, 50, 100, 250, 500, 997],
    stdioLoad: quick
      ? { addCalls: 6000, documentCalls: 300, sequentialCalls: 500 }
      : { addCalls: 40_000, documentCalls: 2000, sequentialCalls: 3000 },
    httpMilliseconds: quick ? 500 : 2000,
    fieldMilliseconds: quick ? 1500 : 4000,
    sessionPoints: quick ? [1000, 10_000] : [1000, 2500, 5000, 7500, 10_000, 12_000],
    subscriberPoints: quick ? [100, 1000] : [100, 1000, 2500, 5000, 10_000],
    // Fifteen groups of processes with a Redis each per round.
    scaleRounds: Math.min(rounds, 3),
    sharedSessionPoints: quick ? [1000, 5000] : [1000, 2500, 5000, 10_000],
    sharedSubscriberPoints: quick ? [100, 1000] : [100, 1000, 5000, 10_000],
    protectionCalls: quick ? 10_000 : 25_000,
    authRequests: quick ? 300 : 2000,
    compileTools: [1, 50, 500],
    devEdits: quick ? 2 : 7,
  };
}

/** @param {string} text @returns {Part} */
function toPart(text) {
  const part = PARTS.find((each) => each === text.trim());
  if (part === undefined) throw new Error(`Unknown part "${text}". Use one of ${PARTS.join(", ")}.`);
  return part;
}
