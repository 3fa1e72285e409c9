import type { Input, JsonSchema, JsonValue } from "@tenon/runtime/manifest";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { schemaFeatures } from "../../packages/compiler/src/emit/schema-features.js";
import { createVocabulary, fullVocabulary } from "../../packages/runtime/src/explain/create-vocabulary.js";
import { describeIssues } from "../../packages/runtime/src/explain/issues.js";
import { readLeniently } from "../../packages/runtime/src/explain/coercion.js";
import type { Vocabulary } from "../../packages/runtime/src/explain/vocabulary.js";
import { allFeatures } from "../../packages/runtime/src/features.js";
import { randomPart, randomValue } from "./random-schemas.js";
import { nearMiss } from "./random-types.js";
import { valuesOf } from "./schema-values.js";
import { families } from "./types/families.js";

const SEED = 20_260_728;

const rows = Object.values(families)
  .flat()
  .map((row) => ({ type: row.type, row, schema: row.exact ?? row.schema }));

/** What is needed by a server that is emitted for a tool with this schema. */
function featuresFor(schema: JsonSchema, allows?: Input["allows"]): ReturnType<typeof schemaFeatures> {
  const definition = { name: "tool", inputSchema: schema as { type: "object" } };
  const handler = { module: "src/tools.ts", export: "Tools", method: "tool", parameters: [] };
  return schemaFeatures({
    manifestVersion: 1,
    server: { name: "tools", version: "1.0.0" },
    tools: [{ definition, handler, input: { ...(allows && { allows }) }, output: { kind: "none" } }],
    prompts: [],
    resources: [],
    resourceTemplates: [],
  });
}

function vocabularyFor(schema: JsonSchema, allows?: Input["allows"]): Vocabulary {
  const needed = [...featuresFor(schema, allows)];
  return createVocabulary(Object.fromEntries(needed.map((name) => [name, allFeatures[name]])));
}

describe("a server with the features that its schemas need", () => {
  const allowances: Input["allows"][] = [undefined, { nullForAbsent: true }, { singleForArray: true }];

  /** Holds what the server says and reads against what it would with all features. */
  function compare(schema: JsonSchema): (value: JsonValue) => void {
    const servers = allowances.map((allows) => ({ allows, own: vocabularyFor(schema, allows) }));
    return (value) => {
      const context = `${JSON.stringify(value)} for ${JSON.stringify(schema)}`;
      for (const { allows, own } of servers) {
        const [ours, all] = [own, fullVocabulary].map((vocabulary) => [
          describeIssues(undefined, schema, value, "argument", vocabulary),
          readLeniently(schema, value, vocabulary, allows),
        ]);
        expect(ours, context).toEqual(all);
      }
    };
  }

  it.each(rows)("answers as with all of them for $type", ({ row, schema }) => {
    const check = compare(schema);
    const value = valuesOf(schema);
    const texts = value.map((each) => JSON.stringify(each));
    fc.assert(fc.property(fc.oneof(nearMiss(value), value, texts), check), { numRuns: 10, seed: SEED });
    for (const sample of [...row.accepts, ...row.rejects]) check(sample);
  });

  it.each<[JsonSchema, JsonValue]>([
    [{ const: { a: [1] } }, { a: [1] }],
    [{ enum: ["a", [1]] }, [1]],
    [{ enum: ["a", { b: 1 }] }, { b: 1 }],
    [{ items: false }, [1]],
  ])("answers as with all of them for %j", (schema, value) => compare(schema)(value));

  it("takes what clients send for want of a better way where its profile says so", () => {
    expect([...featuresFor({ type: "object" }, { nullForAbsent: true })]).toEqual(["allowances"]);
    expect([...featuresFor({ type: "object" })]).toEqual([]);
  });

  it("answers as with all of them for schemas of any keywords", () => {
    const counts = new Map<number, number>();
    fc.assert(
      fc.property(randomPart, fc.array(randomValue, { minLength: 3, maxLength: 3 }), (part, values) => {
        const { $defs = {}, ...member } = part;
        const schema: JsonSchema = {
          type: "object",
          properties: { a: member },
          ...(Object.keys($defs).length > 0 && { $defs }),
        };
        const { size } = featuresFor(schema);
        counts.set(size, (counts.get(size) ?? 0) + 1);
        const check = compare(schema);
        for (const value of values) {
          check(value);
          check({ a: value });
        }
      }),
      { numRuns: 400, seed: SEED },
    );
    // From none of them to all that schemas of known keywords can need.
    expect([...counts.keys()].sort()).toEqual([0, 1, 2, 3, 4]);
  });
});
