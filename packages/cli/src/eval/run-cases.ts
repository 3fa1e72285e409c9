import type { Tool } from "@tenon/runtime/manifest";
import type { CheckedCase } from "./cases.js";
import { judge, type Verdict } from "./judge.js";
import { UnansweredError } from "./model/ask-model.js";
import type { ModelAnswer, TokenUsage } from "./model/question.js";

/** The responses to one prompt. */
export interface CaseResult {
  readonly case: CheckedCase;
  readonly verdicts: readonly Verdict[];
  /** The reasons why requests had no response. */
  readonly failures: readonly string[];
}

/** All responses. */
export interface EvalResults {
  readonly results: readonly CaseResult[];
  readonly tokens: TokenUsage;
}

/** The options of a run. */
export interface RunOptions {
  /** The number of requests for each prompt. */
  readonly runs: number;
  /** The maximum number of requests at the same time. */
  readonly concurrency: number;
  /** Cancels the requests. */
  readonly signal: AbortSignal;
  /** Sends a prompt to the model. */
  ask(prompt: string, signal: AbortSignal): Promise<ModelAnswer>;
  /** Reports the number of requests that have ended. */
  onProgress?(done: number, total: number): void;
}

/**
 * Sends each prompt to a model several times, and judges the responses.
 *
 * @throws Failure if no request can succeed, after the others have been cancelled; or the reason of `signal`
 */
export async function runCases(
  cases: readonly CheckedCase[],
  tools: readonly Tool[],
  { runs, concurrency, signal, ask, onProgress }: RunOptions,
): Promise<EvalResults> {
  const results = cases.map((each) => ({ case: each, verdicts: [] as Verdict[], failures: [] as string[] }));
  // Each round sends all prompts, so that an outage of the endpoint does not affect only one of them.
  const queue = Array.from({ length: runs }, () => results).flat();
  const total = queue.length;
  const tokens = { input: 0, output: 0 };
  const failed = new AbortController();
  const all = AbortSignal.any([signal, failed.signal]);
  let done = 0;
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      try {
        const answer = await ask(next.case.prompt, all);
        next.verdicts.push(judge(next.case, answer, tools));
        tokens.input += answer.tokens.input;
        tokens.output += answer.tokens.output;
      } catch (error) {
        if (!(error instanceof UnansweredError)) {
          failed.abort(error);
          throw error;
        }
        next.failures.push(error.message);
      }
      onProgress?.(++done, total);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, total) }, work));
  return { results, tokens };
}
