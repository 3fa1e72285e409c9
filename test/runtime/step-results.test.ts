import { describe, expect, test } from "vitest";
// Internal: the results of steps, without a call.
import { Effects } from "../../packages/runtime/src/call/steps/effects.js";

class Order {
  readonly id = 7;
  cancel(): void {}
}

describe("the result of a step", () => {
  test.each<[unknown, unknown]>([
    [undefined, undefined],
    [
      { id: 7, tags: ["a"], note: null },
      { id: 7, tags: ["a"], note: null },
    ],
  ])("is what JSON represents: %j", async (value, expected) => {
    expect(await new Effects().step("order", () => value)).toEqual(expected);
  });

  test.each<[string, unknown, string]>([
    ["a date", new Date(0), "it is a Date"],
    ["a number that JSON lacks", { price: NaN }, "`price` is NaN"],
    ["an instance with methods", { order: new Order() }, "`order` is an Order"],
    ["an array with `undefined`", { ids: [1, undefined] }, "`ids` is an array with `undefined`"],
    [
      "the match of a regular expression",
      /(?<id>7)/.exec("7"),
      "it is an array with members that JSON omits",
    ],
    ["an object with a method", { id: 7, cancel: () => undefined }, "`cancel` is a function"],
  ])("is rejected if it is or contains %s", async (_, value, reason) => {
    await expect(new Effects().step("order", () => value)).rejects.toThrow(
      new TypeError(
        `The result of the step "order" must be JSON, because a later run may read it from a record, but ${reason}. ` +
          "Return strings, numbers, booleans, `null`, and arrays and objects of these.",
      ),
    );
  });
});
