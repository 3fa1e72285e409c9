import { Command, InvalidArgumentError, Option } from "commander";
import type { DevOptions } from "../dev/dev.js";
import type { CommandContext } from "../terminal/command-line.js";
import { applyVerbose, createVerboseOption, type VerboseOption } from "./verbose-option.js";

/** Creates the command `tenon dev`. */
export function defineDevCommand({ terminal, finish }: CommandContext): Command {
  return new Command("dev")
    .summary("start a dev server that reloads on changes")
    .description(
      "Serves the project and reloads the server when a file changes. Connections stay open, and calls in progress " +
        "finish. Calling a tool whose source has errors returns the errors; everything else keeps working.",
    )
    .argument("[dir]", "the project folder (default: the one that contains the current folder)")
    .option("-p, --port <number>", "the HTTP port", parsePort, 3000)
    .addOption(new Option("--stdio", "serve over stdin and stdout").conflicts("port"))
    .option(
      "--record [folder]",
      "record each session to a file, without secrets (default: .tenon/recordings)",
    )
    .option("--open", "open the playground in a browser")
    .addOption(createVerboseOption())
    .addHelpText("after", EXAMPLES)
    .action(
      async (
        dir: string | undefined,
        { open, ...options }: DevOptions & VerboseOption & { open?: boolean },
      ) => {
        applyVerbose(options);
        const { dev } = await import("../dev/dev.js");
        const openObserver: DevOptions["openObserver"] = async (root, err) => {
          const { openPlayground } = await import("../playground/open-playground.js");
          return openPlayground(root, err);
        };
        finish(await dev(terminal, dir, { ...options, openObserver: open ? openObserver : undefined }));
      },
    );
}

const EXAMPLES = `
Examples:
  $ tenon dev
  $ tenon dev --port 4000
  $ tenon dev --open             with the playground in your browser
  $ tenon dev --stdio            for a client that starts the server
  $ tenon dev --record           record each session for \`tenon replay\``;

function parsePort(text: string): number {
  const port = Number(text);
  const isPort = /^\d+$/.test(text) && port <= 65_535;
  if (!isPort) throw new InvalidArgumentError("A port is a number from 0 to 65535.");
  return port;
}
