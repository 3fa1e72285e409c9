import { describe, expect, it } from "vitest";
import { declare, declareShared, OPERATORS, POSITIONS, TAGS } from "./tag-matrix.js";
import { createTypeProject } from "./type-project.js";

/** All properties of one tag: each type in each position. */
const cells = Object.values(OPERATORS)
  .flat()
  .flatMap((type) =>
    Object.entries(POSITIONS).map(([position, place]) => ({ type, position, text: place(type) })),
  );

const project = createTypeProject(
  Object.fromEntries(
    TAGS.flatMap((tag, index) => [
      [`tag${index}/tagged`, declareShared(tag)],
      [
        `tag${index}/row`,
        `${declare(tag)}export type Row = {\n${cells.map(({ text }, cell) => `p${cell}: ${text};`).join("\n")}\n};`,
      ],
    ]),
  ),
);

const directions = ["input", "output"] as const;
const rows = TAGS.flatMap((tag, index) =>
  directions
    .filter((each) => !tag.isInput || each === "input")
    .map((direction) => ({ ...tag, index, direction })),
);

describe(`a tag in ${rows.length * cells.length} combinations of tag, operator, position, and direction`, () => {
  it.each(rows)("$tag of $base applies or is reported: $direction", (row) => {
    const file = `tag${row.index}/row`;
    expect(project.errorLines(file)).toEqual(new Set());
    const { derived, diagnostics } = project.type(file, row.direction);
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    const reported = new Set(diagnostics.flatMap(({ message }) => /\bp\d+\b/.exec(message)?.[0] ?? []));
    const { properties = {}, $defs = {} } = derived?.exact ?? derived?.schema ?? {};
    const silent = cells.filter(({ type }, cell) => {
      const own = JSON.stringify(properties[`p${cell}`]);
      const named = [...own.matchAll(/#\/\$defs\/([^"]+)/g)].map(([, name = ""]) =>
        JSON.stringify($defs[name]),
      );
      const isApplied = [own, ...named].some((each) => each.includes(row.keyword));
      return !isApplied && !reported.has(`p${cell}`) && !row.lacks?.includes(type);
    });
    expect(silent).toEqual([]);
  });
});
