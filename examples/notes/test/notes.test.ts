import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { connect } from "@tenon/cli/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Database } from "../src/database.js";
import { NotePages } from "../src/note-pages.js";
import { NoteTools } from "../src/note-tools.js";
import { Notes } from "../src/notes.js";

let server: Awaited<ReturnType<typeof connect>>;
beforeEach(async () => {
  const database = new Database(":memory:");
  const notes = new Notes(database);
  server = await connect(new URL("..", import.meta.url), {
    provide: [database, new NoteTools(notes), new NotePages(notes)],
  });
});
afterEach(() => server.close());

const tea = { title: "Tea", text: "Boil water, then wait three minutes.", tags: ["kitchen", "hot"] };
const plants = { title: "Plants", text: "Water the fern on Mondays." };

test("the server finds notes by words and by tag", async () => {
  const { tools } = server;
  const { id, changed } = await tools.add_note(tea);
  await tools.add_note(plants);
  expect(new Date(changed).getTime()).toBeGreaterThan(0);
  expect(await tools.find_notes({ words: "minute" })).toEqual([
    {
      id,
      title: "Tea",
      excerpt: "Boil water, then wait three **minutes**.",
      tags: ["hot", "kitchen"],
      changed,
    },
  ]);
  const titles = async (args: Parameters<typeof tools.find_notes>[0]) =>
    (await tools.find_notes(args)).map(({ title }) => title);
  expect(await titles({})).toEqual(["Plants", "Tea"]);
  expect(await titles({ words: "water", tag: "hot" })).toEqual(["Tea"]);
  expect(await titles({ words: "WATER fern" })).toEqual(["Plants"]);
  // Operators of the query language have no effect.
  expect(await titles({ words: `water" OR title:* --` })).toEqual([]);
});

test("the server changes the given parts of a note and lists the note as a resource", async () => {
  const { tools, resources, client } = server;
  const { id } = await tools.add_note(tea);
  expect(await resources.note({ id })).toBe(
    "# Tea\n\nBoil water, then wait three minutes.\n\n#hot #kitchen\n",
  );
  await tools.change_note({ id, text: "Use a bag.", tags: [] });
  expect(await resources.note({ id })).toBe("# Tea\n\nUse a bag.\n\n\n");
  expect(await tools.find_notes({ words: "minutes" })).toEqual([]);
  expect((await client.listResources()).map(({ uri, name }) => [uri, name])).toContainEqual([
    `note://${id}`,
    "Tea",
  ]);
  await tools.delete_note({ id });
  await expect(tools.change_note({ id, text: "" })).rejects.toThrow(
    "There is no note 1. Use find_notes to see",
  );
  await expect(resources.note({ id })).rejects.toMatchObject({ code: -32602 });
  expect(await resources.tags()).toEqual([]);
});

test("the server rejects a note that is too short or too long, and stores nothing", async () => {
  const { tools } = server;
  await expect(tools.add_note({ ...plants, title: "" })).rejects.toThrow("title");
  await expect(tools.add_note({ ...plants, tags: Array(21).fill("x") as string[] })).rejects.toThrow("tags");
  expect(await tools.find_notes()).toEqual([]);
});

test("the server completes tags, and builds a prompt from what it finds", async () => {
  await server.tools.add_note(tea);
  const ref = { type: "ref/prompt" as const, name: "review" };
  expect((await server.client.complete(ref, { name: "tag", value: "k" })).values).toEqual(["kitchen"]);
  const [message] = await server.prompts.review({ tag: "kitchen" });
  expect(message).toMatchObject({
    content: { text: expect.stringContaining("- Tea (note://1): Boil") as string },
  });
});

test("the server serves two official clients from one file", async () => {
  const folder = mkdtempSync(join(tmpdir(), "notes-"));
  const start = async (mode: "auto" | "legacy"): Promise<Client> => {
    const client = new Client({ name: "check", version: "1.0.0" }, { versionNegotiation: { mode } });
    const args = [join(import.meta.dirname, "../dist/server.js")];
    const env = { NOTES_DB: `file:${join(folder, "notes.db")}` };
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
    return client;
  };
  const [one, other] = await Promise.all([start("auto"), start("legacy")]);
  await Promise.all(
    [one, other].flatMap((client) =>
      [tea, plants].map((note) => client.callTool({ name: "add_note", arguments: note })),
    ),
  );
  const { structuredContent } = await one.callTool({ name: "find_notes", arguments: { words: "water" } });
  expect(structuredContent).toHaveLength(4);
  await Promise.all([one.close(), other.close()]);
  rmSync(folder, { recursive: true });
});
