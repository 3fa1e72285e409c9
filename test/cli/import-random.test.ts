/** Imports of random documents and servers: the generated code compiles, and requires the same arguments. */
import { join } from "node:path";
import { isSameSchema } from "@tenon/compiler";
import type { Tool } from "@tenon/runtime/manifest";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
// Internal: random documents are imported in place, without a command for each.
import { writeSource } from "../../packages/cli/src/import/import.js";
import { createDocument } from "../../packages/cli/src/import/openapi/document/document.js";
import { writeApi } from "../../packages/cli/src/import/openapi/import-openapi.js";
import { readOperations } from "../../packages/cli/src/import/openapi/document/operations.js";
import { planApi } from "../../packages/cli/src/import/openapi/plan-api.js";
import { randomSchema, rarerSchema } from "../compile/random-schemas.js";
import { projectFolder, type ProjectFolder } from "../support/project-folder.js";
import { LONG_COMPUTATION } from "../support/long-computation.js";
import { randomDocument } from "./import/random-documents.js";

/**
 * Each case is a compilation, so only a few run by default: `IMPORT_CASES=100` runs more. Cases are not shrunk for the
 * same reason.
 */
const cases = process.env["IMPORT_CASES"];
const parameters = cases === undefined ? { seed: 2026, numRuns: 2 } : { numRuns: Number(cases) };

/** Returns a value as it arrives over the wire. */
function asSent<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

let project: ProjectFolder;
beforeAll(() => {
  project = projectFolder({ "src/.keep": "" });
});
afterAll(() => project.remove());

test(
  "classes for random documents compile, and their tools accept what the documents allow",
  LONG_COMPUTATION,
  () => {
    fc.assert(
      fc.property(randomDocument, fc.boolean(), (source, isByTag) => {
        const document = createDocument(new Map([["file:///openapi.json", asSent(source)]]));
        const operations = readOperations(document);
        const plan = planApi(document, operations, { className: undefined, file: undefined, isByTag });
        const { files } = writeApi(project.root, plan);
        expect(files.size).toBeGreaterThan(1);
      }),
      { ...parameters, endOnFailure: true },
    );
  },
);

test("a schema equals itself", LONG_COMPUTATION, () => {
  const schema = fc.oneof(randomSchema, rarerSchema).map(asSent);
  fc.assert(
    fc.property(schema, (each) => isSameSchema(each, asSent(each))),
    { numRuns: 100 },
  );
});

test("classes for random lists of tools compile, and offer the same tools", LONG_COMPUTATION, () => {
  const inputSchema = fc
    .tuple(fc.constantFrom("a", "b c", "class"), fc.oneof(randomSchema, rarerSchema))
    // A source has no plain way to name such a member.
    .filter((given) => !JSON.stringify(given).includes("__proto__"))
    .map(([name, { $defs, ...schema }]) => {
      return {
        type: "object",
        properties: { [name]: schema },
        ...($defs && { $defs }),
      } as Tool["inputSchema"];
    });
  const tools = fc
    .array(fc.tuple(inputSchema, fc.option(inputSchema, { nil: undefined })), { minLength: 1, maxLength: 10 })
    .map((list) =>
      list.map(([input, output], index): Tool => {
        return {
          name: `tool-${index}`,
          inputSchema: input,
          ...(output && { outputSchema: output as never }),
        };
      }),
    );
  fc.assert(
    fc.property(tools, (list) => {
      const lists = { tools: list.map(asSent), prompts: [], resources: [], resourceTemplates: [] };
      const { source } = writeSource(project.root, join(project.root, "src/imported.ts"), lists, "Imported");
      expect(source).toContain("export class Imported");
    }),
    { ...parameters, endOnFailure: true },
  );
});
