import type { CreateMessageResult } from "@tenon/runtime/manifest";
import type { Answers } from "@tenon/runtime/testing";

/**
 * What a test answers when the server asks its client: functions, or lists whose items are used one by one, and whose last
 * is used for whatever is asked after it.
 *
 * @example
 * import { connect } from "@tenon/cli/testing";
 *
 * const server = await connect(".", {
 *   answers: { elicit: [{ name: "Ada" }, "decline"], sample: ["A short summary."], roots: [{ uri: "file:///work" }] },
 * });
 */
export interface CannedAnswers {
  /** What the user fills in, form by form, or that they decline or cancel. */
  elicit?: NonNullable<Answers["elicit"]> | readonly (object | "decline" | "cancel")[];
  /** What the client's model says: a text, or its message where that is more, such as a call of a tool. */
  sample?: NonNullable<Answers["sample"]> | readonly (string | SampledMessage)[];
  roots?: NonNullable<Answers["roots"]>;
}

/** What a model answers, as far as it matters: a `stopReason` of `toolUse` goes with a call of a tool. */
export type SampledMessage = Pick<CreateMessageResult, "content"> & Partial<CreateMessageResult>;

/** The same as functions. */
export function answersOf({ elicit, sample, roots }: CannedAnswers): Answers {
  return {
    ...(elicit && { elicit: typeof elicit === "function" ? elicit : elicitFrom(elicit) }),
    ...(sample && { sample: typeof sample === "function" ? sample : sampleFrom(sample) }),
    ...(roots && { roots }),
  };
}

function elicitFrom(answers: readonly (object | "decline" | "cancel")[]): NonNullable<Answers["elicit"]> {
  const next = inTurn(answers, "elicit");
  return () => {
    const answer = next();
    return typeof answer === "object" ? { action: "accept", content: answer } : { action: answer };
  };
}

function sampleFrom(messages: readonly (string | SampledMessage)[]): NonNullable<Answers["sample"]> {
  const next = inTurn(messages, "sample");
  return () => {
    const message = next();
    const said: SampledMessage =
      typeof message === "string" ? { content: { type: "text", text: message } } : message;
    return { role: "assistant", model: "test", stopReason: "endTurn", ...said };
  };
}

function inTurn<Item>(items: readonly Item[], name: string): () => Item {
  let index = 0;
  return () => {
    const item = items[Math.min(index, items.length - 1)];
    index += 1;
    if (item === undefined) throw new Error(`\`answers.${name}\` of the test is an empty list.`);
    return item;
  };
}
