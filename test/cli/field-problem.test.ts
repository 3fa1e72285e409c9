import { expect, test } from "vitest";
import { countProblem, textProblem } from "../../packages/cli/src/call/field-problem.js";

test.each([
  ["", { type: "string" }, "It is needed."],
  ["ab", { type: "string", minLength: 3 }, "It must have 3 characters or more, and has 2."],
  ["😀😀", { type: "string", maxLength: 1 }, "It must have no more than 1 characters, and has 2."],
  ["31.1.2030", { type: "string", format: "date" }, "It must be a date, such as 2030-01-31."],
  ["2030-02-30", { type: "string", format: "date" }, "It must be a date, such as 2030-01-31."],
  ["2030-01-31", { type: "string", format: "date" }, undefined],
  ["2030-01-31T12:00:00+01:00", { type: "string", format: "date-time" }, undefined],
  ["2030-01-31 12:00", { type: "string", format: "date-time" }, expect.stringContaining("and a time")],
  ["ada", { type: "string", format: "email" }, "It must be an email address."],
  ["example.com", { type: "string", format: "uri" }, expect.stringContaining("a whole URL")],
  ["x", { type: "number" }, "It must be a number."],
  ["1.5", { type: "integer" }, "It must be a whole number."],
  ["0", { type: "number", minimum: 1 }, "It must be 1 or more."],
  ["3", { type: "number", maximum: 2 }, "It must be 2 or less."],
] as const)("%j in a field %j", (typed, schema, problem) => {
  expect(textProblem(typed, schema)).toEqual(problem);
});

test("too few and too many choices", () => {
  expect(countProblem(0, { minItems: 1 })).toBe("Choose 1 or more.");
  expect(countProblem(3, { maxItems: 2 })).toBe("Choose 2 or fewer.");
  expect(countProblem(0, {})).toBeUndefined();
});
