import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
// Internal: the prompts of a terminal, without a terminal.
import { isCancel, select, text } from "../../packages/cli/src/terminal/prompts.js";

/** Opens a prompt, types the keys, and returns the answer. */
async function answer(prompt: "text" | "select", keys: string): Promise<unknown> {
  const options = { message: "Which?", input: new PassThrough(), output: new PassThrough() };
  const answered =
    prompt === "text" ? text(options) : select({ ...options, options: [{ value: "a" }, { value: "b" }] });
  options.input.write(keys);
  return answered;
}

test.each([
  ["Ctrl-C", "\u0003"],
  ["Ctrl-D", "\u0004"],
  ["Esc", "\u001B"],
  ["Ctrl-D after a text", "Ada\u0004"],
])("%s cancels a prompt", async (_name, keys) => {
  expect(isCancel(await answer("text", keys))).toBe(true);
  expect(isCancel(await answer("select", keys))).toBe(true);
});

test("Enter answers a prompt", async () => {
  expect(await answer("text", "Ada\r")).toBe("Ada");
  expect(await answer("select", "\u001B[B\r")).toBe("b");
});
