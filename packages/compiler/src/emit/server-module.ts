import type { Manifest } from "@tenon/runtime/manifest";

/**
 * The text of `server.js`, which a server is started with.
 *
 * The import is dynamic because a static one would run the author's code before the guard stands. There is one alone,
 * so that as few files as possible have to be found and read before the server answers; the other explains why there is
 * no answer.
 *
 * What needs no server, such as `--help`, is answered before any of the author's code runs, which may connect to databases.
 *
 * @param info what `--version` says; undefined where only the author's code knows
 * @param mayHaveStore its processes may share what they must, so that `--workers` can start several. The first of them
 *   goes no further than that.
 */
export function serverModule(
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
