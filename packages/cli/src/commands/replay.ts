import { Command, InvalidArgumentError } from "commander";
import type { ReplayOptions } from "../replay/replay.js";
import type { CommandContext } from "../terminal/command-line.js";
import { append } from "./remote-options.js";

/** Creates the command `tenon replay`. */
export function defineReplayCommand({ terminal, finish }: CommandContext): Command {
  return new Command("replay")
    .summary("replay a recorded session and compare results")
    .description(
      "Replays a session recorded with `tenon dev --record` against the project in the current folder, and reports which " +
        "responses changed. Requests for input receive the recorded answers. Generated IDs, timestamps of the session, and " +
        "protocol state are not compared. Exits with 1 if anything changed, except with --write-test.",
    )
    .argument(
      "[file]",
      "a recording, or a folder whose newest recording is used (default: .tenon/recordings)",
    )
    .option(
      "-i, --ignore <path>",
      "ignore differences in this member or path of responses; repeatable",
      append,
    )
    .option("--as <principal>", "call on behalf of this principal: a subject, or a principal as JSON")
    .option("--secret <number=value>", "set the value of a masked secret; repeatable", append)
    .option("--timeout <seconds>", "wait this long for a response (default: 60)", parseSeconds)
    .option("--write-test [file]", "also write a Vitest file from the session")
    .option("--json", "print the comparison as JSON")
    .addHelpText("after", EXAMPLES)
    .action(async (file: string | undefined, options: ReplayOptions) => {
      const { replay } = await import("../replay/replay.js");
      finish(await replay(terminal, file, options));
    });
}

const EXAMPLES = `
Examples:
  $ tenon replay                                 the newest recording
  $ tenon replay session.jsonl --ignore fetchedAt
  $ tenon replay --ignore 'structuredContent.items.*.price'
  $ tenon replay --as '{"subject":"ada","scopes":["orders:read"]}'
  $ tenon replay --write-test                    a test in test/ that expects these responses
  $ tenon replay --json | jq '.requests[] | select(.status == "changed")'`;

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (!(seconds > 0)) throw new InvalidArgumentError("Expected a positive number of seconds, such as 30.");
  return seconds;
}
