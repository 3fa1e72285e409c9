import { defineServer } from "@tenon/runtime";
import { TaskPages } from "./task-pages.js";
import { TaskStore } from "./task-store.js";
import { TaskTools } from "./task-tools.js";

const store = new TaskStore();

export default defineServer({
  instructions: "A task list. Tasks have numbers; list the tasks before you refer to one.",
  provide: [new TaskTools(store), new TaskPages(store)],
});
