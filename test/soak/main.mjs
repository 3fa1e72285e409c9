/**
 * `npm run soak`: a million calls, after which the memory of the servers has not grown.
 * @module
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { format } from "prettier";
import { createParts } from "./parts.mjs";
import { describePart, MAX_HEAP_GROWTH, MAX_RSS_GROWTH, resultsDocument, findTrend } from "./results.mjs";

/**
 * @import { Part } from "./parts.mjs"
 * @import { PartResult } from "./results.mjs"
 */

const USAGE = `Usage: npm run soak -- [options]

  --calls <number>   how many calls in all (default 1000000)
  -h, --help         show this text

A whole run writes test/soak/RESULTS.md. Memory that grows fails it.
`;

/** The interval at which the memory of each server is measured. */
const SAMPLES = 20;
const WHOLE = 1_000_000;

/** @param {string} text */
function say(text) {
  process.stdout.write(`${text}\n`);
}

/** @param {Part} part @param {number} calls @returns {Promise<PartResult>} */
async function soak({ name, start, load }, calls) {
  const server = start();
  const started = performance.now();
  const each = Math.ceil(calls / SAMPLES);
  const samples = [];
  try {
    for (let number = 0; number < SAMPLES; number++) {
      await load(server, each, number * each);
      samples.push(await server.held());
    }
  } finally {
    await server.stop();
  }
  const seconds = (performance.now() - started) / 1000;
  return { name, calls: each * SAMPLES, seconds, samples };
}

/** @param {string} folder @param {number} calls */
async function soakAll(folder, calls) {
  const results = [];
  for (const part of await createParts(folder)) {
    const result = await soak(part, calls * part.share);
    results.push(result);
    say(describePart(result));
    const { heap, rss } = findTrend(result.samples);
    if (heap > MAX_HEAP_GROWTH || rss > MAX_RSS_GROWTH) {
      say(`FAILED: it holds more and more: ${JSON.stringify(result.samples, null, 1)}`);
      process.exitCode = 1;
    }
  }
  if (calls < WHOLE || process.exitCode === 1) return;
  const text = await format(resultsDocument(results, new Date()), { parser: "markdown", printWidth: 110 });
  writeFileSync(join(import.meta.dirname, "RESULTS.md"), text);
  say("Written to test/soak/RESULTS.md.");
}

const { values } = parseArgs({
  options: {
    calls: { type: "string", default: String(WHOLE) },
    help: { type: "boolean", short: "h", default: false },
  },
});
if (values.help) {
  say(USAGE);
} else {
  const folder = mkdtempSync(join(tmpdir(), "tenon-soak-"));
  try {
    await soakAll(folder, Number(values.calls));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
