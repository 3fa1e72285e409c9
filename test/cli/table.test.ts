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
    const lines = table(["name", "text"], [[`${"long ".repeat(9)}name`, `a b ${word}`]], {
      ...options,
      width: 90,
    });
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

describe("a table that is wider than the terminal", () => {
  const head = ["argument", "type", "required", "description"];
  const rows = [
    ["city", "string", "yes", "City name, in English"],
    ["units", 'one of "metric" and "imperial"', "no", ""],
  ];
  const at = (width: number): string => table(head, rows, { width, header: (text) => text }).join("\n");

  it("wraps its widest column first, at spaces", () => {
    expect(at(60)).toMatchInlineSnapshot(`
      "argument  type                required  description
      city      string              yes       City name, in
                                              English
      units     one of "metric"     no
                and "imperial""
    `);
  });

  it("becomes a list where columns have no room beside each other", () => {
    expect(at(40)).toMatchInlineSnapshot(`
      "city
        type: string
        required: yes
        description: City name, in English

      units
        type: one of "metric" and "imperial"
        required: no"
    `);
    expect(at(24)).toMatchInlineSnapshot(`
      "city
        type: string
        required: yes
        description: City
        name, in English

      units
        type: one of "metric"
        and "imperial"
        required: no"
    `);
  });

  it.each([100, 70, 60, 50, 40, 30, 24])("is never wider than %i columns", (width) => {
    for (const line of at(width).split("\n")) expect(line.length).toBeLessThanOrEqual(width);
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
