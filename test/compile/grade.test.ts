/** The grade of definitions, with the examples in the specification of the score. */
import type { JsonSchema, Tool, ToolEntry } from "@tenon/runtime/manifest";
import { gradeServer, type ToolGrade } from "@tenon/compiler";
import { describe, expect, it } from "vitest";

type Listed = Partial<Tool> & { name?: string };

const HINTS = { readOnlyHint: true, destructiveHint: false, openWorldHint: false };
const COMPLETE = { title: "Get the number", annotations: HINTS, outputSchema: { type: "object" } } as const;

function grade(...tools: Listed[]): NonNullable<ReturnType<typeof gradeServer>> {
  const entries = tools.map((tool, index) => ({
    definition: {
      name: `tool${index}`,
      description: "Returns a number.",
      inputSchema: { type: "object" },
      ...tool,
    },
  }));
  const graded = gradeServer({ tools: entries as unknown as ToolEntry[] });
  if (graded === undefined) throw new Error("Nothing was graded.");
  return graded;
}

function gradeOne(tool: Listed): ToolGrade {
  const [graded] = grade(tool).tools;
  if (graded === undefined) throw new Error("Nothing was graded.");
  return graded;
}

const text: JsonSchema = { type: "string", description: "A text." };
const object = (properties: Record<string, JsonSchema>, required = Object.keys(properties)): JsonSchema => ({
  type: "object",
  properties,
  required,
});
const texts = (...names: string[]): Record<string, JsonSchema> =>
  Object.fromEntries(names.map((name) => [name, text]));

describe("the cost of a call", () => {
  const node: JsonSchema = {
    type: "object",
    properties: { next: { $ref: "#/$defs/Node" } },
    required: ["next"],
  };
  const union = {
    oneOf: [object(texts("a")), object(texts("b")), object({ ...texts("c"), d: text }, ["c"])],
  };
  it.each<[string, JsonSchema, number]>([
    ["no arguments", { type: "object" }, 0],
    ["four texts", object(texts("a", "b", "c", "d")), 4],
    ["optional arguments", object(texts("a", "b"), []), 0],
    ["eight texts in an object", object({ all: object(texts(..."abcdefgh")) }), 11],
    ["a union inside objects", object({ all: object({ ...texts("a", "b"), which: union }) }), 13],
    ["a list of objects", object({ list: { type: "array", items: object(texts("a")) } }), 4],
    ["a value or null", object({ a: { anyOf: [text, { type: "null" }] } }), 1],
    ["an enum", object({ a: { enum: ["b", "c"] } }), 1],
    ["a recursive type", { ...object({ node: { $ref: "#/$defs/Node" } }), $defs: { Node: node } }, 4],
  ])("is computed for %s", (_name, inputSchema, cost) => {
    expect(gradeOne({ inputSchema: inputSchema as Tool["inputSchema"] }).signals.cost).toBe(cost);
  });

  it("is compared with cheaper tools: a tool refers to the costliest one that costs less than half of it", () => {
    const cost = (count: number) => ({
      inputSchema: object(texts(..."abcdefghij".slice(0, count))) as Tool["inputSchema"],
    });
    const { tools } = grade(cost(0), cost(2), cost(4), cost(8));
    expect(tools.map(({ cheaper }) => cheaper)).toEqual([undefined, undefined, "tool0", "tool2"]);
  });
});

describe("the grade of a tool", () => {
  it("is the best if no change would improve it", () => {
    const { score, tier, improvement } = gradeOne(COMPLETE);
    expect({ score, tier, improvement }).toEqual({ score: 5, tier: "A", improvement: undefined });
  });

  it("is the worst without a description, regardless of the rest of the definition", () => {
    const { score, tier, improvement } = gradeOne({ ...COMPLETE, description: " " });
    expect({ score, tier }).toEqual({ score: 1, tier: "D" });
    expect(improvement?.edit).toContain("write a description");
  });

  it.each([
    ["the name", { description: "Tool0" }],
    ["the title", { description: "get the number" }],
  ])("is limited if the description only repeats %s", (_name, tool) => {
    expect(gradeOne({ ...COMPLETE, ...tool })).toMatchObject({
      score: 3.9,
      signals: { gate: "repeats-name" },
    });
  });

  it.each([
    ["hints", { annotations: {} }, "set `readOnly` or `destructive`, and `openWorld`"],
    ["the title", { title: "tool0" }, "write a title that is longer than the name"],
    [
      "descriptions of arguments",
      { inputSchema: object({ a: { type: "string" }, b: text }) as Tool["inputSchema"] },
      "describe `a`",
    ],
  ])("falls without %s, and the improvement restores it", (_name, tool, edit) => {
    const { score, improvement } = gradeOne({ ...COMPLETE, ...tool });
    expect(score).toBeLessThan(5);
    expect(improvement).toEqual({ edit, score: 5 });
  });
});

describe("the grade of a server", () => {
  it("counts its worst tool twice", () => {
    expect(grade(COMPLETE, COMPLETE, { ...COMPLETE, description: "" }).definitions).toBe(2.6);
  });

  it.each([
    [1, 4],
    [3, 5],
    [15, 5],
    [16, 4],
    [30, 3.5],
    [50, 3],
  ])("depends on the number of tools: %d", (count, coherence) => {
    const tools = Array.from({ length: count }, () => COMPLETE);
    expect(grade(...tools).coherence).toBe(coherence);
  });

  it("depends on the consistency of names", () => {
    const getCoherence = (...names: string[]): number =>
      grade(...names.map((name) => ({ ...COMPLETE, name }))).coherence;
    expect(getCoherence("get_one", "get_two", "count")).toBe(5);
    expect(getCoherence("get_one", "getTwo", "get-three")).toBeLessThan(4);
  });

  it("does not exist without tools for models", () => {
    expect(gradeServer({ tools: [] })).toBeUndefined();
  });
});
