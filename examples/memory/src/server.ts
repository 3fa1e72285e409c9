import { resolve } from "node:path";
import { defineServer } from "@tenon/runtime";
import { GraphFile } from "./graph-file.js";
import { Memory } from "./memory.js";

const file = process.env["MEMORY_FILE_PATH"] ?? "memory.jsonl";

export default defineServer({
  title: "Memory",
  instructions: "Search before you create an entity. Each entity has one name and all facts about it.",
  provide: [new Memory(new GraphFile(resolve(file)))],
});
