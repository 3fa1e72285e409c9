import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeCounts, summarize } from "./run-folder.mjs";
import { RUN_VARIABLE } from "./summary.mjs";

let run: string | undefined;

export function setup(): void {
  run = mkdtempSync(join(tmpdir(), "tenon-wire-"));
  process.env[RUN_VARIABLE] = run;
}

export function teardown(): void {
  if (run === undefined) return;
  const { counts, late } = summarize(run);
  rmSync(run, { recursive: true });
  process.stdout.write(`\n${describeCounts(counts)}\n`);
  if (late.length === 0) return;
  process.stdout.write(`\nThe server sent invalid messages.\n\n${late.join("\n\n")}\n`);
  // An error thrown here would be printed without failing the run.
  process.exitCode = 1;
}
