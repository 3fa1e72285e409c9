import type { JsonSchema, Manifest } from "@tenon/runtime/manifest";
import { describe, expect, it } from "vitest";
// Internal: changes between any two manifests, without an edit for each.
import { getListNotifications } from "../../packages/cli/src/dev/proxy/list-changed.js";
import { createDevLog } from "../../packages/cli/src/dev/log.js";
import { findVisibleChanges } from "../../packages/cli/src/dev/diff/visible-changes.js";
import { describeSchemaChanges } from "../../packages/cli/src/dev/diff/schema-details.js";
import { createStatusLine } from "../../packages/cli/src/terminal/status-line.js";
import { recordingTerminal } from "../support/recording-terminal.js";

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

describe("the report of client-visible changes", () => {
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
            { sign: "~", text: "n?: number → string" },
            { sign: "-", text: "gone" },
            { sign: "~", text: "same is now optional" },
            { sign: "+", text: "more?: number" },
          ],
        },
      ],
    },
    {
      before: manifest({ a: { additionalProperties: false } }),
      after: manifest({ a: {} }),
      changes: [
        {
          kind: "tool",
          name: "a",
          change: "changed",
          details: [{ sign: "~", text: "arguments may now have other members" }],
        },
      ],
    },
  ])("lists $changes.length changes", ({ before, after, changes }) => {
    expect(findVisibleChanges(before, after)).toEqual(changes);
  });

  it("is expressed in types at the deepest possible path", () => {
    const place = (city: JsonSchema): JsonSchema => ({
      type: "object",
      properties: { place: { $ref: "#/$defs/Place" } },
      required: ["place"],
      $defs: { Place: { type: "object", properties: { city }, required: ["city"] } },
    });
    expect(describeSchemaChanges(place({ type: "string" }), place({ enum: ["Oslo", "Rome"] }), "")).toEqual([
      { sign: "~", text: 'place.city: string → "Oslo" | "Rome"' },
    ]);
    expect(
      describeSchemaChanges(place({ type: "string" }), place({ type: "string", description: "Where" }), ""),
    ).toEqual([{ sign: "~", text: "place.city has a different `description`" }]);
    expect(describeSchemaChanges(number, undefined, "result")).toEqual([{ sign: "-", text: "result" }]);
    expect(describeSchemaChanges(undefined, number, "result")).toEqual([
      { sign: "+", text: "result: number" },
    ]);
  });

  it("is printed in lines that fit the terminal", async () => {
    const text =
      "Find places by their names, which may be short for others, and in any language that is spoken there.";
    const before = manifest({ search: { properties: { city: { type: "string" } } }, old: {} });
    const after = manifest({
      search: { properties: { city: { enum: ["Oslo", "Rome"] }, days: number } },
      new: {},
    });
    after.tools[0]!.definition.description = text;
    after.tools[0]!.definition.annotations = { readOnlyHint: true };
    let printed = "";
    const write = (more: string): void => void (printed += more);
    const sink = createStatusLine({ ...recordingTerminal("/work").err, columns: 60, write });
    const log = createDevLog({
      root: "/work",
      cwd: "/work",
      sink,
      address: "stdio",
      stamp: () => "12:00:00",
    });
    log.changed(["/work/src/search.ts"]);
    log.reloaded({
      changes: findVisibleChanges(before, after),
      ms: 123.4,
      failed: [],
      emptied: ["Notes.#notes", "orders"],
    });
    log.changed(["/work/src/other.ts"]);
    log.reloaded({ changes: [], ms: 99, failed: ["search"], emptied: [] });
    const many = manifest(Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`t${index}`, {}])));
    log.reloaded({ changes: findVisibleChanges(manifest({}), many), ms: 100, failed: [], emptied: [] });
    log.changed(Array.from({ length: 50 }, (_, index) => `/work/src/part-${index}.ts`));
    log.rejected(
      true,
      Array.from({ length: 20 }, (_, index) => `tool_${index}`),
    );
    await expect(printed).toMatchFileSnapshot("dev/changes.txt");
  });

  it("includes the server's own information, which changes no list", () => {
    const before = { ...manifest({}), instructions: "Ask." };
    const after = { ...manifest({}), server: { name: "b", version: "1.0.0" } };
    const changes = findVisibleChanges(before, after);
    expect(changes).toEqual([
      {
        kind: "server",
        name: "b",
        change: "changed",
        details: [
          { sign: "~", text: 'name: "a" → "b"' },
          { sign: "-", text: "instructions" },
        ],
      },
    ]);
    expect(getListNotifications(changes)).toEqual([]);
  });

  it("names the lists to fetch again", () => {
    const changes = findVisibleChanges(manifest({ a: {} }, ["x://1"]), manifest({ b: {} }, ["x://2"]));
    expect(getListNotifications(changes)).toEqual([
      "notifications/tools/list_changed",
      "notifications/resources/list_changed",
    ]);
    expect(getListNotifications([])).toEqual([]);
  });
});
