import { statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Answers } from "@tenon/runtime/testing";
import { Failure } from "../terminal/failure.js";
import type { Terminal } from "../terminal/terminal.js";

/**
 * What is answered to a server: by the person, where one sits at the terminal, and the roots that the command line names.
 *
 * @param roots folders
 * @param beforeQuestion is called before anything is asked
 * @throws Failure (exit code 2) when a root is no folder
 */
export async function personAnswers(
  terminal: Terminal,
  roots: readonly string[],
  beforeQuestion: () => void,
): Promise<Answers> {
  const listed = roots.map((root) => rootOf(resolve(terminal.cwd, root)));
  const answers: Answers = listed.length > 0 ? { roots: listed } : {};
  if (!terminal.interactive) return answers;
  const [{ askPerson }, { askSampling }] = await Promise.all([
    import("./ask-person.js"),
    import("./ask-sampling.js"),
  ]);
  const inTurn = queue();
  return {
    ...answers,
    elicit: (question) => {
      return inTurn(async () => {
        beforeQuestion();
        return askPerson(question);
      });
    },
    sample: (question) => {
      return inTurn(async () => {
        beforeQuestion();
        return askSampling(question);
      });
    },
  };
}

/** A server may ask several things at once, and a person answers one after the other. */
function queue(): <T>(question: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (question) => {
    const answer = last.then(question);
    last = answer.catch(() => undefined);
    return answer;
  };
}

function rootOf(path: string): { uri: string; name: string } {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new Failure(`\`${path}\` is no folder.`, { exitCode: 2 });
  return { uri: pathToFileURL(path).href, name: basename(path) };
}
