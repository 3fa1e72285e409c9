import { expect, test } from "vitest";
// Internal: any answer of a person, without a terminal for each.
import { findCountProblem, findTextProblem } from "../../packages/cli/src/call/field-problem.js";

test.each([
  ["", { type: "string" }, "Enter a value."],
  ["ab", { type: "string", minLength: 3 }, "Enter at least 3 characters (got 2)."],
  ["😀😀", { type: "string", maxLength: 1 }, "Enter at most 1 characters (got 2)."],
  ["31.1.2030", { type: "string", format: "date" }, "Enter a date, such as 2030-01-31."],
  ["2030-02-30", { type: "string", format: "date" }, "Enter a date, such as 2030-01-31."],
  ["2030-01-31", { type: "string", format: "date" }, undefined],
  ["2030-01-31T12:00:00+01:00", { type: "string", format: "date-time" }, undefined],
  ["2030-01-31 12:00", { type: "string", format: "date-time" }, expect.stringContaining("a date and time")],
  ["ada", { type: "string", format: "email" }, "Enter an email address."],
  ["example.com", { type: "string", format: "uri" }, expect.stringContaining("a complete URL")],
  ["x", { type: "number" }, "Enter a number."],
  ["1.5", { type: "integer" }, "Enter an integer."],
  ["0", { type: "number", minimum: 1 }, "Enter 1 or more."],
  ["3", { type: "number", maximum: 2 }, "Enter 2 or less."],
] as const)("the value %j in a field has the problem %j", (typed, schema, problem) => {
  expect(findTextProblem(typed, schema)).toEqual(problem);
});

test("too few and too many choices are rejected", () => {
  expect(findCountProblem(0, { minItems: 1 })).toBe("Choose at least 1.");
  expect(findCountProblem(3, { maxItems: 2 })).toBe("Choose at most 2.");
  expect(findCountProblem(0, {})).toBeUndefined();
});
