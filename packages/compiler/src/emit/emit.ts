import type { Manifest } from "@tenon/runtime/manifest";
import { appModule, appTypes, TYPES } from "./app-module.js";
import { applicationModule } from "./application-module.js";
import type { FileTree } from "./file-tree.js";
import { serverModule } from "./server-module.js";
import { validatorsModule } from "./validators/validators-module.js";

export interface EmitInput {
  manifest: Manifest;
  /** Source file of the configuration, relative to the project folder. */
  configModule?: string | undefined;
  /** The declarations of the configuration and of what they import, relative to the project folder, if it exports more. */
  declarations?: ReadonlyMap<string, string> | undefined;
  /** Decorators are left in the sources, which record what the manifest does not hold. Default true. */
  keepsDecorators?: boolean | undefined;
  /** The configuration has a `store`, or may have. */
  hasStore?: boolean | undefined;
  /** The configuration computes the server's name or version. */
  hasComputedName?: boolean | undefined;
  /** The project depends on `@redis/client`. */
  hasRedisClient?: boolean | undefined;
}

/**
 * The modules of a server, as they belong into the project's `dist/` folder. They import the author's sources
 * as they stand (`../src/weather.ts`), so a bundler or a TypeScript-aware runtime has to follow.
 *
 * @param cache the validators of a project that stays loaded, so that only the schemas an edit has changed are
 *   compiled again; the files are the same without it
 */
export function emit(
  {
    manifest,
    configModule,
    declarations,
    keepsDecorators = true,
    hasStore = false,
    hasComputedName = false,
    hasRedisClient = false,
  }: EmitInput,
  cache?: Map<string, string>,
): FileTree {
  const exporting = declarations && configModule;
  return new Map([
    ["server.js", serverModule(hasComputedName ? undefined : manifest.server, hasStore || hasRedisClient)],
    ["app.js", appModule(hasRedisClient, exporting)],
    ["app.d.ts", appTypes(exporting)],
    ...[...(declarations ?? [])].map(([path, text]): [string, string] => [`${TYPES}/${path}`, text]),
    ["application.js", applicationModule(manifest, configModule, keepsDecorators)],
    ["validators.js", validatorsModule(manifest, cache)],
    ["tenon.manifest.json", `${JSON.stringify(manifest, null, 2)}\n`],
  ]);
}
