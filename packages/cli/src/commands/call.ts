import { Command } from "commander";
import type { CallOptions } from "../call/call.js";
import type { CommandContext } from "../terminal/command-line.js";
import { applyVerbose, createVerboseOption, REPORTS_REUSE, type VerboseOption } from "./verbose-option.js";
import { addRemoteOptions, append, REMOTE_HELP } from "./remote-options.js";

/** Creates the command `tenon call`. */
export function defineCallCommand({ terminal, finish, argsAfterDashes }: CommandContext): Command {
  const command = new Command("call")
    .summary("call a tool, read a resource, or get a prompt")
    .description(
      "Calls a tool, reads a resource, or gets a prompt, and prints the result. The server is the project in the current " +
        "folder, the server at a URL before the tool, or one that a command after -- starts. Progress and log messages go to " +
        "stderr. If the server requests input, the terminal prompts for it. Ctrl-C cancels the call, " +
        "or at such a prompt, the request for input.",
    )
    .usage("[options] [url] <tool> [arguments...] [-- command...]")
    .argument("[tool]", "the tool's name")
    .argument(
      "[arguments...]",
      "key=value pairs. A value is text, or JSON such as 5, true, or null if the argument's type accepts it. Quotes keep it as text: '\"null\"'. A dot in the key addresses a member of an object, a repeated key adds to a list, and key=@file passes the content of a file. Instead of pairs: one JSON object, @file, or - for standard input; pairs next to it add or replace members",
    )
    .option("-r, --resource <uri>", "read this resource instead")
    .option("-p, --prompt <name>", "get this prompt instead")
    .option("--root <folder>", "return this folder when the server requests roots; repeatable", append)
    .option(
      "--answer <answer>",
      "answer the next request for input: a JSON object, accept, decline, cancel, or a model's response; repeatable",
      append,
    )
    .option(
      "-o, --output <path>",
      "save images, audio, and other binary content to this file, or to this folder if there are several",
    )
    .option(
      "--as <principal>",
      "call the project on behalf of this principal: a subject, or a principal as JSON",
    )
    .option("--json", "print the whole result as JSON")
    .addOption(createVerboseOption(REPORTS_REUSE));
  return addRemoteOptions(command)
    .addHelpText("after", `${REMOTE_HELP}\n${EXAMPLES}`)
    .action(async (tool: string | undefined, args: string[], options: CallOptions & VerboseOption) => {
      applyVerbose(options);
      const { call } = await import("../call/call.js");
      finish(await call(terminal, tool === undefined ? [] : [tool, ...args], argsAfterDashes, options));
    });
}

const EXAMPLES = `
Examples:
  $ tenon call greet name=Ada
  $ tenon call search query=tea limit=3 'tags=["green","black"]'
  $ tenon call book place.city=Oslo place.country=NO
  $ tenon call book '{"place":{"city":"Oslo","country":"NO"}}'
  $ tenon call post title=Hello text=@post.md
  $ jq '.order' shop.json | tenon call book -
  $ tenon call --resource climate://Oslo/2024
  $ tenon call --prompt plan city=Lisbon mood=calm
  $ tenon call book city=Oslo --answer '{"name":"Ada"}' --answer cancel
  $ tenon call search query=tea --json | jq '.structuredContent'
  $ tenon call delete id=7 --as '{"subject":"ada","scopes":["notes:write"]}'
  $ tenon call https://mcp.example.com/mcp search query=tea
  $ tenon call list_directory path=. -- npx -y @modelcontextprotocol/server-filesystem .`;
