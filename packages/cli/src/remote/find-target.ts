import { Failure } from "../terminal/failure.js";
import { isAddress, type RemoteTarget, parseRemoteTarget } from "./remote-target.js";

/** The arguments of a command that may name a running server. */
export interface TargetedArguments {
  /** The server; absent if the command is for a project. */
  readonly target?: RemoteTarget;
  /** The other arguments. */
  readonly args: readonly string[];
}

/**
 * Finds the server that the arguments name: by a URL as the first argument, or by the command after `--`.
 *
 * @param argsAfterDashes the number of arguments after `--`
 * @throws Failure (exit code 2) if there are both
 */
export function findTarget(args: readonly string[], argsAfterDashes: number): TargetedArguments {
  const split = args.length - argsAfterDashes;
  const [command, before] = [args.slice(split), args.slice(0, split)];
  const [first] = before;
  const address = first !== undefined && isAddress(first) ? first : undefined;
  if (address === undefined && first !== undefined && /^[a-z][a-z\d+.-]*:\/\//i.test(first)) {
    throw new Failure(
      `\`${first}\` is not the URL of a server: it starts with neither https:// nor http://.`,
      {
        hint: "If the server has no URL, write the command that starts it after --.",
        exitCode: 2,
      },
    );
  }
  if (command.length > 0 && address !== undefined)
    throw new Failure("A server has a URL or a command, not both.", {
      hint: "Remove the URL, or the command after --.",
      exitCode: 2,
    });
  if (command.length > 0) return { target: parseRemoteTarget(command), args: before };
  if (address !== undefined) return { target: parseRemoteTarget([address]), args: before.slice(1) };
  return { args: before };
}

/**
 * Finds the project folder or the running server that all arguments together name.
 *
 * @param args the arguments of the command
 * @throws Failure (exit code 2) if there are more arguments
 */
export function findProjectOrServer(
  args: readonly string[],
  argsAfterDashes: number,
): { readonly folder: string; readonly target?: RemoteTarget } {
  const { target, args: others } = findTarget(args, argsAfterDashes);
  const [folder, extra = target && folder] = others;
  if (extra !== undefined) {
    throw new Failure(`Unexpected argument \`${extra}\`.`, {
      hint: "Name one folder or one URL. Put the command that starts a server after --.",
      exitCode: 2,
    });
  }
  return { folder: folder ?? ".", ...(target && { target }) };
}
