import { Command, InvalidArgumentError } from "commander";
import type { DevOptions } from "../dev/dev.js";
import type { CommandContext } from "../terminal/command-line.js";

/** `tenon dev` */
export function devCommand({ terminal, finish }: CommandContext): Command {
  return new Command("dev")
    .summary("serve the project and follow edits")
    .description(
      "Serves the project and swaps in the new server whenever a file changes. Connections stay open, calls " +
        "under way are finished. What has errors in its source answers with them, and all else goes on.",
    )
    .argument("[dir]", "the project folder", ".")
    .option("-p, --port <number>", "the port to serve HTTP on", parsePort, 3000)
    .option("--stdio", "serve over stdin and stdout instead")
    .option(
      "--record [folder]",
      "keep what clients and server say as files, without secrets (default: .tenon/recordings)",
    )
    .option("--open", "open the playground, a page to try the server in, in a browser")
    .addHelpText("after", EXAMPLES)
    .action(async (dir: string, { open, ...options }: DevOptions & { open?: boolean }) => {
      const { dev } = await import("../dev/dev.js");
      const onlooker: DevOptions["onlooker"] = async (root, err) => {
        const { openPlayground } = await import("../playground/open-playground.js");
        return openPlayground(root, err);
      };
      finish(await dev(terminal, dir, { ...options, onlooker: open ? onlooker : undefined }));
    });
}

const EXAMPLES = `
Examples:
  $ tenon dev
  $ tenon dev --port 4000
  $ tenon dev --open             with a page in the browser to call it from
  $ tenon dev --stdio            for a client that starts the server itself
  $ tenon dev --record           keep each session, for \`tenon replay\``;

function parsePort(text: string): number {
  const port = Number(text);
  const isPort = /^\d+$/.test(text) && port <= 65_535;
  if (!isPort) throw new InvalidArgumentError("A port is a number from 0 to 65535.");
  return port;
}
