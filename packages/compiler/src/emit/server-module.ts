import type { Manifest } from "@tenon/runtime/manifest";

/**
 * Returns the text of `server.js`, which starts a server.
 *
 * The import of `app.js` is dynamic, because a static import would run the author's code before stdout is guarded. It is
 * the only import of a normal start, so that few files have to be read; the other imports explain failures.
 *
 * Arguments that need no server, such as `--help`, are handled before the author's code runs, which may connect to a
 * database.
 *
 * @param info output of `--version`; undefined if only the author's code knows it
 * @param mayHaveStore whether processes may share a store, so that `--workers` can start several. The first process only
 *   starts the others.
 */
export function writeServerModule(
  info: Pick<Manifest["server"], "name" | "version"> | undefined,
  mayHaveStore: boolean,
): string {
  return `#!/usr/bin/env node
import { guardStdout } from "@tenon/runtime/stdout-guard";

guardStdout();
if (process.argv.length > 2) {
  const { readCommandLine } = await import("@tenon/runtime/command-line");
  readCommandLine(process.argv.slice(2), ${info && JSON.stringify({ name: info.name, version: info.version })});
}
${mayHaveStore ? WORKERS : ""}
const { serve, server } = await import("./app.js").catch(async (error) => {
  const { failToStart } = await import("@tenon/runtime/start-failure");
  return failToStart(error, import.meta.url);
});
await serve(server, process.argv.slice(2)${mayHaveStore ? ", worker" : ""});
`;
}

const WORKERS = `
let worker;
if (process.argv.some((argument) => argument.startsWith("--workers"))) {
  const { startWorkers } = await import("@tenon/runtime/start-workers");
  worker = await startWorkers(process.argv.slice(2));
}
`;
