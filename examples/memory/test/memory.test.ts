import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { connect } from "@tenon/cli/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { GraphFile } from "../src/graph-file.js";
import { Memory } from "../src/memory.js";

let folder: string;
let file: string;
let server: Awaited<ReturnType<typeof connect>>;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "memory-"));
  file = join(folder, "memory.jsonl");
  server = await connect(new URL("..", import.meta.url), { provide: [new Memory(new GraphFile(file))] });
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const ada = { name: "Ada", entityType: "person", observations: ["writes programs"] };
const engine = { name: "Engine", entityType: "machine", observations: [] };
const programs = { from: "Ada", to: "Engine", relationType: "programs" };

test("the server finds stored entities and their relations", async () => {
  const { tools } = server;
  await tools.create_entities({ entities: [ada, engine] });
  await tools.create_relations({ relations: [programs] });
  expect(await tools.search_nodes({ query: "PROGRAMS" })).toEqual({ entities: [ada], relations: [programs] });
  await tools.delete_entities({ entityNames: ["Engine"] });
  expect(await server.resources["knowledge-graph"]()).toEqual({ entities: [ada], relations: [] });
});

test("the server stores no part of a failed call", async () => {
  const { tools } = server;
  await tools.create_entities({ entities: [ada] });
  const observations = ["Ada", "Nobody"].map((entityName) => ({ entityName, contents: ["sleeps"] }));
  await expect(tools.add_observations({ observations })).rejects.toThrow("Entity with name Nobody not found");
  expect((await tools.read_graph()).entities).toEqual([ada]);
});

test("the server stores what concurrent calls add", async () => {
  const names = Array.from({ length: 30 }, (_, index) => `Node ${index}`);
  await Promise.all(names.map((name) => server.tools.create_entities({ entities: [{ ...engine, name }] })));
  expect((await server.tools.read_graph()).entities.map(({ name }) => name).sort()).toEqual(names.sort());
});

test("the server works with the official client, and remembers across restarts", async () => {
  const start = async (): Promise<Client> => {
    const client = new Client({ name: "check", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
    const args = [join(import.meta.dirname, "../dist/server.js")];
    const env = { MEMORY_FILE_PATH: file };
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
    return client;
  };
  const first = await start();
  await first.callTool({ name: "create_entities", arguments: { entities: [ada] } });
  await first.close();
  const second = await start();
  const { structuredContent } = await second.callTool({ name: "open_nodes", arguments: { names: ["Ada"] } });
  expect(structuredContent).toEqual({ entities: [ada], relations: [] });
  await second.close();
});
