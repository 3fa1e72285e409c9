/**
 * Matchers that check the tool calls of a model, and a function that connects a model to a server.
 *
 * @example
 * import { matchers } from "@tenon/cli/matchers";
 * import { expect } from "vitest";
 *
 * expect.extend(matchers);
 * @module
 */
import type { EvalToolName, ExpectedArguments } from "../testing/define-evals.js";
import { judgeArguments } from "./judge.js";
import type { ModelAnswer, ModelCall } from "./model/question.js";

export { hasModel, openModel, type Model, type ModelOptions } from "./open-model.js";
export type { ModelAnswer, ModelCall, TokenUsage } from "./model/question.js";

/** The matchers for the responses of a model. */
export interface ModelMatchers {
  /**
   * Passes if the model calls the tool, with these arguments among others. It may call other tools, too.
   *
   * @param args the arguments that matter: values, patterns for their text, or functions
   */
  toCallTool<Name extends EvalToolName>(tool: Name, args?: ExpectedArguments<Name>): void;
  /** Passes if the model calls no tool. */
  toCallNoTool(): void;
}

// Vitest also extends Jest's matchers, so this declaration serves both and needs the types of neither.
declare global {
  namespace jest {
    // oxlint-disable-next-line typescript/no-empty-object-type, typescript/no-unused-vars -- equal to the original
    interface Matchers<R, T = {}> extends ModelMatchers {}
  }
}

/** The result of a matcher. */
interface MatcherResult {
  pass: boolean;
  message(): string;
}

/** The matchers, for `expect.extend` of Vitest or Jest. */
export const matchers = {
  toCallTool(received: unknown, tool: string, args: object = {}): MatcherResult {
    const { calls } = checkAnswer(received);
    const candidates = calls.filter((call) => call.tool === tool);
    const judged = candidates.map((call) =>
      judgeArguments({ arguments: { ...args }, file: "toCallTool" }, call),
    );
    const pass = candidates.some(
      (call, index) =>
        call.arguments !== undefined && judged[index]?.every(({ isRight }) => isRight) === true,
    );
    const wrong = (judged[0] ?? [])
      .filter(({ isRight }) => !isRight)
      .map(({ name, expected, received: value }) => `\`${name}\` is ${value}, expected ${expected}.`);
    const expectation = `Expected the model ${pass ? "not to" : "to"} call \`${tool}\`.`;
    return {
      pass,
      message: () => [expectation, ...(pass ? [] : wrong), describeCalls(calls)].join("\n"),
    };
  },
  toCallNoTool(received: unknown): MatcherResult {
    const { calls } = checkAnswer(received);
    const pass = calls.length === 0;
    return {
      pass,
      message: () => `Expected the model to call ${pass ? "a tool" : "no tool"}.\n${describeCalls(calls)}`,
    };
  },
};

/**
 * Returns the response.
 *
 * @throws TypeError for any other value, such as a promise that was not awaited
 */
function checkAnswer(value: unknown): ModelAnswer {
  const { calls } = Object(value) as Partial<ModelAnswer>;
  if (Array.isArray(calls)) return value as ModelAnswer;
  throw new TypeError(
    'The value is not the response of a model. Write `expect(await model.ask("…"))`, with `await`.',
  );
}

function describeCalls(calls: readonly ModelCall[]): string {
  if (calls.length === 0) return "It called no tool.";
  const texts = calls.map(
    ({ tool, arguments: args, invalidArguments }) =>
      `  ${tool} ${args === undefined ? `with arguments that are not a JSON object: ${invalidArguments}` : JSON.stringify(args)}`,
  );
  return `It called:\n${texts.join("\n")}`;
}
