import { CLIENT_NAMES, FAMILIES } from "@tenon/compiler/clients";
import { Command, InvalidArgumentError } from "commander";
import type { CheckOptions } from "../check/check.js";
import type { CommandContext } from "../terminal/command-line.js";
import { findPlace } from "../remote/find-target.js";
import { refuseRemoteFlags, type RemoteFlags } from "../remote/remote-flags.js";
import { addRemoteOptions, REMOTE_HELP } from "./remote-options.js";
import { profileOption } from "./profile-option.js";

/** `tenon check` */
export function checkCommand({ terminal, finish, behindDashes }: CommandContext): Command {
  const command = new Command("check")
    .summary("see what clients will make of it")
    .description(
      "Shows what each family of clients would refuse or lose of every tool, and how much of a model's context " +
        "the definitions take, and what is not described. Fails when something would be refused. With --against, shows first who may do more or " +
        "less than before, and fails when something that was protected is open to anybody. Where there is a " +
        "tenon.lock.json, shows every change since it was written, and fails when one may break clients: write it " +
        "anew to accept that.",
    )
    .usage("[options] [dir | url | -- command...]")
    .argument("[target...]", "the project folder (default: the current one), a URL, or a command behind --")
    .option("-c, --client <name>", "look at this family only; may be repeated", append)
    .addOption(profileOption())
    .option("--against <manifest>", "compare permissions and arguments with the manifest of an earlier build")
    .option(
      "--max-tokens <number>",
      "fail when all definitions take more (default: only tell, over 10000)",
      parseTokens,
    )
    .option("--write", "write tenon.lock.json: what clients see now, to compare with from then on")
    .option("--github", "print changes as annotations, too (default: where GITHUB_ACTIONS is set)")
    .option("--json", "print everything found as JSON");
  return addRemoteOptions(command)
    .addHelpText("after", `${families()}\n${REMOTE_HELP}\n${EXAMPLES}`)
    .action(async (words: string[], options: CheckOptions & RemoteFlags) => {
      const { folder, target } = findPlace(words, behindDashes);
      if (target) {
        const { checkServer } = await import("../check/check-server.js");
        finish(await checkServer(terminal, target, options));
      } else {
        refuseRemoteFlags(options);
        const { check } = await import("../check/check.js");
        const github = options.github ?? process.env["GITHUB_ACTIONS"] === "true";
        finish(check(terminal, folder, { ...options, github }));
      }
    });
}

const EXAMPLES = `
Examples:
  $ tenon check
  $ tenon check --client gemini
  $ tenon check --client gemini --profile gemini
  $ tenon check --write && git add tenon.lock.json
  $ tenon check --against ../main/dist/tenon.manifest.json
  $ tenon check --max-tokens 10000
  $ tenon check https://mcp.example.com/mcp
  $ tenon check --json | jq '.total'`;

function parseTokens(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError("It is a number of tokens, such as 10000.");
  return Number(text);
}

function families(): string {
  const onRequest = CLIENT_NAMES.filter((name) => FAMILIES[name].onRequest);
  const others = CLIENT_NAMES.filter((name) => !FAMILIES[name].onRequest);
  return `\nFamilies: ${others.join(", ")};\nand on request ${onRequest.join(", ")}.`;
}

function append(value: string, before: string[] = []): string[] {
  return [...before, value];
}
