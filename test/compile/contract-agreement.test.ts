/**
 * An oracle for `tenon check`: where a value shows that a type accepts less or more than before, the comparison of the
 * schemas reports it. `CONTRACT_PAIRS=100000` tries more pairs of sources, and other ones each time.
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

const PAIRS = Number(process.env["CONTRACT_PAIRS"] ?? 300);
const SEED = process.env["CONTRACT_PAIRS"] === undefined ? 20_260_728 : Date.now();

/** The number of pairs in one program: a large one takes more memory. */
const BATCH = 500;

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

const pair = fc
  .tuple(randomType, randomType, fc.nat(EDITS.length - 1), fc.boolean())
  .chain(([type, other, edit, isReversed]: [RandomType, RandomType, number, boolean]) => {
    const edited = EDITS[edit]?.(type.text, other.text) ?? other.text;
    const [before, after] = isReversed ? [edited, type.text] : [type.text, edited];
    const value = fc.oneof(type.value, other.value, nearMiss(type.value), nearMiss(other.value));
    const nested = value.map((each) => ({ z: 0, a: each }));
    const listed = fc.array(value, { maxLength: 2 });
    const samples = fc.array(fc.oneof(value, value, nested, listed), { minLength: 30, maxLength: 30 });
    return samples.map((values) => ({ before, after, values }));
  });

it("the comparison of two sources reports what a sampled value shows", { timeout: 3_600_000 }, () => {
  let shown = 0;
  for (let start = 0; start < PAIRS; start += BATCH) {
    const batch = fc.sample(pair, { numRuns: Math.min(BATCH, PAIRS - start), seed: SEED + start });
    const project = createTypeProject(
      Object.fromEntries(
        batch.flatMap(({ before, after }, index) => [
          [`before-${index}`, `export type Row = ${before};`],
          [`after-${index}`, `export type Row = ${after};`],
        ]),
      ),
      { exactOptionalPropertyTypes: true },
    );
    for (const [index, { before, after, values }] of batch.entries()) {
      for (const direction of ["input", "output"] as const) {
        const [was, is] = [
          project.type(`before-${index}`, direction).derived,
          project.type(`after-${index}`, direction).derived,
        ];
        if (!was || !is) continue;
        const [old, now] = [was.exact ?? was.schema, is.exact ?? is.schema];
        const changes = new Set(findSchemaChanges(old, now).map(({ change }) => change));
        const [fitted, fits] = [createValidator(old), createValidator(now)];
        const at = `${direction}: ${before}\n→ ${after}`;
        for (const value of values) {
          const [was, is] = [fitted(value), fits(value)];
          if (was === is) continue;
          shown++;
          const kind = was ? "fewer" : "more";
          expect(
            changes.has(kind) || changes.has("unjudged"),
            `${kind} for ${JSON.stringify(value)}\n${at}`,
          ).toBe(true);
        }
      }
    }
  }
  expect(shown).toBeGreaterThan(PAIRS);
});
