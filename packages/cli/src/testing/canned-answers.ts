import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Answers } from "@tenon/runtime/testing";
import { toElicitResult, toModelMessage, type SampledMessage } from "../answers/answer-notation.js";

/**
 * Answers of the client to requests from the server. `elicit` and `sample` are functions, or lists whose items are used in
 * order. The last item is repeated.
 *
 * @example
 * import { connect } from "@tenon/cli/testing";
 *
 * const server = await connect(".", {
 *   answers: { elicit: [{ name: "Ada" }, "decline"], sample: ["A short summary."], roots: ["/home/ada/notes"] },
 * });
 */
export interface CannedAnswers {
  /** The user's input for each form, `"decline"`, or `"cancel"`. */
  elicit?: NonNullable<Answers["elicit"]> | readonly (object | "decline" | "cancel")[];
  /** Answers of the client's model: strings, or whole messages such as a tool call. */
  sample?: NonNullable<Answers["sample"]> | readonly (string | SampledMessage)[];
  /** All folders that the client shares: paths, or whole roots. */
  roots?: readonly (string | Root)[];
}

type Root = NonNullable<Answers["roots"]>[number];

/** The items of each list. Tests in JavaScript have no types. */
const ITEMS: Record<keyof CannedAnswers, { expected: string; accepts(item: unknown): boolean }> = {
  elicit: {
    expected: 'an object, "decline", or "cancel"',
    accepts: (item) =>
      (typeof item === "object" && item !== null && !Array.isArray(item)) ||
      item === "decline" ||
      item === "cancel",
  },
  sample: {
    expected: "a string, or an object with `content`",
    accepts: (item) => typeof item === "string" || (Object(item) as SampledMessage).content !== undefined,
  },
  roots: {
    expected: "a path, or an object with a `uri`",
    accepts: (item) => typeof item === "string" || typeof (Object(item) as Root).uri === "string",
  },
};

/**
 * Converts answers to functions, and paths to roots.
 *
 * @throws TypeError for an unknown member, or one of the wrong kind, which would have no effect or another one than intended
 */
export function toAnswers(answers: CannedAnswers): Answers {
  checkAnswers(answers);
  const { elicit, sample, roots } = answers;
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
    ...(roots && { roots: roots.map((each) => (typeof each === "string" ? toRoot(each) : each)) }),
  };
}

function toRoot(path: string): Root {
  const absolute = resolve(path);
  return { uri: pathToFileURL(absolute).href, name: basename(absolute) };
}

/** Checks the members and their items. A string would be read as a list of characters. */
function checkAnswers(answers: object): void {
  for (const [name, value] of Object.entries(answers) as [string, unknown][]) {
    if (!Object.hasOwn(ITEMS, name))
      throw new TypeError(
        `\`answers.${name}\` answers no request. Use \`elicit\`, \`sample\`, or \`roots\`.`,
      );
    const isFunction = name !== "roots" && typeof value === "function";
    if (value === undefined || isFunction) continue;
    if (!Array.isArray(value))
      throw createWrongAnswer(name, name === "roots" ? "a list" : "a list or a function", value);
    const { expected, accepts } = ITEMS[name as keyof CannedAnswers];
    for (const [index, item] of value.entries())
      if (!accepts(item)) throw createWrongAnswer(`${name}[${index}]`, expected, item);
  }
}

function createWrongAnswer(path: string, expected: string, value: unknown): TypeError {
  return new TypeError(
    `\`answers.${path}\` must be ${expected} (got ${JSON.stringify(value) ?? typeof value}).`,
  );
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
