import { Command, InvalidArgumentError, Option } from "commander";
import type { EvalOptions } from "../eval/eval.js";
import { API_NAMES } from "../eval/model/api-names.js";
import type { CommandContext } from "../terminal/command-line.js";

/** Matches a share with its percentage, as in `--threshold accuracy=90`. */
const THRESHOLD = /^(accuracy|precision|recall|arguments)=(\d+(?:\.\d+)?)$/;

/** Creates the command `tenon eval`. */
export function defineEvalCommand({ terminal, finish }: CommandContext): Command {
  return new Command("eval")
    .summary("measure which tools a model chooses")
    .description(
      "Sends the prompts of *.evals.ts files to a model, with the tools of the project in the current folder, and reports " +
        "how often the model chooses the right tool and arguments. No tool is called. Requires OPENAI_API_KEY or " +
        "ANTHROPIC_API_KEY, or OPENAI_BASE_URL for a server that needs no key; otherwise prints what it would send. Compares " +
        "the results with tenon.evals.json. Fails if a metric is below its threshold, or if a request has no response.",
    )
    .argument(
      "[files...]",
      "files with evals (default: all whose names end in .evals.ts); with --from, the file to write",
    )
    .addOption(
      new Option(
        "--from [recording]",
        "write a file with cases from a recording, or the newest one, and send nothing",
      ).conflicts(["model", "update", "dryRun", "json", "threshold"]),
    )
    .option("-m, --model <name>", "the model to ask")
    .addOption(new Option("--api <name>", "the API to use, if there are keys for both").choices(API_NAMES))
    .option("-n, --runs <number>", "send each prompt this many times", parseCount, 3)
    .option("--concurrency <number>", "send this many requests at the same time", parseCount, 4)
    .option("--timeout <seconds>", "wait this long for each response", parseCount, 60)
    .option(
      "--threshold <name=percent>",
      "fail if accuracy, precision, recall, or arguments are below this; repeatable",
      parseThreshold,
    )
    .option("--as <principal>", "list the tools for this principal: a subject, or a principal as JSON")
    .option("--update", "write the results to tenon.evals.json, with which later runs are compared")
    .option("--dry-run", "print the prompts and the size of the requests, and send nothing")
    .option("--json", "print the results as JSON")
    .addHelpText("after", EXAMPLES)
    .action(async (files: string[], { from, ...options }: EvalOptions & { from?: string | true }) => {
      if (from !== undefined) {
        const { writeRecordedCases } = await import("../eval/recorded-cases.js");
        finish(writeRecordedCases(terminal, from === true ? undefined : from, files));
        return;
      }
      const { evaluate } = await import("../eval/eval.js");
      finish(await evaluate(terminal, files, options));
    });
}

const EXAMPLES = `
Examples:
  $ tenon eval --dry-run                         the prompts, tools, and tokens
  $ tenon eval --model gpt-5-mini
  $ tenon eval test/orders.evals.ts --runs 10 --model claude-sonnet-4-5
  $ tenon eval --model gpt-5-mini --update && git add tenon.evals.json
  $ tenon eval --model gpt-5-mini --threshold precision=90 --threshold recall=90
  $ tenon eval --from .tenon/recordings/session.jsonl test/orders.evals.ts
  $ OPENAI_BASE_URL=http://127.0.0.1:11434/v1 tenon eval --model qwen3 --concurrency 1`;

function parseCount(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text))
    throw new InvalidArgumentError("Expected a whole number from 1 to 99999.");
  return Number(text);
}

function parseThreshold(text: string, others: EvalOptions["threshold"] = {}): EvalOptions["threshold"] {
  const [, name, percent] = THRESHOLD.exec(text) ?? [];
  // Thresholds in files are shares: 0.9 is most likely one of them.
  const isShare = Number(percent) > 0 && Number(percent) < 1;
  if (name === undefined || Number(percent) > 100 || isShare)
    throw new InvalidArgumentError("Expected a name and a percentage, such as precision=90.");
  if (Object.hasOwn(others, name)) throw new InvalidArgumentError(`Expected only one threshold for ${name}.`);
  return { ...others, [name]: Number(percent) / 100 };
}
