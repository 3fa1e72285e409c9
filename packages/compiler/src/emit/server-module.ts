/**
 * The text of `server.js`, which a server is started with.
 *
 * The import is dynamic because a static one would run the author's code before the guard stands. There is one alone,
 * so that as few files as possible have to be found and read before the server answers; the other explains why there is
 * no answer.
 */
export const SERVER_MODULE = `#!/usr/bin/env node
import { guardStdout } from "@tenon/runtime/stdout-guard";

guardStdout();

const { serve, server } = await import("./app.js").catch(async (error) => {
  const { failToStart } = await import("@tenon/runtime/start-failure");
  return failToStart(error, import.meta.url);
});
await serve(server, process.argv.slice(2));
`;
