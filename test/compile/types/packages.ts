import type { JsonSchema } from "@tenon/runtime/manifest";
import type { Row } from "./row.js";

const HEAP_NODE: JsonSchema = {
  type: "object",
  properties: {
    callFrame: {
      type: "object",
      properties: {
        functionName: { type: "string" },
        scriptId: { type: "string" },
        url: { type: "string" },
        lineNumber: { type: "number" },
        columnNumber: { type: "number" },
      },
      required: ["functionName", "scriptId", "url", "lineNumber", "columnNumber"],
      additionalProperties: false,
    },
    selfSize: { type: "number" },
    children: { type: "array", items: { $ref: "#/$defs/SamplingHeapProfileNode" } },
  },
  required: ["callFrame", "selfSize", "children"],
  additionalProperties: false,
};

const CALL_FRAME = { functionName: "run", scriptId: "1", url: "", lineNumber: 1, columnNumber: 1 };

export const packages: Row[] = [
  {
    type: 'LiteralUnion<"json" | "yaml">',
    declare: 'import type { LiteralUnion } from "prettier";',
    schema: { type: "string", examples: ["json", "yaml"] },
    accepts: ["json", "other", ""],
    rejects: [null],
  },
  {
    type: "HeapProfiler.SamplingHeapProfileNode",
    declare: 'import type { HeapProfiler } from "node:inspector";',
    schema: { ...HEAP_NODE, $defs: { SamplingHeapProfileNode: HEAP_NODE } },
    accepts: [
      { callFrame: CALL_FRAME, selfSize: 1, children: [] },
      {
        callFrame: CALL_FRAME,
        selfSize: 1,
        children: [{ callFrame: CALL_FRAME, selfSize: 2, children: [] }],
      },
    ],
    rejects: [
      { callFrame: CALL_FRAME, selfSize: 1 },
      { callFrame: CALL_FRAME, selfSize: 1, children: [1] },
    ],
  },
  {
    type: "z.infer<typeof User>",
    declare:
      'import { z } from "zod";\nconst User = z.object({ name: z.string(), age: z.number().int().min(0), role: z.enum(["admin", "user"]).optional() });',
    schema: {
      type: "object",
      properties: {
        name: { type: "string" },
        age: { type: "number" },
        role: { type: "string", enum: ["admin", "user"] },
      },
      required: ["name", "age"],
      additionalProperties: false,
    },
    accepts: [
      { name: "a", age: 1 },
      { name: "a", role: "admin", age: 2 },
    ],
    rejects: [{ name: "a" }, { name: "a", age: 1, role: "x" }],
  },
  {
    type: "z.infer<typeof Shape>",
    declare:
      'import { z } from "zod";\nconst Shape = z.discriminatedUnion("kind", [z.object({ kind: z.literal("a"), n: z.number() }), z.object({ kind: z.literal("b"), s: z.array(z.string()) })]);',
    schema: {
      anyOf: [
        {
          type: "object",
          properties: { kind: { type: "string", enum: ["a"] }, n: { type: "number" } },
          required: ["kind", "n"],
          additionalProperties: false,
        },
        {
          type: "object",
          properties: {
            kind: { type: "string", enum: ["b"] },
            s: { type: "array", items: { type: "string" } },
          },
          required: ["kind", "s"],
          additionalProperties: false,
        },
      ],
    },
    accepts: [
      { kind: "a", n: 1 },
      { kind: "b", s: ["x"] },
    ],
    rejects: [{ kind: "a", s: ["x"] }],
  },
  {
    type: "z.infer<typeof Email>",
    declare: 'import { z } from "zod";\nconst Email = z.string().brand<"Email">();',
    schema: { type: "string" },
    accepts: ["a@b.c"],
    rejects: [1],
    carried: true,
  },
  {
    type: "ContentBlock",
    declare: 'import type { TextContent as ContentBlock } from "@tenon/runtime";',
    schema: {
      type: "object",
      properties: {
        type: { type: "string", enum: ["text"] },
        text: { type: "string" },
        annotations: {
          type: "object",
          properties: {
            audience: { type: "array", items: { type: "string", enum: ["user", "assistant"] } },
            priority: {
              type: "number",
              description: "From 0 (entirely optional) to 1 (effectively required).",
            },
            lastModified: { type: "string", description: "ISO 8601." },
          },
          additionalProperties: false,
        },
        _meta: {
          type: "object",
          properties: {},
          additionalProperties: true,
          description: "Free-form metadata. Keys with a prefix belong to the owner of the prefix.",
        },
      },
      required: ["type", "text"],
      additionalProperties: false,
    },
    accepts: [{ type: "text", text: "a" }],
    rejects: [{ type: "text" }, { type: "other" }],
  },
];
