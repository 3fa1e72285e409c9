import { join } from "node:path";
import type { Subject } from "../../support/describe-transports.js";
import { createTasksFixture } from "./application.js";

/** The fixture with tasks in this process and as a separate process. */
export const jobs: Subject = {
  application: () => createTasksFixture(),
  entry: join(import.meta.dirname, "serve.ts"),
};
