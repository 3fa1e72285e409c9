import { describe, expect, it } from "vitest";
import type { JsonSchema } from "@tenon/runtime/manifest";
import { matchingSteps } from "../support/matching-steps.js";
import { createValidator } from "./sample-validator.js";
import { createTypeProject } from "./type-project.js";
import { families } from "./types/families.js";
import type { Row } from "./types/row.js";

const cases = Object.entries(families).flatMap(([family, rows]) =>
  rows.map((row, index) => ({ family, row, file: `${family}-${index}` })),
);

/** Returns the samples as constants of the type, one per line, so that TypeScript checks them too. */
function snippet(row: Row): string {
  const lines = [...(row.declare ? [row.declare] : []), `export type Row = ${row.type};`];
  return [
    ...lines,
    ...findVerdicts(row).map(([value], index) => `export const sample${index}: Row = ${value};`),
  ].join("\n");
}

function findVerdicts(row: Row): [text: string, fits: boolean][] {
  if (row.carried) return [];
  const closed = new Set((row.closed ?? []).map((value) => JSON.stringify(value)));
  const rejects = row.rejects.map((value) => JSON.stringify(value)).filter((text) => !closed.has(text));
  return [
    ...row.accepts.map((value): [string, boolean] => [JSON.stringify(value), true]),
    ...rejects.map((text): [string, boolean] => [text, false]),
  ];
}

const project = createTypeProject({
  "shared-types": "export interface Exported { note: string }\nexport type { Exported as Again };\n",
  ...Object.fromEntries(cases.map(({ row, file }) => [file, snippet(row)])),
});

describe.each(Object.keys(families))("types of the family %s", (family) => {
  const rows = cases.filter((each) => each.family === family);

  it.each(rows)("have the expected schema: $row.type", ({ row, file }) => {
    const { derived, diagnostics } = project.type(file);
    expect(diagnostics.map((each) => each.code)).toEqual(row.warns ?? []);
    expect(derived).toEqual({
      schema: row.schema,
      ...(row.exact && { exact: row.exact }),
      ...(row.conversion && { conversion: row.conversion }),
      ...(row.conversions && { conversions: row.conversions }),
    });

    const listed = createValidator(row.schema);
    const accepts = createValidator(row.exact ?? row.schema);
    for (const value of [...row.accepts, ...(row.schemaAccepts ?? [])]) {
      expect(accepts(value), `accepts ${JSON.stringify(value)}`).toBe(true);
      expect(listed(value), `the listed schema accepts ${JSON.stringify(value)}`).toBe(true);
    }
    for (const value of row.rejects) expect(accepts(value), `rejects ${JSON.stringify(value)}`).toBe(false);
  });

  it.each(rows.filter(({ row }) => !row.carried))(
    "accept the same values in TypeScript as in the schema: $row.type",
    ({ row, file }) => {
      const first = snippet(row).split("\n").length - findVerdicts(row).length + 1;
      const errors = project.errorLines(file);
      const declared = [...errors].filter((line) => line < first);
      expect(declared).toEqual([]);
      for (const [index, [text, fits]] of findVerdicts(row).entries()) {
        expect(!errors.has(first + index), `${text} is assignable`).toBe(fits);
      }
    },
  );
});

describe("the profile portable", () => {
  it.each(cases)("is valid for $row.type", ({ row }) => {
    for (const schema of subschemas(row.schema)) {
      for (const keyword of ["const", "oneOf", "allOf", "not", "if", "patternProperties", "propertyNames"]) {
        expect(schema).not.toHaveProperty(keyword);
      }
      if (schema.type === "array") expect(schema).toHaveProperty("items");
      if (schema.type === "object") expect(schema).toHaveProperty("properties");
      if (schema.enum) expect(schema).toHaveProperty("type");
      if (schema.$ref !== undefined) {
        expect(schema.$ref).toMatch(/^#\/\$defs\/[\w.-]+$/);
        expect(row.schema.$defs).toHaveProperty([schema.$ref.replace("#/$defs/", "")]);
        expect(Object.keys(schema).filter((key) => key !== "$ref" && key !== "description")).toEqual([]);
      }
    }
  });
});

describe("patterns", () => {
  // The counting matcher recurses for each character: texts twice as long overflow the stack.
  const LENGTH = 250;
  const texts = ["1", "a", "A", ".", "-", "@.", "1.", "+1", "0x"].map((each) => `${each.repeat(LENGTH)}\n`);

  it.each(cases.filter(({ row }) => JSON.stringify(row.exact ?? row.schema).includes('"pattern"')))(
    "take linear time: $row.type",
    ({ row }) => {
      for (const { pattern } of subschemas(row.exact ?? row.schema)) {
        if (pattern === undefined) continue;
        const [before = ""] = /^[\w -]*/.exec(pattern.replace("^", "")) ?? [];
        const compiled = new RegExp(pattern, "u");
        for (const text of texts.map((each) => before + each)) {
          const { steps, matches } = matchingSteps(compiled, text);
          expect(matches).toBe(compiled.test(text));
          expect(steps / text.length, pattern).toBeLessThan(10);
        }
      }
    },
  );

  it("are reported by this test if they backtrack", () => {
    const text = "a".repeat(LENGTH);
    expect(matchingSteps(/^[^]*,[^]*!$/u, text).steps / LENGTH).toBeLessThan(10);
    expect(() => matchingSteps(/^(?:[^]*,)*[^]*!$/u, "a,".repeat(LENGTH))).toThrow("too often");
    expect(matchingSteps(/^[^]*[^]*!$/u, text).steps / LENGTH).toBeGreaterThan(LENGTH / 4);
  });
});

/** Returns the schema and all schemas inside it. */
function subschemas(schema: JsonSchema): JsonSchema[] {
  const inner = [
    ...Object.values(schema.properties ?? {}),
    ...Object.values(schema.$defs ?? {}),
    ...(schema.anyOf ?? []),
    ...(schema.prefixItems ?? []),
    ...[schema.items, schema.additionalProperties].filter((each) => typeof each === "object"),
  ];
  return [schema, ...inner.flatMap((each) => subschemas(each))];
}
