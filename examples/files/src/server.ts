import { delimiter } from "node:path";
import { defineServer } from "@tenon/runtime";
import { Directories } from "./directories.js";
import { FolderTools } from "./folder-tools.js";
import { plainErrors } from "./plain-errors.js";
import { ReadTools } from "./read-tools.js";
import { WriteTools } from "./write-tools.js";

const configured = process.env["FILES_DIRECTORIES"] ?? "";
const directories = new Directories(configured.split(delimiter).filter((path) => path !== ""));

export default defineServer({
  title: "Files",
  instructions: "list_allowed_directories lists the directories. Relative paths are relative to them.",
  provide: [new ReadTools(directories), new FolderTools(directories), new WriteTools(directories)],
  use: [plainErrors],
});
