import { Command } from "commander";
import { FORM_NAMES, FORM_PURPOSES } from "../package/forms/package-form.js";
import type { PackageOptions } from "../package/package.js";
import type { CommandContext } from "../terminal/command-line.js";

/** `tenon package` */
export function packageCommand({ terminal, finish }: CommandContext): Command {
  const command = new Command("package")
    .summary("package it for others to run")
    .description(
      "Makes a server into what others run: several forms at once, if you like. What is made goes into package/ and is made " +
        "anew each time. A Dockerfile, wrangler.jsonc and server.json go into the project: they are yours from then on.",
    )
    .argument("[dir]", "the project folder", ".");
  for (const name of FORM_NAMES) command.option(`--${name}`, FORM_PURPOSES[name]);
  return command
    .option("--url <url>", "where the server can be reached, for server.json")
    .option("-o, --out <dir>", "where to write (default: package in the project)")
    .option("--force", "replace files that are in the way")
    .addHelpText("after", EXAMPLES)
    .action(async (dir: string, options: PackageOptions) => {
      const { packageServer } = await import("../package/package.js");
      finish(await packageServer(terminal, dir, options));
    });
}

const EXAMPLES = `
Examples:
  $ tenon package --single
  $ tenon package --worker
  $ tenon package --mcpb
  $ tenon package --npx --registry             to publish to npm and the MCP registry
  $ tenon package --docker --registry --url https://mcp.example.com/mcp`;
