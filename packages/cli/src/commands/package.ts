import { Command } from "commander";
import { TARGET_NAMES, TARGET_PURPOSES } from "../package/targets/package-target.js";
import type { PackageOptions } from "../package/package.js";
import type { CommandContext } from "../terminal/command-line.js";

/** Creates the command `tenon package`. */
export function definePackageCommand({ terminal, finish }: CommandContext): Command {
  const command = new Command("package")
    .summary("package the server for distribution")
    .description(
      "Packages the server for one or more targets. The output goes to package/ and is replaced each time. Dockerfile, " +
        "wrangler.jsonc, and server.json are written to the project; they are yours to edit.",
    )
    .argument("[dir]", "the project folder (default: the one that contains the current folder)");
  for (const name of TARGET_NAMES) command.option(`--${name}`, TARGET_PURPOSES[name]);
  return command
    .option("--url <url>", "the public address of the server, for server.json")
    .option("-o, --out <dir>", "the output folder (default: package in the project)")
    .option("--force", "replace existing files")
    .addHelpText("after", EXAMPLES)
    .action(async (dir: string, options: PackageOptions) => {
      const { packageServer } = await import("../package/package.js");
      finish(await packageServer(terminal, dir, options));
    });
}

const EXAMPLES = `
Examples:
  $ tenon package --single-file
  $ tenon package --worker
  $ tenon package --mcpb
  $ tenon package --npx --registry             to publish to npm and the MCP registry
  $ tenon package --docker --registry --url https://mcp.example.com/mcp`;
