import type { JsonSchema } from "@tenon/runtime/manifest";
import { describe, expect, test } from "vitest";
import { acceptedAnswers } from "../../packages/cli/src/call/answer-text.js";
import { givenAnswers } from "../../packages/cli/src/call/given-answers.js";

const properties: Record<string, JsonSchema> = {
  approve: { type: "boolean" },
  budget: { type: "string", enum: ["office", "travel"] },
  size: { type: "string", oneOf: [{ const: "s", title: "Small" }] },
  extras: { type: "array", items: { type: "string", enum: ["wifi"] } },
  from: { type: "string", format: "date" },
  seats: { type: "integer", minimum: 2 },
  colour: { type: "string", default: "red" },
  name: { type: "string" },
};

describe("what may be answered", () => {
  test.each([
    [
      "a form",
      { requestedSchema: { type: "object" as const, properties, required: Object.keys(properties) } },
    ],
    ["a form that needs nothing", { requestedSchema: { type: "object" as const, properties } }],
    ["a question", { requestedSchema: { type: "object" as const, properties: {} } }],
    ["a page", { mode: "url" as const, url: "https://example.com" }],
  ])("to %s", (_name, question) => {
    expect(acceptedAnswers({ message: "Buy it?\u001b[2J", ...question })).toMatchSnapshot();
  });
});

test.each(["yes", "[1]", "{", '"accept"'])(
  "the answer %s is refused with what the question takes",
  async (text) => {
    const { answers, unused } = givenAnswers([text, "decline"], {});
    const question = {
      message: "Who?",
      requestedSchema: { type: "object" as const, properties: { name: { type: "string" as const } } },
    };
    await expect(answers.elicit?.(question)).rejects.toMatchObject({
      message: `The answer \`${text}\` is no form in JSON, and not accept, decline or cancel.`,
      hint: `"Who?" takes { name?: string }. Write --answer '{"name":"…"}', decline or cancel.`,
      exitCode: 2,
    });
    expect(unused()).toBe(1);
  },
);
