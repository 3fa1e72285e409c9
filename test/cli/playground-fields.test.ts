import { expect, test } from "vitest";
// Internal: in a browser, each row would need a form of its own.
import { parseFieldErrors } from "../../packages/cli/playground/form/parse-field-errors.js";

test.each([
  ["`how.bags` must be at most 3 (got 9)", "form-how-bags"],
  ["missing `stops[0].city` (a string)", "form-stops-0-city"],
  ['`how["two words"]` must be a number (got "x")', "form-how-two words"],
  ['`how["a.b"].c` must be a number (got "x")', "form-how-a.b-c"],
  ['missing argument `["content type"]` (a string)', "form-content type"],
])("the playground shows a message at its field: %s", (issue, id) => {
  const errors = parseFieldErrors(`Invalid arguments for tool "plan":\n- ${issue}\n- missing \`x\``, "form");
  expect([...errors]).toEqual([
    [id, issue],
    ["form-x", "missing `x`"],
  ]);
});
