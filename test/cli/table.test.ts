import { describe, expect, it } from "vitest";
// Internal: tables of any width.
import { formatTable } from "../../packages/cli/src/terminal/table.js";
import { wrap } from "../../packages/cli/src/terminal/text-format.js";

const options = { width: 60, header: (text: string) => text.toUpperCase() };

describe("a table", () => {
  it("omits columns without content", () => {
    expect(formatTable(["name", "default", "text"], [["a", "", "first"]], options)).toEqual([
      "NAME  TEXT",
      "a     first",
    ]);
  });

  it("continues long cells on the next line, without breaking words", () => {
    const word = "x".repeat(45);
    const lines = formatTable(["name", "text"], [[`${"long ".repeat(9)}name`, `a b ${word}`]], {
      ...options,
      width: 90,
    });
    expect(lines).toEqual([
      "NAME                                      TEXT",
      "long long long long long long long long   a b",
      `long name                                 ${word}`,
    ]);
  });

  it("aligns characters of double width", () => {
    const rows = [
      ["都市", "a city"],
      ["🚀", "a rocket"],
      ["plain", "text"],
    ];
    expect(formatTable(["name", "text"], rows, options)).toEqual([
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
  const at = (width: number): string => formatTable(head, rows, { width, header: (text) => text }).join("\n");

  it("wraps its widest column first, at spaces", () => {
    expect(at(60)).toMatchInlineSnapshot(`
      "argument  type                required  description
      city      string              yes       City name, in
                                              English
      units     one of "metric"     no
                and "imperial""
    `);
  });

  it("becomes a list if its columns do not fit next to each other", () => {
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
  it("keeps line breaks, and the indentation of short lines", () => {
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
