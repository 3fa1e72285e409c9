/**
 * Returns the text of `app.js`: the server, and the named exports of the configuration. Through these, an application that
 * mounts the server shares its instances; importing the sources would create others.
 *
 * @param hasRedisClient whether the project depends on a Redis client, so that `TENON_REDIS_URL` configures a store
 * @param configWithExports source file of a configuration with named exports, relative to the project folder
 */
export function writeAppModule(hasRedisClient: boolean, configWithExports: string | undefined): string {
  return `import { createServer } from "@tenon/runtime/server";
import { application } from "./application.js";
export { serve } from "@tenon/runtime/serve";
${
  configWithExports === undefined
    ? ""
    : `export * from ${JSON.stringify(`../${configWithExports}`)};
`
}${hasRedisClient ? STORE : ""}
/** The server, ready for any transport; running server.js serves it over stdio or HTTP. */
export const server = createServer(application${hasRedisClient ? ", { store }" : ""});
`;
}

/** Folder of the declarations that `app.d.ts` exports. */
export const TYPES_FOLDER = "types";

/** Returns the text of `app.d.ts`. The configuration's exports have their own declarations, since its sources may be missing. */
export function writeAppTypes(configWithExports: string | undefined): string {
  const declared =
    configWithExports && `./${TYPES_FOLDER}/${configWithExports.replace(/\.([cm]?)tsx?$/, ".$1js")}`;
  return `import type { Server } from "@tenon/runtime/server";
${declared === undefined ? "" : `export * from ${JSON.stringify(declared)};\n`}
export declare const server: Server;
`;
}

const STORE = `
/** The store for a configuration without one. */
const store = process.env.TENON_REDIS_URL ? (await import("@tenon/runtime/redis")).redis() : undefined;
`;
