import { delimiter } from "node:path";
import { defineServer } from "@tenon/runtime";
import { ChangeTools } from "./change-tools.js";
import { ReadTools } from "./read-tools.js";
import { Repositories } from "./repositories.js";

const configured = process.env["GIT_REPOSITORIES"] ?? process.cwd();
const repositories = new Repositories(configured.split(delimiter).filter((path) => path !== ""));

export default defineServer({
  title: "Git",
  instructions: "Call git_status before git_add, and git_diff_staged before git_commit.",
  provide: [new ReadTools(repositories), new ChangeTools(repositories)],
});
