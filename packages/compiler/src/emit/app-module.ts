/**
 * The text of `app.js`: the server.
 *
 * @param hasRedisClient the project has installed what reaches Redis, so that `TENON_REDIS_URL` alone may name a store
 */
export function appModule(hasRedisClient: boolean): string {
  return `import { createServer } from "@tenon/runtime/server";
import { application } from "./application.js";
export { serve } from "@tenon/runtime/serve";
${hasRedisClient ? STORE : ""}
/** The server, ready for any transport; running server.js serves it over stdio or HTTP. */
export const server = createServer(application${hasRedisClient ? ", { store }" : ""});
`;
}

const STORE = `
/** For a configuration that names no store. */
const store = process.env.TENON_REDIS_URL ? (await import("@tenon/runtime/redis")).redis() : undefined;
`;
