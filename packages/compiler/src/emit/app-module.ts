/**
 * The text of `app.js`: the server, and what the configuration exports by name. An application that mounts the server
 * shares its instances with it that way; were it to import the sources, it would have others.
 *
 * @param hasRedisClient the project has installed what reaches Redis, so that `TENON_REDIS_URL` alone may name a store
 * @param exporting source file of a configuration that exports names, relative to the project folder
 */
export function appModule(hasRedisClient: boolean, exporting: string | undefined): string {
  return `import { createServer } from "@tenon/runtime/server";
import { application } from "./application.js";
export { serve } from "@tenon/runtime/serve";
${
  exporting === undefined
    ? ""
    : `export * from ${JSON.stringify(`../${exporting}`)};
`
}${hasRedisClient ? STORE : ""}
/** The server, ready for any transport; running server.js serves it over stdio or HTTP. */
export const server = createServer(application${hasRedisClient ? ", { store }" : ""});
`;
}

/** Where the declarations of what `app.js` exports lie. */
export const TYPES = "types";

/** The types of `app.js`. What the configuration exports is declared beside it: its sources may not be there. */
export function appTypes(exporting: string | undefined): string {
  const declared = exporting && `./${TYPES}/${exporting.replace(/\.([cm]?)tsx?$/, ".$1js")}`;
  return `import type { Server } from "@tenon/runtime/server";
${declared === undefined ? "" : `export * from ${JSON.stringify(declared)};\n`}
export declare const server: Server;
`;
}

const STORE = `
/** For a configuration that names no store. */
const store = process.env.TENON_REDIS_URL ? (await import("@tenon/runtime/redis")).redis() : undefined;
`;
