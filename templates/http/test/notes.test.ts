import { connect } from "@tenon/cli/testing";
import { beforeEach, describe, expect, it } from "vitest";
import { NoteStore } from "../src/note-store.js";
import { Notes } from "../src/notes.js";

let notes: Notes;
beforeEach(() => {
  notes = new Notes(new NoteStore());
});

/** Connects a client for a user whose token has these scopes. */
function connectAs(subject: string, ...scopes: string[]) {
  return connect(new URL("..", import.meta.url), { provide: [notes], principal: { subject, scopes } });
}

describe("a caller with the scope notes:write", () => {
  it("adds, finds, and deletes notes", async () => {
    const ada = await connectAs("ada", "notes:write");
    const { id } = await ada.tools.add_note({ text: "Water the plants" });
    await ada.tools.add_note({ text: "Pay the rent" });
    const texts = async (containing?: string) =>
      (await ada.tools.list_notes(containing === undefined ? {} : { containing })).map(({ text }) => text);
    expect(await texts()).toEqual(["Pay the rent", "Water the plants"]);
    expect(await texts("RENT")).toEqual(["Pay the rent"]);
    expect(await ada.resources.note({ id })).toBe("Water the plants");
    await ada.tools.delete_note({ id });
    expect(await texts()).toEqual(["Pay the rent"]);
  });

  it("cannot access the notes of others", async () => {
    const ada = await connectAs("ada", "notes:write");
    const bob = await connectAs("bob", "notes:write");
    const { id } = await ada.tools.add_note({ text: "Mine" });
    expect(await bob.tools.list_notes()).toEqual([]);
    await expect(bob.tools.delete_note({ id })).rejects.toThrow(`You have no note ${id}.`);
    await expect(bob.resources.note({ id })).rejects.toThrow(`You have no note ${id}.`);
    expect(await ada.tools.list_notes()).toHaveLength(1);
  });
});

describe("a caller with the scope notes:read", () => {
  it("can read notes but not add them", async () => {
    const reader = await connectAs("ada", "notes:read");
    await expect(reader.tools.add_note({ text: "No" })).rejects.toThrow("notes:write");
    expect(await reader.tools.list_notes()).toEqual([]);
  });
});

it("rejects callers without a scope", async () => {
  const stranger = await connectAs("eve");
  await expect(stranger.tools.list_notes()).rejects.toThrow("notes:read");
});
