import type { Answers } from "@tenon/runtime/testing";
import { toElicitResult, toModelMessage, type SampledMessage } from "../answers/answer-notation.js";

/**
 * Answers of the client to requests from the server: functions, or lists whose items are used in order. The last item is
 * repeated.
 *
 * @example
 * import { connect } from "@tenon/cli/testing";
 *
 * const server = await connect(".", {
 *   answers: { elicit: [{ name: "Ada" }, "decline"], sample: ["A short summary."], roots: [{ uri: "file:///work" }] },
 * });
 */
export interface CannedAnswers {
  /** The user's input for each form, `"decline"`, or `"cancel"`. */
  elicit?: NonNullable<Answers["elicit"]> | readonly (object | "decline" | "cancel")[];
  /** Answers of the client's model: strings, or whole messages such as a tool call. */
  sample?: NonNullable<Answers["sample"]> | readonly (string | SampledMessage)[];
  /** Folders that the client shares. */
  roots?: NonNullable<Answers["roots"]>;
}

/** Converts answers to functions. */
export function toAnswers({ elicit, sample, roots }: CannedAnswers): Answers {
  return {
    ...(elicit && {
      elicit: typeof elicit === "function" ? elicit : createSequence("elicit", elicit, toElicitResult),
    }),
    ...(sample && {
      sample:
        typeof sample === "function"
          ? sample
          : createSequence("sample", sample, (each) => toModelMessage(each, "test")),
    }),
    ...(roots && { roots }),
  };
}

function createSequence<Script, Answer>(
  name: string,
  scripts: readonly Script[],
  toAnswer: (script: Script) => Answer,
): () => Answer {
  let index = 0;
  return () => {
    const script = scripts[Math.min(index, scripts.length - 1)];
    index += 1;
    if (script === undefined)
      throw new Error(`\`answers.${name}\` is an empty list. Add an answer, or remove the list.`);
    return toAnswer(script);
  };
}
