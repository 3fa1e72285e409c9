import { expect, it } from "vitest";
import { declare, declareShared, OPERATORS, type TagCase } from "./tag-matrix.js";
import { createTypeProject } from "./type-project.js";

const types = Object.values(OPERATORS).flat();

/** Each operator, applied to the result of each other one. */
const pairs = types.flatMap((outer) => {
  const operand = /\bT\b/.test(outer) ? /\bT\b/ : /\bM\b/;
  return operand.test(outer)
    ? types.map((inner) => ({ outer, inner, type: outer.replace(operand, () => `(${inner})`) }))
    : [];
});

/** Tags, and how a schema shows that it contains the type without the tag. */
const TAGS: readonly (TagCase & { untagged: RegExp })[] = [
  { tag: "@minimum 3", base: "number", keyword: '"minimum":3', untagged: /"number"/ },
  { tag: "@format date", base: "Date", keyword: '"format":"date"', untagged: /"date-time"/ },
  {
    tag: "@minItems 1",
    base: "string[]",
    keyword: '"minItems":1',
    untagged: /\{"type":"array","items":\{"type":"string"\}\}/,
  },
];

/** Types for which the checker merges the tagged type with others, or replaces it by a type of its own. */
const OTHER_TYPES = new Set(["Filter<(T | { z: 1 })>", "Partial<(Variadic<T[]>)>"]);

function isOtherType({ outer, inner, type }: (typeof pairs)[number]): boolean {
  const isMerged = outer === "{ v: B } & { v: T }" || outer === "{ v: T } & { v: B }";
  return isMerged || inner === "NoInfer<T>" || OTHER_TYPES.has(type);
}

const PAIRS_PER_FILE = 500;
const files = Array.from({ length: Math.ceil(pairs.length / PAIRS_PER_FILE) }, (_, index) =>
  pairs.slice(index * PAIRS_PER_FILE, (index + 1) * PAIRS_PER_FILE),
);

it.each(TAGS)("$tag of $base applies to types of two operators, or is reported", (tag) => {
  const before = `${declare(tag)}export class Tools {\n`;
  const project = createTypeProject({
    tagged: declareShared(tag),
    ...Object.fromEntries(
      files.map((own, index) => [
        `pairs${index}`,
        `${before}${own.map(({ type }, number) => `m${number}(a: ${type}) {}`).join("\n")}\n}`,
      ]),
    ),
  });
  let derived = 0;
  const silent = files.flatMap((own, index) => {
    const file = `pairs${index}`;
    // Many pairs, such as `M["m"]` of a number, are errors.
    const errors = project.errorLines(file);
    return own.filter((pair, number) => {
      if (errors.has(before.split("\n").length + number)) return false;
      const outcome = project.method(file, `m${number}`);
      if (outcome.diagnostics.length > 0 || isOtherType(pair)) return false;
      derived++;
      const schema = JSON.stringify(outcome.derived?.exact ?? outcome.derived?.schema);
      return tag.untagged.test(schema) && !schema.includes(tag.keyword);
    });
  });
  expect(silent.map(({ type }) => type)).toEqual([]);
  expect(derived).toBeGreaterThan(pairs.length / 2);
});
