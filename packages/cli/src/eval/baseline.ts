import { existsSync } from "node:fs";
import { join } from "node:path";
import { writeFileTree } from "@tenon/compiler";
import { readJsonFile } from "../files/json-file.js";
import { Failure } from "../terminal/failure.js";
import type { CaseResult } from "./run-cases.js";
import type { Totals } from "./score.js";

/** The file with the committed results. */
export const BASELINE_FILE = "tenon.evals.json";

/** The version of the format, raised when older files could be misread. */
const BASELINE_VERSION = 1;

/** The number of correct responses to one prompt, and of all runs. */
export interface CaseCount {
  readonly right: number;
  readonly runs: number;
}

/** The results of one model. */
export interface ModelBaseline extends Totals {
  /** By prompt. */
  readonly cases: Readonly<Record<string, CaseCount>>;
}

/** The contents of the file. */
export interface Baseline {
  readonly evalsVersion: typeof BASELINE_VERSION;
  /** By the name of the model. */
  readonly models: Readonly<Record<string, ModelBaseline>>;
}

const HINT = `Restore it from version control, or remove it and run \`tenon eval --update\`.`;

/**
 * Reads the committed results of a project, or returns undefined if there are none.
 *
 * @throws Failure if the file is damaged
 */
export function readBaseline(root: string): Baseline | undefined {
  const file = join(root, BASELINE_FILE);
  if (!existsSync(file)) return undefined;
  let value: Partial<Baseline>;
  try {
    value = Object(readJsonFile(file)) as Partial<Baseline>;
  } catch (cause) {
    throw new Failure(`${BASELINE_FILE} cannot be read: ${(cause as Error).message}.`, { hint: HINT, cause });
  }
  if (value.evalsVersion !== BASELINE_VERSION)
    throw new Failure(`${BASELINE_FILE} is from another version of Tenon.`, { hint: HINT });
  const damaged = Object.entries(Object(value.models) as Baseline["models"]).find(
    ([, results]) => !(Object(results) as ModelBaseline).cases,
  );
  if (!value.models || damaged)
    throw new Failure(`${BASELINE_FILE} has no results${damaged ? ` for \`${damaged[0]}\`` : ""}.`, {
      hint: HINT,
    });
  return value as Baseline;
}

/** Returns the results of a run in the format of the file. */
export function toModelBaseline(results: readonly CaseResult[], totals: Totals): ModelBaseline {
  const cases = results.map(
    ({ case: { prompt }, verdicts }) =>
      [prompt, { right: verdicts.filter(({ isRight }) => isRight).length, runs: verdicts.length }] as const,
  );
  return { ...totals, cases: Object.fromEntries(cases) };
}

/** Writes the results of a model into the project folder, next to those of other models. */
export function writeBaseline(root: string, model: string, results: ModelBaseline): void {
  const models = { ...readBaseline(root)?.models, [model]: results };
  const sorted = Object.fromEntries(Object.entries(models).sort(([a], [b]) => (a < b ? -1 : 1)));
  const baseline: Baseline = { evalsVersion: BASELINE_VERSION, models: sorted };
  writeFileTree(new Map([[BASELINE_FILE, `${JSON.stringify(baseline, null, 2)}\n`]]), root);
}
