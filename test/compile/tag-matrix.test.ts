import { describe, expect, it } from "vitest";
import { declare, declareShared, NESTED, OPERATORS, POSITIONS, TAGS } from "./tag-matrix.js";
import { createTypeProject } from "./type-project.js";

const types = [...Object.values(OPERATORS).flat(), ...NESTED];

/** All properties of one tag: each type in each position. */
const cells = types.flatMap((type) =>
  Object.entries(POSITIONS).map(([position, place]) => ({ type, position, text: place(type) })),
);

/**
 * Methods with type parameters whose constraints have the tag, one with the type of a member, and classes that pass the tagged type to the
 * class that they extend. In a class that uses `this`, the checker copies the type parameters.
 */
function declareMethods(own: string): string {
  const methods = types.map(
    (type, index) =>
      `m${index}<P extends ${type}, Q extends P, R extends IBox<Q>>(a: P, b: Q[], c: IBox<Q>, d: R, e: Q | null) {}`,
  );
  return `export class Tools {
    own!: T; held!: IBox<T>;
    member(a: ${own}["own"], b: ${own}["own"][], c: IBox<${own}["own"]>, d: Partial<${own}["held"]>) {}
    ${methods.join("\n")}
  }
  class BaseOf<X, Y extends X = X> {
    own!: X;
    run<Z extends X>(a: X, b: X[], c: IBox<X>, d: Y, e: ${own === "this" ? 'this["own"]' : "X"}[], f: Z, g: Z[], h: IBox<Z>) {}
  }
  class Between<X> extends BaseOf<X> {}
  ${types.map((type, index) => `class C${index} extends Between<${type}> {}`).join("\n")}`;
}

const project = createTypeProject(
  Object.fromEntries(
    TAGS.flatMap((tag, index) => [
      [`tag${index}/tagged`, declareShared(tag)],
      [`tag${index}/methods`, `${declare(tag)}${declareMethods("Tools")}`],
      [`tag${index}/this`, `${declare(tag)}${declareMethods("this")}`],
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

const tools = [
  ...types.map((type, index) => ({ type, method: `m${index}` })),
  { type: "own", method: "member" },
];
const classes = types.map((type, index) => ({ type, name: `C${index}` }));

describe(`a tag of a type parameter, in ${TAGS.length * (tools.length + classes.length) * 2} methods`, () => {
  const files = TAGS.flatMap((tag, index) => ["methods", "this"].map((file) => ({ ...tag, index, file })));
  it.each(files)("$tag of $base applies or is reported: $file", ({ index, file, keyword, lacks }) => {
    const name = `tag${index}/${file}`;
    const outcomes = [
      ...tools.map(({ type, method }) => ({ type, ...project.method(name, method) })),
      ...classes.map((each) => ({ type: each.type, ...project.inheritedMethod(name, each.name, "run") })),
    ];
    const silent = outcomes.flatMap(({ type, derived, diagnostics }) => {
      // A warning about a type is reported for the first argument that has it.
      if (diagnostics.length > 0 || lacks?.includes(type)) return [];
      const { properties = {}, $defs = {} } = derived?.exact ?? derived?.schema ?? {};
      return Object.entries(properties).flatMap(([argument, schema]) => {
        const own = JSON.stringify(schema);
        const named = [...own.matchAll(/#\/\$defs\/([^"]+)/g)].map(([, each = ""]) =>
          JSON.stringify($defs[each]),
        );
        return [own, ...named].some((each) => each.includes(keyword)) ? [] : [{ type, argument, own }];
      });
    });
    expect(silent).toEqual([]);
  });
});
