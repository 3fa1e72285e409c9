import { Command } from "commander";
import type { CallOptions } from "../call/call.js";
import type { CommandContext } from "../terminal/command-line.js";
import { addRemoteOptions, append, REMOTE_HELP } from "./remote-options.js";

/** `tenon call` */
export function callCommand({ terminal, finish, behindDashes }: CommandContext): Command {
  const command = new Command("call")
    .summary("call a tool, read a resource or get a prompt")
    .description(
      "Calls a tool of the project in the current folder and prints its result, or reads a resource, or gets a " +
        "prompt; of another server where a URL comes first, or a command stands at the end, behind --. Progress and log " +
        "messages go to stderr, what the server asks is asked in the terminal, and Ctrl-C cancels the call.",
    )
    .usage("[options] [url] <tool> [arguments...] [-- command...]")
    .argument("[tool]", "the tool's name")
    .argument(
      "[arguments...]",
      "key=value, where a value may be JSON, or @file for what a file holds, and a dot leads into an object; or all of them as a JSON object, @file, or - for standard input",
    )
    .option("-r, --resource <uri>", "read this resource instead")
    .option("-p, --prompt <name>", "get this prompt instead")
    .option("--root <folder>", "what to answer a server that asks for roots; may be repeated", append)
    .option(
      "--answer <answer>",
      "what to answer the next question: a form's JSON, accept, decline, cancel, or what a model says; may be repeated",
      append,
    )
    .option("-o, --output <path>", "save images, audio and other bytes: a file for one, a folder for several")
    .option("--json", "print the whole result as JSON");
  return addRemoteOptions(command)
    .addHelpText("after", `${REMOTE_HELP}\n${EXAMPLES}`)
    .action(async (tool: string | undefined, args: string[], options: CallOptions) => {
      const { call } = await import("../call/call.js");
      finish(await call(terminal, tool === undefined ? [] : [tool, ...args], behindDashes, options));
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
  $ tenon call https://mcp.example.com/mcp search query=tea
  $ tenon call list_directory path=. -- npx -y @modelcontextprotocol/server-filesystem .`;
