import { defineServer } from "@tenon/runtime";
import { Database } from "./database.js";
import { NotePages } from "./note-pages.js";
import { NoteTools } from "./note-tools.js";
import { Notes } from "./notes.js";

const database = new Database(process.env["NOTES_DB"] ?? "file:notes.db");
const notes = new Notes(database);

export default defineServer({
  title: "Notes",
  instructions: "Find notes before you add one: an existing note can be changed.",
  // The server closes the database when it stops.
  provide: [database, new NoteTools(notes), new NotePages(notes)],
});
