import type { JsonSchema, JsonValue } from "@tenon/runtime/manifest";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
// Internal: which members a server sends, and how results of legacy revisions are wrapped.
import type { Direction } from "../../packages/compiler/src/schema/derive.js";
import { omitUndeclared } from "../../packages/runtime/src/data/results/declared-members.js";
import { wrapSchema } from "../../packages/runtime/src/protocol/projection.js";
import { createValidator } from "./sample-validator.js";
import { READERS } from "./schema-readers.js";
import { generateValues } from "./schema-values.js";
import { createTypeProject } from "./type-project.js";
import { families } from "./types/families.js";

const SEED = 20_260_728;
const SAMPLES = 10;

const cases = Object.entries(families).flatMap(([family, rows]) =>
  rows.map((row, index) => ({ row, type: row.type, file: `${family}-${index}` })),
);

const project = createTypeProject({
  "shared-types": "export interface Exported { note: string }\nexport type { Exported as Again };\n",
  ...Object.fromEntries(
    cases.map(({ row, file }) => [file, `${row.declare ?? ""}\nexport type Row = ${row.type};\n`]),
  ),
});

/**
 * Listed schema of a type, and values that the exact schema accepts: the samples of the row, and some generated from the
 * schema. Results are as the server sends them, without undeclared members.
 */
interface Listed {
  readonly schema: JsonSchema;
  readonly fitting: readonly JsonValue[];
}

const known = new Map<string, Listed | undefined>();

/** Returns the listed schema of a type with accepted values, which are the same for every reader. */
function getListed({ row, file }: (typeof cases)[number], direction: Direction): Listed | undefined {
  const key = `${file} ${direction}`;
  if (!known.has(key)) {
    const { derived } = project.type(file, direction);
    const exact = derived?.exact ?? derived?.schema ?? {};
    const accepted = generateAccepted(exact, row.accepts);
    const fitting =
      direction === "input" ? accepted : accepted.map((each) => omitUndeclared(each, exact) as JsonValue);
    known.set(key, derived && { schema: derived.schema, fitting });
  }
  return known.get(key);
}

function generateAccepted(schema: JsonSchema, samples: readonly JsonValue[]): JsonValue[] {
  const accepts = createValidator(schema);
  return [...samples, ...fc.sample(generateValues(schema), { numRuns: SAMPLES, seed: SEED })].filter(accepts);
}

describe.each(Object.keys(READERS))("%s accepts matching values", (name) => {
  const read = READERS[name] ?? (() => () => false);

  it.each(cases)("for type $type as argument and result", (each) => {
    for (const direction of ["input", "output"] as const) {
      const found = getListed(each, direction);
      // Where a member has the name of an inherited one, clients read the inherited one. They do not validate arguments.
      if (!found || (direction === "input" && each.type.includes("toString"))) continue;
      const [accepts, acceptsWrapped] = [read(found.schema), read(wrapSchema(found.schema))];
      for (const value of found.fitting) {
        const label = `${direction} ${JSON.stringify(value)}`;
        expect(accepts(value), label).toBe(true);
        expect(acceptsWrapped({ result: value }), `${label}, wrapped`).toBe(true);
      }
    }
  });
});
