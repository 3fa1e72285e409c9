import { delimiter } from "node:path";
import { defineServer } from "@tenon/runtime";
import { ChangeTools } from "./change-tools.js";
import { LookTools } from "./look-tools.js";
import { Repositories } from "./repositories.js";

const configured = process.env["GIT_REPOSITORIES"] ?? process.cwd();
const repositories = new Repositories(configured.split(delimiter).filter((path) => path !== ""));

export default defineServer({
  title: "Git",
  instructions: "Look at git_status before you add, and at git_diff_staged before you commit.",
  provide: [new LookTools(repositories), new ChangeTools(repositories)],
});
