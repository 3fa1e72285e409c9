import { describe, expect, it } from "vitest";
import { table } from "../../packages/cli/src/terminal/table.js";
import { wrap } from "../../packages/cli/src/terminal/text-format.js";

const options = { width: 60, header: (text: string) => text.toUpperCase() };

describe("a table", () => {
  it("leaves out columns without content", () => {
    expect(table(["name", "default", "text"], [["a", "", "first"]], options)).toEqual([
      "NAME  TEXT",
      "a     first",
    ]);
  });

  it("continues long cells on the next line, without breaking words", () => {
    const word = "x".repeat(45);
    const lines = table(["name", "text"], [[`${"long ".repeat(9)}name`, `a b ${word}`]], options);
    expect(lines).toEqual([
      "NAME                                      TEXT",
      "long long long long long long long long   a b",
      `long name                                 ${word}`,
    ]);
  });

  it("aligns what takes two columns for each character", () => {
    const rows = [
      ["都市", "a city"],
      ["🚀", "a rocket"],
      ["plain", "text"],
    ];
    expect(table(["name", "text"], rows, options)).toEqual([
      "NAME   TEXT",
      "都市   a city",
      "🚀     a rocket",
      "plain  text",
    ]);
  });
});

describe("wrapped text", () => {
  it("keeps line breaks, and the indentation of lines that are short enough", () => {
    expect(wrap("List:\n  - one\n  - two", 30)).toEqual(["List:", "  - one", "  - two"]);
  });

  it("counts columns, not characters", () => {
    expect(wrap("今日は 良い天気 ですね、 散歩に 行こう", 20)).toEqual([
      "今日は 良い天気",
      "ですね、 散歩に",
      "行こう",
    ]);
  });
});
