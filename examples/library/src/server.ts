import { defineServer } from "@tenon/runtime";
import { Database } from "./database.js";
import { Library } from "./library.js";

export default defineServer({
  title: "Lending library",
  instructions: "Search before you lend: every tool wants a book's number.",
  provide: [new Library(new Database(process.env["LIBRARY_DB"] ?? "library.db"))],
});
