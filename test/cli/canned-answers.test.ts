import { pathToFileURL } from "node:url";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
// Internal: the answers of a test, without a project.
import { toAnswers } from "../../packages/cli/src/testing/canned-answers.js";

describe("the answers of a test", () => {
  test("share folders by their paths", () => {
    const { roots } = toAnswers({ roots: ["/home/ada/notes", "data", { uri: "file:///srv" }] });
    expect(roots).toEqual([
      { uri: pathToFileURL("/home/ada/notes").href, name: "notes" },
      { uri: pathToFileURL(resolve("data")).href, name: "data" },
      { uri: "file:///srv" },
    ]);
  });

  test.each([
    [{ elict: [] }, "`answers.elict` answers no request. Use `elicit`, `sample`, or `roots`."],
    [{ sample: "Hello" }, '`answers.sample` must be a list or a function (got "Hello").'],
    [{ elicit: { name: "Ada" } }, '`answers.elicit` must be a list or a function (got {"name":"Ada"}).'],
    [{ roots: () => [] }, "`answers.roots` must be a list (got function)."],
    [{ roots: ["/srv", 5] }, "`answers.roots[1]` must be a path, or an object with a `uri` (got 5)."],
    [
      { elicit: ["declined"] },
      '`answers.elicit[0]` must be an object, "decline", or "cancel" (got "declined").',
    ],
    [
      { sample: [{ text: "Hi" }] },
      '`answers.sample[0]` must be a string, or an object with `content` (got {"text":"Hi"}).',
    ],
  ])("reject %j", (answers, message) => {
    // Tests in JavaScript have no types.
    expect(() => toAnswers(answers as object)).toThrow(new TypeError(message));
  });
});
