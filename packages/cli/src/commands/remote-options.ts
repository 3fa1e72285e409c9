import { type Command, Option } from "commander";
import { ERAS } from "../remote/remote-flags.js";

/** Adds the options that all commands for running servers share. */
export function addRemoteOptions(command: Command): Command {
  return command
    .option("--header <line>", 'send a header, such as "Authorization: Bearer …"; repeatable', append)
    .option("--no-browser", "print the login URL instead of opening a browser")
    .option("--client-id <id>", "log in with this client ID, if the issuer does not register clients itself")
    .addOption(
      new Option(
        "--era <era>",
        "use revision 2026-07-28 or later (modern), or an earlier one (legacy)",
      ).choices(ERAS),
    );
}

/** Explains, in help output, how to name a running server and log in to it. */
export const REMOTE_HELP = `
To use a running server, pass its URL. To use a server that a command starts,
pass the command after --. If a server requires a login, your browser opens, and
the login is stored in your user configuration folder. To delete it, run
\`tenon inspect <url> --logout\`. If your OAuth client has a secret, set it in
TENON_CLIENT_SECRET.`;

/** Collects all values of a repeatable option. */
export function append(value: string, before: string[] = []): string[] {
  return [...before, value];
}
