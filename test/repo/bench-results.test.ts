/**
 * The results of `npm run bench`, which are stored by part.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { getRunFacts } from "../bench/report/runs.mjs";
import { readParts, storePart, type StoredPart } from "../bench/stored-results.mjs";

function createPart(date: string, measured: StoredPart["measured"] = {}): StoredPart {
  const run = { date, rounds: 7, machine: ["2 × a processor", "Node 20"], versions: {} };
  return { run, minutes: 3, load: [0.5, 1.25], measured };
}

test("results are read as they were stored, with maps, and without missing measurements", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tenon-results-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const workers = new Map([
    ["add", new Map([[0, { perSecond: 40_000, cpu: 20, firstCpu: Number.NaN, reach: 1 }]])],
  ]);
  const part = createPart("2026-11-26T09:30:00.000Z", { workers } as unknown as StoredPart["measured"]);
  await storePart(folder, "workers", part);
  const stored = readParts(folder);
  expect([...stored.keys()]).toEqual(["workers"]);
  const expected = new Map([["add", new Map([[0, { perSecond: 40_000, cpu: 20, reach: 1 }]])]]);
  expect(stored.get("workers")).toEqual({ ...part, measured: { workers: expected } });
});

test("the page of results lists the parts of a run that was made in several parts", () => {
  const [first, second] = [createPart("2026-11-26T09:30:00.000Z"), createPart("2026-11-28T08:00:00.000Z")];
  const machine = ["2 × a processor", "Node 20"];
  expect(
    getRunFacts(
      new Map([
        ["cold", first],
        ["http", first],
      ]),
    ),
  ).toEqual([
    "Written by `npm run bench` on 2026-11-26: medians of 7 interleaved rounds, 6 minutes, load average before 0.50, after 1.25",
    ...machine,
  ]);
  expect(
    getRunFacts(
      new Map([
        ["cold", first],
        ["http", second],
        ["field", first],
      ]),
    ),
  ).toEqual([
    "Written by `npm run bench` on 2026-11-26 (cold, field): medians of 7 interleaved rounds, 6 minutes, load average before 0.50, after 1.25",
    "Written by `npm run bench` on 2026-11-28 (http): medians of 7 interleaved rounds, 3 minutes, load average before 0.50, after 1.25",
    ...machine,
  ]);
});
