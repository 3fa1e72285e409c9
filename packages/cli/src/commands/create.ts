import { Command, Option } from "commander";
import type { CreateOptions } from "../create/create.js";
import { PACKAGE_MANAGERS } from "../create/package-manager.js";
import { templateNames } from "../create/templates.js";
import type { CommandContext } from "../terminal/command-line.js";

/** `tenon create`, and under the name `create-mcp-server` a program of its own. */
export function createCommand({ terminal, finish }: CommandContext, name = "create"): Command {
  return new Command(name)
    .summary("start a new project")
    .description("Writes a new project, installs it, builds it and makes one real call.")
    .argument("[dir]", "the folder to write to; it must be empty or not exist yet")
    .option("-t, --template <name>", `one of ${templateNames().join(", ")}`)
    .option("-n, --name <name>", "the package's name (default: from the folder)")
    .option("-y, --yes", "ask nothing, take the defaults")
    .option("--install", "install, build and make a first call (the default with --yes)")
    .option("--no-install", "only write the files")
    .option("--git", "make a git repository (the default with --yes, outside another repository)")
    .option("--no-git", "make none")
    .addOption(
      new Option("--package-manager <name>", "which installs (default: the one that runs this)").choices(
        PACKAGE_MANAGERS,
      ),
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
