import { join } from "node:path";
import type { Subject } from "../../support/describe-transports.js";
import { createAskingFixture } from "./application.js";

/** The asking fixture in this process and as a separate process. */
export const asking: Subject = {
  application: () => createAskingFixture(),
  entry: join(import.meta.dirname, "serve.ts"),
};
