import type { JsonValue } from "@tenon/runtime/manifest";
import * as fc from "fast-check";
import { ts } from "ts-morph";
import { expect, it } from "vitest";
import { LONG_COMPUTATION } from "../support/long-computation.js";
import { nearMiss, randomType } from "./random-types.js";
import { createValidator } from "./sample-validator.js";
import { createTypeProject } from "./type-project.js";

const SEED = 20_260_728;
const TYPES = 200;

/** Types with values of them and near misses, as one file each. */
const samples = fc.sample(
  randomType.chain(({ text, value }) =>
    fc.record({
      text: fc.constant(text),
      values: fc.array(value, { minLength: 6, maxLength: 6 }),
      misses: fc.array(nearMiss(value), { minLength: 10, maxLength: 10 }),
    }),
  ),
  { numRuns: TYPES, seed: SEED },
);

const project = createTypeProject(
  Object.fromEntries(
    samples.map(({ text, values, misses }, index) => [
      `random-${index}`,
      [
        `export type Row = ${text};`,
        ...[...values, ...misses].map((each, at) => `export type Value${at} = ${literalType(each)};`),
      ].join("\n"),
    ]),
  ),
  // Otherwise, an optional element may be `undefined`, which JSON writes as null, a form that the checker does not
  // have.
  { exactOptionalPropertyTypes: true },
);

/** Creates the type whose only value is the given one. Its assignability is structural, like that of a stored value. */
function literalType(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map((item) => literalType(item)).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([name, item]) => `${JSON.stringify(name)}: ${literalType(item)}`)
    .join("; ")} }`;
}

function findType(file: ts.SourceFile, name: string): ts.Type {
  const alias = file.statements.find((each) => ts.isTypeAliasDeclaration(each) && each.name.text === name);
  if (!alias || !ts.isTypeAliasDeclaration(alias)) throw new Error(`No type ${name}.`);
  return project.checker.getTypeFromTypeNode(alias.type);
}

it("a result's schema accepts exactly what TypeScript finds assignable", LONG_COMPUTATION, () => {
  let judged = 0;
  for (const [index, { text, values, misses }] of samples.entries()) {
    const { derived, diagnostics } = project.type(`random-${index}`, "output");
    // A random type may be one that has no values.
    const problems = diagnostics.filter(({ code }) => code !== "type-never");
    expect(problems, text).toEqual([]);
    if (!derived) continue;
    const accepts = createValidator(derived.exact ?? derived.schema);
    const file = project.file(`random-${index}`);
    for (const [at, value] of [...values, ...misses].entries()) {
      const assignable = project.checker.isTypeAssignableTo(
        findType(file, `Value${at}`),
        findType(file, "Row"),
      );
      expect(accepts(value), `${JSON.stringify(value)} for ${text}`).toBe(assignable);
      judged++;
    }
  }
  expect(judged).toBeGreaterThan(TYPES * 12);
});

it("an argument's schema accepts no more than a result's", LONG_COMPUTATION, () => {
  for (const [index, { text, values, misses }] of samples.entries()) {
    const [input, output] = [project.type(`random-${index}`), project.type(`random-${index}`, "output")];
    if (!input.derived || !output.derived) continue;
    const closed = createValidator(input.derived.exact ?? input.derived.schema);
    const open = createValidator(output.derived.exact ?? output.derived.schema);
    const listed = input.derived.exact ? createValidator(input.derived.schema) : closed;
    for (const value of [...values, ...misses]) {
      if (!closed(value)) continue;
      expect(open(value), `${JSON.stringify(value)} for ${text}`).toBe(true);
      expect(listed(value), `${JSON.stringify(value)} for ${text}, as listed`).toBe(true);
    }
  }
});
