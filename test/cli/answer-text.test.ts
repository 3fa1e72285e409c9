import type { JsonSchema } from "@tenon/runtime/manifest";
import { describe, expect, test } from "vitest";
// Internal: any answer of a person, without a terminal for each.
import { formatAcceptedAnswers } from "../../packages/cli/src/call/answer-text.js";
import { createScriptedAnswers } from "../../packages/cli/src/call/scripted-answers.js";

const properties: Record<string, JsonSchema> = {
  approve: { type: "boolean" },
  budget: { type: "string", enum: ["office", "travel"] },
  size: { type: "string", oneOf: [{ const: "s", title: "Small" }] },
  extras: { type: "array", items: { type: "string", enum: ["wifi"] } },
  from: { type: "string", format: "date" },
  seats: { type: "integer", minimum: 2 },
  color: { type: "string", default: "red" },
  name: { type: "string" },
};

describe("a typed answer", () => {
  test.each([
    [
      "a form",
      { requestedSchema: { type: "object" as const, properties, required: Object.keys(properties) } },
    ],
    ["a form that needs nothing", { requestedSchema: { type: "object" as const, properties } }],
    ["a question", { requestedSchema: { type: "object" as const, properties: {} } }],
    ["a page", { mode: "url" as const, url: "https://example.com" }],
  ])("is converted to the type of its question: %s", (_name, question) => {
    expect(formatAcceptedAnswers({ message: "Buy it?\u001b[2J", ...question })).toMatchSnapshot();
  });
});

test.each(["yes", "[1]", "{", '"accept"'])(
  "the answer %s is rejected with an error that lists the values that the question accepts",
  async (text) => {
    const { answers, countUnused } = createScriptedAnswers([text, "decline"], {});
    const question = {
      message: "Who?",
      requestedSchema: { type: "object" as const, properties: { name: { type: "string" as const } } },
    };
    await expect(answers.elicit?.(question)).rejects.toMatchObject({
      message: `The answer \`${text}\` is neither a JSON object nor accept, decline, or cancel.`,
      hint: `"Who?" accepts { name?: string }. Use --answer '{"name":"…"}', decline, or cancel.`,
      exitCode: 2,
    });
    expect(countUnused()).toBe(1);
  },
);
