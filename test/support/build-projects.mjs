/**
 * `node build-projects.mjs DIR…` does for each folder in turn what `tenon build DIR` does, in one process.
 */
import { processTerminal, run } from "@tenon/cli";

const terminal = processTerminal(process);
for (const folder of process.argv.slice(2)) {
  if ((await run(["build", folder], terminal)) !== 0) process.exitCode = 1;
}
