import { Failure } from "../terminal/failure.js";
import type { Scope } from "./client-config.js";
import { checkClientName } from "./server-name.js";

/** The options of `tenon install`. */
export interface InstallOptions {
  /** The name of the server in the configuration. */
  name?: string;
  scope: Scope;
  /** Environment variables of the server, as `NAME=value`, or `NAME` to refer to a variable of the client. */
  env?: readonly string[];
  /** The URL of a server that clients do not start. */
  url?: string;
  /** Headers for the URL, as `Name: value`. */
  header?: readonly string[];
  remove?: boolean;
  /** Whether to print what would be written, and write nothing. */
  print?: boolean;
  /** Whether to replace another server of the same name, and the user's own settings of this one. */
  force?: boolean;
}

/** The arguments of `tenon install`. */
export interface InstallArguments {
  clientName: string | undefined;
  folder: string;
  /** The command that starts another server. */
  command: readonly string[];
}

/**
 * Splits the arguments into client, folder, and command.
 *
 * @throws Failure (exit code 2) if options contradict each other
 */
export function splitArguments(
  args: readonly string[],
  argsAfterDashes: number,
  { name, url, header = [], env = [], remove, force }: InstallOptions,
): InstallArguments {
  const split = args.length - argsAfterDashes;
  const command = args.slice(split);
  const [clientName, folder = ".", extra] = args.slice(0, split);
  if (extra !== undefined) {
    throw new Failure(`Unexpected argument \`${extra}\`.`, {
      hint: "Name one client and one folder. Put the command that starts a server after --.",
      exitCode: 2,
    });
  }
  if (command.length > 0 && url !== undefined)
    throw new Failure("A server has a URL or a command, not both.", {
      hint: "Remove --url or the command after --.",
      exitCode: 2,
    });
  if (env.length > 0 && url !== undefined)
    throw new Failure("--env has no effect on a server with a URL.", {
      hint: "Set the variables where the server runs, or send values with --header.",
      exitCode: 2,
    });
  if (name !== undefined && remove !== true) checkClientName(name);
  const unused = remove === true && [env.length > 0 && "--env", force === true && "--force"].find(Boolean);
  if (unused) throw new Failure(`${unused} has no effect with --remove.`, { exitCode: 2 });
  const needsClient = clientName === undefined && [remove && "--remove", force && "--force"].find(Boolean);
  if (needsClient)
    throw new Failure(`${needsClient} requires the name of a client.`, {
      hint: "Write it after the command: `tenon install CLIENT`.",
      exitCode: 2,
    });
  if (header.length > 0 && url === undefined) throw new Failure("--header requires --url.", { exitCode: 2 });
  return { clientName, folder, command };
}
