import { Command, Option } from "commander";
import type { CreateOptions } from "../create/create.js";
import { PACKAGE_MANAGERS } from "../create/package-manager.js";
import { listTemplateNames } from "../create/templates.js";
import type { CommandContext } from "../terminal/command-line.js";

/**
 * Creates the command `tenon create`.
 *
 * @param name the name of the command; `create-mcp-server` if it is the whole program
 */
export function defineCreateCommand({ terminal, finish }: CommandContext, name = "create"): Command {
  return new Command(name)
    .summary("create a new project")
    .description("Creates a new project, installs and builds it, and calls one of its tools.")
    .argument("[dir]", "the project folder, which must be empty or not exist yet")
    .option("-t, --template <name>", `the template: ${listTemplateNames().join(", ")}`)
    .option("-n, --name <name>", "the name of the package (default: the name of the folder)")
    .option("-y, --yes", "accept all defaults without prompting")
    .option("--install", "install, build, and call a tool (default with --yes)")
    .option("--no-install", "write the files only")
    .option("--git", "create a Git repository (default with --yes, unless the folder is inside one)")
    .option("--no-git", "do not create a Git repository")
    .addOption(
      new Option(
        "--package-manager <name>",
        "the package manager (default: the one that runs this command)",
      ).choices(PACKAGE_MANAGERS),
    )
    .addHelpText("after", name === "create" ? TENON_EXAMPLES : NPM_EXAMPLES)
    .action(async (dir: string | undefined, options: CreateOptions) => {
      const { create } = await import("../create/create.js");
      finish(await create(terminal, dir, options));
    });
}

const TENON_EXAMPLES = `
Examples:
  $ tenon create my-server
  $ tenon create my-server --template standard --yes
  $ tenon create . --no-install`;

const NPM_EXAMPLES = `
Examples:
  $ npm create mcp-server@latest my-server
  $ npm create mcp-server@latest my-server -- --template standard --yes`;
