/**
 * An oracle for `tenon check`: where a value shows that a type accepts less or more than before, the comparison of the
 * schemas reports it. `CONTRACT_PAIRS=1000000` tries more pairs of sources, and other ones each time.
 *
 * Sampling cannot decide whether a reported change is one: values that only one type has may be too rare to be found.
 */
import * as fc from "fast-check";
import { expect, it } from "vitest";
// Internal: changes between any two schemas, without a project for each.
import { findSchemaChanges } from "../../packages/cli/src/compare/schema/schema-changes.js";
import { nearMiss, randomType, type RandomType } from "./random-types.js";
import { createValidator } from "./sample-validator.js";
import { createTypeProject } from "./type-project.js";

const PAIRS = Number(process.env["CONTRACT_PAIRS"] ?? 10_000);
const SEED = process.env["CONTRACT_PAIRS"] === undefined ? 20_260_728 : Date.now();

/** The number of families in one program: a large one takes more memory. */
const BATCH = 20;

/** The number of values with which the types of a family are compared. */
const SAMPLES = 60;

/** Ways in which an author may change a type, with another type at hand. */
const EDITS: readonly ((type: string, other: string) => string)[] = [
  (_type, other) => other,
  (type, other) => `(${type}) | (${other})`,
  (type, other) => `Exclude<(${type}) | (${other}), string>`,
  (type) => `Partial<${type}>`,
  (type) => `Required<${type}>`,
  (type) => `Omit<${type}, "a">`,
  (type) => `Pick<${type}, keyof (${type}) & ("a" | "b" | "z")>`,
  (type, other) => `(${type}) & { e?: ${other} }`,
  (type, other) => `(${type}) & { e: ${other} }`,
  (type, other) => `(${type}) | { a: ${other}; z: 0 }`,
  (type) => `{ z: 0; a: ${type} }`,
  (type) => `(${type})[]`,
  (type) => `(${type}) | null`,
  (type, other) => `Record<string, (${type}) | (${other})>`,
];

/** Two types with all edits of each. Every pair of them is one change of a source. */
const family = fc.tuple(randomType, randomType).chain(([type, other]: [RandomType, RandomType]) => {
  const edited = EDITS.flatMap((edit) => [edit(type.text, other.text), edit(other.text, type.text)]);
  const texts = [...new Set([type.text, other.text, ...edited])];
  const value = fc.oneof(type.value, other.value, nearMiss(type.value), nearMiss(other.value));
  const nested = value.map((each) => ({ z: 0, a: each }));
  const listed = fc.array(value, { maxLength: 2 });
  const samples = fc.array(fc.oneof(value, value, nested, listed), {
    minLength: SAMPLES,
    maxLength: SAMPLES,
  });
  return samples.map((values) => ({ texts, values }));
});

it(
  "the comparison of two sources reports every change that a sampled value reveals",
  { timeout: 7_200_000 },
  () => {
    let pairs = 0;
    let shown = 0;
    for (let batch = 0; pairs < PAIRS; batch++) {
      const families = fc.sample(family, { numRuns: BATCH, seed: SEED + batch });
      const project = createTypeProject(
        Object.fromEntries(
          families.flatMap(({ texts }, index) =>
            texts.map((text, number) => [`type-${index}-${number}`, `export type Row = ${text};`]),
          ),
        ),
        { exactOptionalPropertyTypes: true },
      );
      for (const [index, { texts, values }] of families.entries()) {
        for (const direction of ["input", "output"] as const) {
          const types = texts.flatMap((text, number) => {
            const { derived } = project.type(`type-${index}-${number}`, direction);
            if (!derived) return [];
            const schema = derived.exact ?? derived.schema;
            const accepts = createValidator(schema);
            return [{ text, schema, accepted: values.map((value) => accepts(value)) }];
          });
          for (const before of types) {
            for (const after of types) {
              if (before === after) continue;
              pairs++;
              const differing = values.flatMap((value, at) =>
                before.accepted[at] === after.accepted[at]
                  ? []
                  : [{ value, kind: before.accepted[at] === true ? "fewer" : "more" } as const],
              );
              if (differing.length === 0) continue;
              const changes = new Set(
                findSchemaChanges(before.schema, after.schema).map(({ change }) => change),
              );
              const unreported = differing.find(({ kind }) => !changes.has(kind) && !changes.has("unknown"));
              shown++;
              if (unreported !== undefined)
                expect.fail(
                  `${unreported.kind} for ${JSON.stringify(unreported.value)}, ${direction}\n${before.text}\n→ ${after.text}`,
                );
            }
          }
        }
      }
    }
    expect(shown).toBeGreaterThan(pairs / 3);
  },
);
