/**
 * Returns the text of `app.js`: the server, and the named exports of the configuration. Through these, an application that
 * mounts the server shares its instances; importing the sources would create others.
 *
 * @param hasRedisClient whether the project depends on a Redis client, so that `TENON_REDIS_URL` configures a store
 * @param exporting source file of a configuration with named exports, relative to the project folder
 */
export function writeAppModule(hasRedisClient: boolean, exporting: string | undefined): string {
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

/** Folder of the declarations that `app.d.ts` exports. */
export const TYPES = "types";

/** Returns the text of `app.d.ts`. The configuration's exports have their own declarations, since its sources may be missing. */
export function writeAppTypes(exporting: string | undefined): string {
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
