/** The same calls to the example and to the published server: results and files are equal, or a reason is given. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask, outlineTools, startExample, startPublished, type Side } from "./sides.js";

let [ours, theirs] = [] as unknown as [Side, Side];
beforeAll(async () => {
  const [mine, published] = [mkdtempSync(join(tmpdir(), "memory-")), mkdtempSync(join(tmpdir(), "memory-"))];
  [ours, theirs] = await Promise.all([
    startExample("memory", mine, { MEMORY_FILE_PATH: fileIn(mine) }),
    startPublished("@modelcontextprotocol/server-memory", published, [], {
      MEMORY_FILE_PATH: fileIn(published),
    }),
  ]);
});
afterAll(async () => {
  for (const { client, data } of [ours, theirs]) {
    await client.close();
    rmSync(data, { recursive: true });
  }
});

const fileIn = (folder: string): string => join(folder, "memory.jsonl");
const readData = ({ data }: Side): string => readFileSync(fileIn(data), "utf8");

const ada = { name: "Ada", entityType: "person", observations: ["writes programs"] };
const engine = { name: "Engine", entityType: "machine", observations: [] };
const works = { from: "Ada", to: "Engine", relationType: "programs" };
const knows = { from: "Ada", to: "Charles", relationType: "knows" };

const CALLS: [name: string, args: object][] = [
  ["read_graph", {}],
  ["create_entities", { entities: [ada, engine] }],
  [
    "create_entities",
    {
      entities: [
        { ...ada, entityType: "countess" },
        { ...engine, name: "Loom" },
      ],
    },
  ],
  ["create_entities", { entities: [{ name: "Charles" }] }],
  ["create_relations", { relations: [works, knows] }],
  ["create_relations", { relations: [works, { ...works, relationType: "understands" }] }],
  [
    "add_observations",
    { observations: [{ entityName: "Ada", contents: ["writes programs", "writes notes"] }] },
  ],
  ["add_observations", { observations: [{ entityName: "Nobody", contents: ["is not there"] }] }],
  ["read_graph", {}],
  ["search_nodes", { query: "NOTES" }],
  ["search_nodes", { query: "machine" }],
  ["search_nodes", { query: "" }],
  ["search_nodes", { query: "nothing" }],
  ["search_nodes", {}],
  ["open_nodes", { names: ["Engine", "Nobody"] }],
  ["open_nodes", { names: [] }],
  ["delete_observations", { deletions: [{ entityName: "Ada", observations: ["writes notes", "sleeps"] }] }],
  ["delete_observations", { deletions: [{ entityName: "Nobody", observations: ["is not there"] }] }],
  ["delete_relations", { relations: [knows, knows] }],
  ["delete_entities", { entityNames: ["Engine", "Nobody"] }],
  ["read_graph", {}],
];

test("the example offers the reference server's tools, with the same arguments", async () => {
  expect(await outlineTools(ours)).toEqual(await outlineTools(theirs));
});

describe("the example responds identically", () => {
  test.each(CALLS)("%s %o", async (name, args) => {
    const [mine, published] = await Promise.all([ask(ours, name, args), ask(theirs, name, args)]);
    expect(mine.isError).toBe(published.isError);
    expect(mine.structuredContent).toEqual(published.structuredContent);
  });

  test("with the same content of its file", () => {
    expect(readData(ours)).toBe(readData(theirs));
    expect(readData(ours)).toContain('{"type":"entity","name":"Ada"');
  });

  test("with the same resource", async () => {
    const [mine, published] = await Promise.all(
      [ours, theirs].map(async ({ client }) => {
        const { resources } = await client.listResources();
        const [resource] = resources;
        const { contents } = await client.readResource({ uri: String(resource?.uri) });
        const [content] = contents;
        const graph: unknown =
          content !== undefined && "text" in content ? JSON.parse(content.text) : undefined;
        return { uri: resource?.uri, name: resource?.name, mimeType: content?.mimeType, graph };
      }),
    );
    expect(mine).toEqual(published);
  });

  test("for subscribers, which are notified of changes", async () => {
    const uri = "memory://knowledge-graph";
    for (const { client } of [ours, theirs]) {
      const updated = new Promise((resolve) => {
        client.setNotificationHandler("notifications/resources/updated", ({ params }) => resolve(params.uri));
      });
      await client.subscribeResource({ uri });
      await client.callTool({ name: "delete_entities", arguments: { entityNames: ["Loom"] } });
      expect(await updated).toBe(uri);
    }
  });
});

describe("the example responds differently because", () => {
  test("its text contains all the data", async () => {
    const args = { entities: [{ ...ada, name: "Grace" }] };
    const [mine, published] = await Promise.all([
      ask(ours, "create_entities", args),
      ask(theirs, "create_entities", args),
    ]);
    expect(JSON.parse(mine.content?.[0]?.text ?? "")).toEqual(mine.structuredContent);
    expect(JSON.parse(published.content?.[0]?.text ?? "")).not.toEqual(published.structuredContent);
  });

  test("it keeps no duplicates, even within one call", async () => {
    const twice = { entities: [1, 2].map(() => ({ ...ada, name: "Alan" })) };
    expect((await ask(theirs, "create_entities", twice)).structuredContent?.["entities"]).toHaveLength(2);
    expect((await ask(ours, "create_entities", twice)).structuredContent?.["entities"]).toHaveLength(1);
  });

  // The published server loses a random number of them.
  test("its concurrent calls do not undo each other", async () => {
    const names = Array.from({ length: 20 }, (_, index) => `Node ${index}`);
    await Promise.all(names.map((name) => ask(ours, "create_entities", { entities: [{ ...ada, name }] })));
    expect(names.filter((name) => !readData(ours).includes(`"${name}"`))).toEqual([]);
  });
});
