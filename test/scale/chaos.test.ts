/** A few seconds of `npm run chaos`. */
import { expect, test } from "vitest";
import { missingRedis } from "../support/redis-server.mjs";
import { runChaos } from "./chaos/chaos.mjs";
import { summarize } from "./chaos/summary.mjs";

const missing = missingRedis();
const SEED = Math.floor(Math.random() * 2 ** 31);

test("killing processes loses, duplicates, and blocks nothing", async ({ skip }) => {
  if (missing !== undefined) skip(missing);
  const program = process.env["SCALE_PROGRAM"] ?? "";
  const found = await runChaos({ program, seed: SEED, milliseconds: 12_000, lanes: 6 });
  const { lost, doubled, stuck } = found.outcomes;
  const summary = `npm run chaos -- --seed ${SEED}\n${summarize(found)}`;
  expect({ lost, doubled, stuck }, summary).toEqual({ lost: [], doubled: [], stuck: 0 });
  // A run in which nothing happened proves nothing.
  expect(found.effects, summary).toBeGreaterThan(0);
  expect(found.updates, summary).toBeGreaterThan(0);
});

/** The check must find the problems of processes that share nothing. */
test("a chaos run detects what processes without a store lose", async ({ skip }) => {
  if (missing !== undefined) skip(missing);
  const program = process.env["SCALE_PROGRAM"] ?? "";
  const given = { program, seed: SEED, lanes: 6, isShared: false, stuckMs: 4000 };
  const { outcomes } = await runChaos({ ...given, milliseconds: 4000 });
  expect(outcomes.faults).toBeGreaterThan(0);
});
