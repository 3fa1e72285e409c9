import type { JsonSchema, Manifest } from "@tenon/runtime/manifest";
import { checkClients, type Compilation } from "@tenon/compiler";
import { afterAll, describe, expect, it } from "vitest";
// Internal: the lowering of any schema, without a project for each.
import { lower } from "../../packages/compiler/src/profiles/profiles.js";
import { createScratchProject } from "../support/scratch-project.js";
import { families } from "./types/families.js";

const STRICT = { additionalProperties: false } as const;

interface Case {
  what: string;
  schema: JsonSchema;
  "openai-strict": JsonSchema;
  gemini: JsonSchema;
  /** The paths at which clients see less, with both profiles unless one is named. */
  losses?: string[];
}

/** Schemas of one argument `x`, which is required. */
const cases: Case[] = [
  {
    what: "a plain member",
    schema: { type: "string", description: "A city." },
    "openai-strict": { type: "string", description: "A city." },
    gemini: { type: "string", description: "A city." },
  },
  {
    what: "optional members",
    schema: {
      type: "object",
      properties: { a: { type: "string" }, b: { type: "string", enum: ["y"] } },
      ...STRICT,
    },
    "openai-strict": {
      type: "object",
      properties: { a: { type: ["string", "null"] }, b: { type: ["string", "null"], enum: ["y", null] } },
      required: ["a", "b"],
      ...STRICT,
    },
    gemini: { type: "object", properties: { a: { type: "string" }, b: { type: "string", enum: ["y"] } } },
  },
  {
    what: "text limits, a default, and an unknown format",
    schema: {
      type: "string",
      description: "A page.",
      maxLength: 1,
      minLength: 1,
      default: "p",
      format: "uri",
    },
    "openai-strict": {
      type: "string",
      description: 'A page.\nDefault: "p". At least 1 character. At most 1 character.\nFormat: uri.',
    },
    gemini: {
      type: "string",
      description: "A page.\nFormat: uri.",
      maxLength: 1,
      minLength: 1,
      default: "p",
    },
  },
  {
    what: "a nullable number",
    schema: { type: ["number", "null"], exclusiveMinimum: 0 },
    "openai-strict": { type: ["number", "null"], exclusiveMinimum: 0 },
    gemini: { type: "number", nullable: true, description: "More than 0." },
  },
  {
    what: "bounds of whole numbers",
    schema: { type: "integer", exclusiveMinimum: 0, exclusiveMaximum: 10 },
    "openai-strict": { type: "integer", exclusiveMinimum: 0, exclusiveMaximum: 10 },
    gemini: { type: "integer", minimum: 1, maximum: 9 },
  },
  {
    what: "several types",
    schema: { type: ["string", "number"], description: "Either.", maxLength: 3, default: 5 },
    "openai-strict": {
      type: ["string", "number"],
      description: "Either.\nDefault: 5. At most 3 characters.",
    },
    gemini: {
      description: "Either.",
      default: 5,
      anyOf: [{ type: "string", maxLength: 3 }, { type: "number" }],
    },
  },
  {
    what: "number literals",
    schema: { type: "number", enum: [1, 2] },
    "openai-strict": { type: "number", enum: [1, 2] },
    gemini: { type: "number", description: "One of 1, 2." },
  },
  {
    what: "literals of several types",
    schema: { type: ["string", "boolean", "null"], enum: ["auto", true, null] },
    "openai-strict": { type: ["string", "boolean", "null"], enum: ["auto", true, null] },
    gemini: {
      nullable: true,
      anyOf: [
        { type: "string", enum: ["auto"] },
        { type: "boolean", description: "Must be true." },
      ],
    },
  },
  {
    what: "a tuple",
    schema: {
      type: "array",
      prefixItems: [{ type: "string", description: "Name." }, { type: "number" }],
      items: false,
      minItems: 2,
      maxItems: 2,
    },
    "openai-strict": {
      type: "array",
      items: { anyOf: [{ type: "string" }, { type: "number" }] },
      minItems: 2,
      maxItems: 2,
      description: "In this order: string (Name), number.",
    },
    gemini: {
      type: "array",
      items: { anyOf: [{ type: "string" }, { type: "number" }] },
      minItems: 2,
      maxItems: 2,
      description: "In this order: string (Name), number.",
    },
  },
  {
    what: "a dictionary",
    schema: { type: "object", properties: {}, additionalProperties: { type: "number" } },
    "openai-strict": {
      type: "string",
      description:
        'JSON text of a value of this JSON Schema: {"type":"object","properties":{},"additionalProperties":{"type":"number"}}',
    },
    gemini: {
      type: "string",
      description:
        'JSON text of a value of this JSON Schema: {"type":"object","properties":{},"additionalProperties":{"type":"number"}}',
    },
    losses: ["x"],
  },
  {
    what: "text next to a dictionary",
    schema: { anyOf: [{ type: "string" }, { type: "object", properties: {}, additionalProperties: true }] },
    "openai-strict": { anyOf: [{ type: "string" }] },
    gemini: { type: "string" },
    losses: ["x"],
  },
  {
    what: "anything",
    schema: { description: "Whatever." },
    "openai-strict": { description: "Whatever.", type: ["string", "number", "boolean", "null"] },
    gemini: {
      description: "Whatever.",
      nullable: true,
      anyOf: [{ type: "string" }, { type: "number" }, { type: "boolean" }],
    },
    losses: ["x"],
  },
];

/** Wraps a schema as that of the required argument `x`. Definitions move to the root. */
function around({ $defs, ...schema }: JsonSchema): JsonSchema {
  return { type: "object", properties: { x: schema }, required: ["x"], ...STRICT, ...($defs && { $defs }) };
}

describe.each(["openai-strict", "gemini"] as const)("the profile %s", (profile) => {
  it.each(cases)("lists $what", (each) => {
    const { schema, losses } = lower(around(each.schema), profile);
    expect(schema.properties?.["x"]).toEqual(each[profile]);
    expect(losses.map(({ path }) => path.join("."))).toEqual(each.losses ?? []);
  });

  it("does not change its input", () => {
    for (const { schema } of cases) {
      const before = structuredClone(schema);
      lower(around(schema), profile);
      expect(schema).toEqual(before);
    }
  });

  it.each(deriveSchemas())("leaves nothing of $type that its clients reject or ignore", ({ schema }) => {
    const report = checkClients(createManifest(lower(around(schema), profile).schema), {
      clients: [profile],
    });
    const findings = report.tools.flatMap((tool) => tool.findings);
    expect(findings.filter(({ rule }) => rule !== "property-name")).toEqual([]);
  });
});

describe("the profile portable", () => {
  it.each(deriveSchemas())("leaves nothing of $type that any client rejects", ({ schema }) => {
    const { schema: listed } = lower(around(schema), "portable");
    const findings = checkClients(createManifest(listed)).tools.flatMap((tool) => tool.findings);
    const rejected = findings.filter(({ effect, rule }) => effect === "rejected" && rule !== "property-name");
    expect(rejected).toEqual([]);
  });
});

describe("the profile openai-strict", () => {
  it("keeps definitions, with no keywords next to references", () => {
    const node: JsonSchema = {
      type: "object",
      properties: { next: { description: "The next.", $ref: "#/$defs/Node" } },
      ...STRICT,
    };
    const { schema } = lower({ ...around({ $ref: "#/$defs/Node" }), $defs: { Node: node } }, "openai-strict");
    expect(schema.properties?.["x"]).toEqual({ $ref: "#/$defs/Node" });
    expect(schema.$defs?.["Node"]?.properties?.["next"]).toEqual({
      description: "The next.",
      anyOf: [{ $ref: "#/$defs/Node" }, { type: "null" }],
    });
  });

  it("repeats no nullable argument in a header", () => {
    const member = { type: "string", "x-mcp-header": "Region" } as const;
    const { schema, losses } = lower(
      { type: "object", properties: { a: member, b: member }, required: ["a"], ...STRICT },
      "openai-strict",
    );
    expect(schema.properties).toEqual({ a: member, b: { type: ["string", "null"] } });
    expect(losses.map(({ path }) => path)).toEqual([["b"]]);
  });
});

/** Returns the schemas that the compiler derives for every kind of type. */
function deriveSchemas(): { type: string; schema: JsonSchema }[] {
  return Object.values(families).flatMap((rows) => rows.map(({ type, schema }) => ({ type, schema })));
}

function createManifest(inputSchema: JsonSchema): Manifest {
  return {
    manifestVersion: 1,
    server: { name: "sample", version: "1.0.0" },
    tools: [
      {
        definition: { name: "tool", inputSchema: inputSchema as { type: "object" } },
        handler: { module: "src/sample.ts", export: "Sample", method: "tool", parameters: [] },
        input: {},
        output: { kind: "none" },
      },
    ],
    prompts: [],
    resources: [],
    resourceTemplates: [],
  };
}

describe("validation under a profile", () => {
  const project = createScratchProject("profiles");
  afterAll(() => project.remove());

  it.each(["openai-strict", "gemini"])("is the same in %s", async (profile) => {
    const source = `
      import { Tool } from "@tenon/runtime";
      interface Node { label: string; children: Node[] }
      export class Records {
        /** Draws. */
        @Tool()
        draw(tree: Node, at?: [x: number, y: number], names: Record<string, 1 | 2> = {}): Node { return tree; }
      }`;
    const config = `
      import { defineServer } from "@tenon/runtime";
      export default defineServer({ profile: "${profile}" });`;
    const portable = project.compile({ "src/records.ts": source });
    const lowered = project.compile({ "src/records.ts": source, "src/server.ts": config });
    expect(lowered.profile).toBe(profile);
    const validators = async ({ emit }: Compilation): Promise<unknown> =>
      [...((await emit?.()) ?? [])].filter(([name]) => name.startsWith("validators-"));
    expect(await validators(portable)).toHaveLength(1);
    expect(await validators(lowered)).toEqual(await validators(portable));
    const [before, after] = [portable, lowered].map(({ manifest }) => manifest?.tools[0]);
    expect(after?.definition.inputSchema).not.toEqual(before?.definition.inputSchema);
    expect(after?.definition.outputSchema).toEqual(before?.definition.outputSchema);
  });

  it.each(["openai-strict", "gemini"])(
    "uses the author's own schema, which is listed unchanged in %s",
    (profile) => {
      const { diagnostics, manifest } = project.compile({
        "src/records.ts": `
        import { Tool } from "@tenon/runtime";
        export class Records {
          /** Draws. */
          @Tool({ inputSchema: { type: "object", properties: { names: { type: "array", items: {} } } } })
          draw(names?: Record<string, unknown>): number { return 1; }
        }`,
        "src/server.ts": `
        import { defineServer } from "@tenon/runtime";
        export default defineServer({ profile: "${profile}" });`,
      });
      expect(diagnostics).toEqual([]);
      expect(manifest?.tools[0]?.definition.inputSchema).toEqual({
        type: "object",
        properties: { names: { type: "array", items: {} } },
      });
    },
  );
});
