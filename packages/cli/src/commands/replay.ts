import { Command, InvalidArgumentError } from "commander";
import type { ReplayOptions } from "../replay/replay.js";
import type { CommandContext } from "../terminal/command-line.js";

/** `tenon replay` */
export function replayCommand({ terminal, finish }: CommandContext): Command {
  return new Command("replay")
    .summary("play a recorded session again and show what changed")
    .description(
      "Plays a session that `tenon dev --record` has kept against the project in the current folder, and shows which " +
        "answers are not as they were. What the server asks is answered as it was then. Ids, times of the session itself " +
        "and what the protocol makes anew are no change. Exits with 1 when anything has changed.",
    )
    .argument("[file]", "the recording, or a folder with some: the newest there (default: .tenon/recordings)")
    .option(
      "-i, --ignore <place>",
      "a member, or a place in answers, that may differ; again for more",
      collect,
    )
    .option("--as <principal>", "on whose behalf to call: a subject, or a principal as JSON")
    .option(
      "--secret <number=value>",
      "a secret that was masked, for calls that need it; again for more",
      collect,
    )
    .option("--timeout <seconds>", "how long to wait for an answer (default: 60)", parseSeconds)
    .option("--test [file]", "write a vitest file from the session, too")
    .option("--json", "print what was found as JSON")
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
  $ tenon replay --test                          a test in test/ that expects these answers
  $ tenon replay --json | jq '.requests[] | select(.status == "changed")'`;

function collect(place: string, others: string[] = []): string[] {
  return [...others, place];
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (!(seconds > 0)) throw new InvalidArgumentError("A number of seconds is wanted.");
  return seconds;
}
