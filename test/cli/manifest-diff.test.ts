import type { JsonSchema, Manifest } from "@tenon/runtime/manifest";
import { describe, expect, it } from "vitest";
import { listChanged } from "../../packages/cli/src/dev/proxy/list-changed.js";
import { manifestDiff } from "../../packages/cli/src/dev/manifest-diff.js";

const handler = { module: "src/a.ts", export: "A", method: "a", parameters: [] };

function manifest(tools: Record<string, JsonSchema>, resources: string[] = []): Manifest {
  return {
    manifestVersion: 1,
    server: { name: "a", version: "1.0.0" },
    tools: Object.entries(tools).map(([name, inputSchema]) => ({
      definition: { name, inputSchema },
      handler,
      input: {},
      output: { kind: "text" },
    })),
    prompts: [],
    resources: resources.map((uri) => ({ definition: { uri, name: uri }, handler })),
    resourceTemplates: [],
  };
}

const number: JsonSchema = { type: "number" };

describe("what an edit changed for clients", () => {
  it.each([
    { before: manifest({ a: {} }), after: manifest({ a: {} }), changes: [] },
    {
      before: manifest({ a: {} }),
      after: manifest({ a: {}, b: {} }),
      changes: [{ kind: "tool", name: "b", change: "added", details: [] }],
    },
    {
      before: manifest({ a: {} }, ["x://1"]),
      after: manifest({}, ["x://2"]),
      changes: [
        { kind: "tool", name: "a", change: "removed", details: [] },
        { kind: "resource", name: "x://2", change: "added", details: [] },
        { kind: "resource", name: "x://1", change: "removed", details: [] },
      ],
    },
    {
      before: manifest({ a: { properties: { n: number, gone: number, same: number }, required: ["same"] } }),
      after: manifest({ a: { properties: { n: { type: "string" }, more: number, same: number } } }),
      changes: [
        {
          kind: "tool",
          name: "a",
          change: "changed",
          details: [
            "argument n changed",
            "argument gone removed",
            "argument same is optional",
            "argument more added",
          ],
        },
      ],
    },
    {
      before: manifest({ a: { additionalProperties: false } }),
      after: manifest({ a: {} }),
      changes: [{ kind: "tool", name: "a", change: "changed", details: ["arguments"] }],
    },
  ])("finds $changes.length changes", ({ before, after, changes }) => {
    expect(manifestDiff(before, after)).toEqual(changes);
  });

  it("names the lists to fetch again", () => {
    const changes = manifestDiff(manifest({ a: {} }, ["x://1"]), manifest({ b: {} }, ["x://2"]));
    expect(listChanged(changes)).toEqual([
      "notifications/tools/list_changed",
      "notifications/resources/list_changed",
    ]);
    expect(listChanged([])).toEqual([]);
  });
});
