import { statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Answers } from "@tenon/runtime/testing";
import { Failure } from "../terminal/failure.js";
import type { Terminal } from "../terminal/terminal.js";

/**
 * Creates the answers to requests of a server: prompts, if the terminal is interactive, and the roots from the command line.
 *
 * @param roots paths of folders
 * @param beforeQuestion called before each prompt
 * @throws Failure (exit code 2) if a root is not a folder
 */
export async function createTerminalAnswers(
  terminal: Terminal,
  roots: readonly string[],
  beforeQuestion: () => void,
): Promise<Answers> {
  const listed = roots.map((root) => toRoot(resolve(terminal.cwd, root)));
  const answers: Answers = listed.length > 0 ? { roots: listed } : {};
  if (!terminal.interactive) return answers;
  const [{ promptUser }, { askSampling }] = await Promise.all([
    import("./prompt-user.js"),
    import("./ask-sampling.js"),
  ]);
  const enqueue = createQueue();
  return {
    ...answers,
    elicit: (question) => {
      return enqueue(async () => {
        beforeQuestion();
        return promptUser(question);
      });
    },
    sample: (question) => {
      return enqueue(async () => {
        beforeQuestion();
        return askSampling(question);
      });
    },
  };
}

/** Creates a function that runs prompts one after another, even for concurrent requests. */
function createQueue(): <T>(question: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (question) => {
    const answer = last.then(question);
    last = answer.catch(() => undefined);
    return answer;
  };
}

function toRoot(path: string): { uri: string; name: string } {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new Failure(`\`${path}\` is not a folder.`, { exitCode: 2 });
  return { uri: pathToFileURL(path).href, name: basename(path) };
}
