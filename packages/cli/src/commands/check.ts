import { CLIENT_NAMES, FAMILIES } from "@tenon/compiler/clients";
import { DIRECTORY_NAMES } from "@tenon/compiler/directories";
import { Command, InvalidArgumentError } from "commander";
import type { CheckOptions } from "../check/check.js";
import type { CommandContext } from "../terminal/command-line.js";
import { findProjectOrServer } from "../remote/find-target.js";
import { rejectLegacyEra, rejectRemoteFlags, type RemoteFlags } from "../remote/remote-flags.js";
import { addRemoteOptions, append, REMOTE_HELP } from "./remote-options.js";
import { createProfileOption } from "./profile-option.js";
import { applyVerbose, createVerboseOption, REPORTS_REUSE } from "./verbose-option.js";

/** Creates the command `tenon check`. */
export function defineCheckCommand({ terminal, finish, argsAfterDashes }: CommandContext): Command {
  const command = new Command("check")
    .summary("report client compatibility and breaking changes")
    .description(
      "Reports what each family of clients rejects or ignores, how many tokens the definitions need, and which " +
        "descriptions are missing, with a grade for each tool. Checks the types of sources, and of tests that have a tsconfig.json. Fails if a client rejects something, or if there is a type error. If the project has a tenon.contract.json, also " +
        "reports every change since it was written, and fails if a change may break clients; --update accepts the " +
        "changes. With --baseline, also reports whose permissions change, and fails if anything protected becomes public.",
    )
    .usage("[options] [dir | url | -- command...]")
    .argument(
      "[target...]",
      "the project folder (default: the one that contains the current folder), a URL, or a command after --",
    )
    .option("-c, --client <name>", "check only this family; repeatable", append)
    .option("--directory <name>", "check the rules of a public directory, or of all; repeatable", append)
    .addOption(createProfileOption())
    .option(
      "--baseline <manifest>",
      "compare permissions and arguments with the manifest of an earlier build",
    )
    .option(
      "--max-tokens <number>",
      "fail if all definitions together exceed this many tokens (default: report above 10000)",
      parseTokens,
    )
    .option("--update", "write tenon.contract.json, the contract that later checks compare with")
    .option("--github", "also print changes as annotations (default: if GITHUB_ACTIONS is set)")
    .option("--json", "print the findings as JSON")
    .addOption(createVerboseOption(REPORTS_REUSE));
  return addRemoteOptions(command)
    .addHelpText("after", `${formatFamilies()}\n${REMOTE_HELP}\n${EXAMPLES}`)
    .action(async (args: string[], options: CheckOptions & RemoteFlags) => {
      applyVerbose(options);
      const { folder, target } = findProjectOrServer(args, argsAfterDashes);
      if (target) {
        const { checkServer } = await import("../check/check-server.js");
        finish(await checkServer(terminal, target, options));
      } else {
        rejectRemoteFlags(options);
        rejectLegacyEra(options);
        const { check } = await import("../check/check.js");
        const github = options.github ?? process.env["GITHUB_ACTIONS"] === "true";
        finish(await check(terminal, folder, { ...options, github }));
      }
    });
}

const EXAMPLES = `
Examples:
  $ tenon check
  $ tenon check --client gemini
  $ tenon check --client gemini --profile gemini
  $ tenon check --update && git add tenon.contract.json
  $ tenon check --baseline ../main/dist/tenon.manifest.json
  $ tenon check --max-tokens 10000
  $ tenon check --directory openai --directory anthropic
  $ tenon check https://mcp.example.com/mcp
  $ tenon check --json | jq '.total'`;

function parseTokens(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError("Expected a number of tokens, such as 10000.");
  return Number(text);
}

function formatFamilies(): string {
  const onRequest = CLIENT_NAMES.filter((name) => FAMILIES[name].onRequest);
  const others = CLIENT_NAMES.filter((name) => !FAMILIES[name].onRequest);
  return (
    `\nFamilies: ${others.join(", ")};\nonly on request: ${onRequest.join(", ")}.` +
    `\nDirectories: ${DIRECTORY_NAMES.join(", ")}, all.`
  );
}
