import { Failure } from "../terminal/failure.js";
import { isAddress, type RemoteTarget, remoteTarget } from "./remote-target.js";

/** Words of a command line, of which some name a server that is running somewhere else. */
export interface TargetedWords {
  /** Absent where the project in a folder is meant. */
  readonly target?: RemoteTarget;
  /** The others. */
  readonly words: readonly string[];
}

/**
 * Finds the server that a command line names: by a URL, its first word, or by the command behind `--`.
 *
 * @param behindDashes how many of the words stand behind `--`
 * @throws Failure (exit code 2) when both are there
 */
export function findTarget(words: readonly string[], behindDashes: number): TargetedWords {
  const split = words.length - behindDashes;
  const [command, before] = [words.slice(split), words.slice(0, split)];
  const [first] = before;
  const address = first !== undefined && isAddress(first) ? first : undefined;
  if (address === undefined && first !== undefined && /^[a-z][a-z\d+.-]*:\/\//i.test(first)) {
    throw new Failure(`\`${first}\` is no URL of a server: it begins with neither https:// nor http://.`, {
      hint: "A server without an address is named by the command that starts it, after --.",
      exitCode: 2,
    });
  }
  if (command.length > 0 && address !== undefined)
    throw new Failure("Name the URL of a server or the command that starts one, not both.", { exitCode: 2 });
  if (command.length > 0) return { target: remoteTarget(command), words: before };
  if (address !== undefined) return { target: remoteTarget([address]), words: before.slice(1) };
  return { words: before };
}

/**
 * What a command is to look at: a folder, or a server that is running somewhere else.
 *
 * @param words of the command line, nothing but that
 * @throws Failure (exit code 2) when there are more words
 */
export function findPlace(
  words: readonly string[],
  behindDashes: number,
): { readonly folder: string; readonly target?: RemoteTarget } {
  const { target, words: others } = findTarget(words, behindDashes);
  const [folder, extra = target && folder] = others;
  if (extra !== undefined) {
    throw new Failure(`\`${extra}\` is one word too many.`, {
      hint: "Name one folder or one URL. The command that starts a server goes after --.",
      exitCode: 2,
    });
  }
  return { folder: folder ?? ".", ...(target && { target }) };
}
