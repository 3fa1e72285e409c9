import { estimateTokens } from "@tenon/compiler";
import { parsePrincipal } from "../project/caller.js";
import { findProjectRoot } from "../project/project-root.js";
import { formatHint } from "../terminal/error-lines.js";
import { Failure } from "../terminal/failure.js";
import { handleInterruptions } from "../terminal/interruption.js";
import { createStatusLine } from "../terminal/status-line.js";
import type { Terminal } from "../terminal/terminal.js";
import { formatCount, formatList } from "../terminal/text-format.js";
import type { EvalThresholds } from "../testing/define-evals.js";
import {
  BASELINE_FILE,
  readBaseline,
  toModelBaseline,
  writeBaseline,
  type ModelBaseline,
} from "./baseline.js";
import type { CheckedCase } from "./cases.js";
import { findEvalFiles } from "./eval-files.js";
import { askModel } from "./model/ask-model.js";
import type { ApiName } from "./model/api-names.js";
import { findEndpoint, listVariables, type Endpoint } from "./model/endpoint.js";
import { OPENAI } from "./model/openai.js";
import { openEvals, type OpenedEvals } from "./open-evals.js";
import { formatNames, formatNumber, formatReport, type EvalReport, type Shortfall } from "./report.js";
import { runCases, type EvalResults } from "./run-cases.js";
import { scoreResults, type Totals } from "./score.js";

/** The options of `tenon eval`. */
export interface EvalOptions {
  model?: string;
  api?: ApiName;
  /** The number of requests for each prompt. */
  runs: number;
  concurrency: number;
  /** Maximum duration of a request, in seconds. */
  timeout: number;
  /** Thresholds that replace those of the files. */
  threshold?: Partial<EvalThresholds>;
  /** The caller for whom the server lists its tools. */
  as?: string;
  /** Whether to write the results to the project folder. */
  update?: boolean;
  /** Whether to print the requests instead of sending them. */
  dryRun?: boolean;
  json?: boolean;
}

/**
 * Runs `tenon eval [files...]`: sends the prompts to a model with the tools of the project in the current folder.
 *
 * @returns 1 if the project has errors, a metric is below its threshold, or a request has no response; 130 after Ctrl-C
 */
export async function evaluate(
  terminal: Terminal,
  named: readonly string[],
  options: EvalOptions,
  env: NodeJS.ProcessEnv = process.env,
): Promise<number> {
  if (options.update === true && named.length > 0)
    throw new Failure("--update stores the results of all files.", {
      hint: "Run it without file names.",
      exitCode: 2,
    });
  const root = findProjectRoot(".", terminal.cwd);
  const endpoint = findEndpoint(env, options.model, options.api);
  const files = findEvalFiles(root, named, terminal.cwd);
  const baseline = readBaseline(root);
  const principal = options.as === undefined ? undefined : parsePrincipal(options.as);
  const opened = await openEvals(terminal, root, files, principal);
  if (!opened) return 1;
  if (!endpoint || options.dryRun === true) return printPlan(terminal, opened, endpoint, options);
  const { model } = options;
  if (model === undefined)
    throw new Failure("No model was named.", {
      hint: `Name a model of ${endpoint.shownUrl}: \`tenon eval --model NAME\`.`,
      exitCode: 2,
    });

  const earlier = selectBaseline(baseline?.models[model], named);
  if (isExposed(endpoint))
    terminal.err.write(
      formatHint(`${endpoint.url.host} receives the key without encryption. Use https.`, terminal.err),
    );
  const interruption = handleInterruptions();
  let results: EvalResults;
  try {
    results = await run(terminal, opened, endpoint, { ...options, model }, interruption.signal);
  } catch (error) {
    if (!interruption.signal.aborted) throw error;
    terminal.err.write("Cancelled. No results were written.\n");
    return interruption.exitCode;
  } finally {
    interruption.release();
  }
  if (results.results.every(({ verdicts }) => verdicts.length === 0))
    throw new Failure(`No request had a response. ${results.results[0]?.failures[0] ?? ""}`);
  const scores = scoreResults(results.results);
  const thresholds = { ...opened.thresholds, ...options.threshold };
  const shortfalls = findShortfalls(scores.totals, thresholds);
  const report: EvalReport = { ...scores, ...results, baseline: earlier, shortfalls };
  const { out, err } = terminal;
  if (options.json) out.write(`${JSON.stringify(toJson(model, report), null, 2)}\n`);
  else out.write(formatReport(report, out));
  const unused = Object.keys(thresholds).filter((name) => scores.totals[name as keyof Totals] === undefined);
  if (unused.length > 0)
    err.write(
      formatHint(`No response counts toward ${formatList(unused)}: the threshold was not checked.`, err),
    );
  const failed = results.results.reduce((sum, { failures }) => sum + failures.length, 0);
  if (failed > 0)
    err.write(formatHint(`${formatCount(failed, "request")} had no response and did not count.`, err));
  if (options.update === true) {
    if (failed > 0)
      throw new Failure(`${BASELINE_FILE} was not written, since some requests had no response.`);
    writeBaseline(root, model, toModelBaseline(results.results, scores.totals));
    err.write(`${err.paint.green("✓")} Wrote ${BASELINE_FILE}\n`);
  } else if (!earlier && failed === 0 && named.length === 0)
    err.write(
      formatHint(
        `Store these results to compare later ones with them: add --update and commit ${BASELINE_FILE}.`,
        err,
      ),
    );
  return failed > 0 || shortfalls.length > 0 ? 1 : 0;
}

async function run(
  { err }: Terminal,
  { cases, tools, instructions }: OpenedEvals,
  endpoint: Endpoint,
  { model, runs, concurrency, timeout }: EvalOptions & { model: string },
  signal: AbortSignal,
): Promise<EvalResults> {
  const status = createStatusLine(err);
  const requests = formatCount(cases.length * runs, "request");
  status.show(`Sending ${requests} to ${model}`);
  try {
    return await runCases(cases, tools, {
      runs,
      concurrency,
      signal,
      ask: (prompt, cancelled) =>
        askModel(
          endpoint,
          { prompt, tools, instructions },
          { model, timeoutMs: timeout * 1000, signal: cancelled },
        ),
      onProgress: (done) => status.show(`${done} of ${requests} to ${model}`),
    });
  } finally {
    status.clear();
  }
}

/** Returns the committed results, without totals if only some files run, because the committed totals include all files. */
function selectBaseline(
  committed: ModelBaseline | undefined,
  named: readonly string[],
): ModelBaseline | undefined {
  return committed && named.length > 0 ? { cases: committed.cases } : committed;
}

/** Returns whether a key leaves this machine without encryption. */
function isExposed({ key, url }: Endpoint): boolean {
  const isLoopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/i.test(url.hostname);
  return key !== undefined && url.protocol === "http:" && !isLoopback;
}

function findShortfalls(totals: Totals, thresholds: EvalThresholds): Shortfall[] {
  return (Object.entries(thresholds) as [keyof Totals, number][]).flatMap(([name, threshold]) => {
    const value = totals[name];
    return value === undefined || value >= threshold ? [] : { name, value, threshold };
  });
}

/** Prints what a run would send. */
function printPlan(
  { out, err }: Terminal,
  { cases, tools, instructions }: OpenedEvals,
  endpoint: Endpoint | undefined,
  { runs, model = "MODEL", api, json }: EvalOptions,
): number {
  const { dialect = OPENAI } = endpoint ?? {};
  const bytes = cases.reduce(
    (sum, { prompt }) =>
      sum + Buffer.byteLength(JSON.stringify(dialect.createBody(model, { prompt, tools, instructions }))),
    0,
  );
  const requests = cases.length * runs;
  const tokens = estimateTokens(bytes * runs);
  if (json === true) {
    const planned = cases.map(({ prompt, tools: right = null, not }) => ({ prompt, tools: right, not }));
    const listed = tools.map(({ name }) => name);
    out.write(
      `${JSON.stringify({ requests, estimatedInputTokens: tokens, tools: listed, cases: planned }, null, 2)}\n`,
    );
  } else {
    const to = endpoint === undefined ? "" : ` to ${endpoint.shownUrl}`;
    out.write(
      `Would send ${formatCount(requests, "request")}${to}: ${formatCount(cases.length, "prompt")} × ${formatCount(runs, "run")}, ` +
        `each with ${formatCount(tools.length, "tool")}. About ${formatNumber(tokens)} tokens of input.\n\n`,
    );
    for (const each of cases)
      out.write(`  ${each.prompt}\n${out.paint.dim(`    ${describeExpectation(each)}`)}\n`);
  }
  if (!endpoint)
    err.write(formatHint(`Nothing was sent. Set ${listVariables(api)}, and name a --model.`, err));
  return 0;
}

function describeExpectation({ tools, not, arguments: args }: CheckedCase): string {
  const names = Object.keys(args).map((name) => `\`${name}\``);
  return [
    ...(tools === undefined
      ? []
      : [formatNames(tools) + (names.length > 0 ? ` with ${formatList(names)}` : "")]),
    ...(not.length > 0 ? [`not ${formatNames(not)}`] : []),
  ].join(", ");
}

/** Returns the results for `--json`. */
function toJson(
  model: string,
  { results, tools, confusions, totals, tokens, baseline, shortfalls }: EvalReport,
): object {
  return {
    model,
    totals,
    tokens,
    tools,
    confusions,
    cases: results.map(({ case: { prompt, file, tools: right = null, not }, verdicts, failures }) => ({
      prompt,
      file,
      tools: right,
      not,
      responses: verdicts,
      failures,
    })),
    shortfalls,
    ...(baseline && { baseline }),
  };
}
