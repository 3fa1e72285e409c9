import type { Manifest } from "@tenon/runtime/manifest";
import type { BuildOption } from "../model.js";
import { writeAppModule, writeAppTypes, TYPES_FOLDER } from "./app-module.js";
import { writeApplicationModule } from "./application-module.js";
import type { FileTree } from "./file-tree.js";
import { writeServerModule } from "./server-module.js";
import { addViewHashes, type BuiltViews } from "../views/view-hashes.js";
import type { SkillContents } from "../skills/skill.js";
import { createSkillModules } from "./skill-modules.js";
import { createViewModules } from "./view-modules.js";
import { createValidatorModules } from "./validators/validator-modules.js";

/** The input of {@link emit}. */
export interface EmitInput {
  /** The manifest, without the hashes of views. */
  manifest: Manifest;
  /** The HTML of the views. Default: none. */
  views?: BuiltViews | undefined;
  /** The files of skills, by hash. Default: none. */
  skillContents?: SkillContents | undefined;
  /** Source file of the configuration, relative to the project folder. */
  configModule?: string | undefined;
  /** Declarations of a configuration with named exports, and of the files that they import, by path relative to the project folder. */
  declarations?: ReadonlyMap<string, string> | undefined;
  /** Whether the sources keep decorators that may record options missing from the manifest. Default: true. */
  needsDecorators?: boolean | undefined;
  /** Whether the configuration has a `store`, or may have one. */
  hasStore?: boolean | undefined;
  /** Whether the configuration computes the server's name or version. */
  hasComputedName?: boolean | undefined;
  /** Options that only the build reads, and that the configuration may have although the source does not show them. */
  unseenOptions?: readonly BuildOption[] | undefined;
  /** Whether the project depends on `@redis/client`. */
  hasRedisClient?: boolean | undefined;
}

/**
 * Returns the modules of a server for the project's `dist/` folder. They import the author's sources
 * (`../src/weather.ts`), so they need a bundler or a runtime that supports TypeScript.
 *
 * @param cache validators of earlier builds, so that only changed schemas are compiled; it does not affect the result
 */
export function emit(
  {
    manifest: unhashed,
    views = new Map(),
    skillContents = new Map(),
    configModule,
    declarations,
    needsDecorators = true,
    hasStore = false,
    hasComputedName = false,
    unseenOptions = [],
    hasRedisClient = false,
  }: EmitInput,
  cache?: Map<string, string>,
): FileTree {
  const configWithExports = declarations && configModule;
  const manifest = addViewHashes(unhashed, views);
  const validators = createValidatorModules(manifest, cache);
  return new Map([
    [
      "server.js",
      writeServerModule(hasComputedName ? undefined : manifest.server, hasStore || hasRedisClient),
    ],
    ["app.js", writeAppModule(hasRedisClient, configWithExports)],
    ["app.d.ts", writeAppTypes(configWithExports)],
    ...[...(declarations ?? [])].map(([path, text]): [string, string] => [`${TYPES_FOLDER}/${path}`, text]),
    [
      "application.js",
      writeApplicationModule(manifest, validators.fileNames, configModule, unseenOptions, needsDecorators),
    ],
    ...validators.files,
    ...createViewModules(manifest, views),
    ...createSkillModules(manifest, skillContents),
    ["tenon.manifest.json", `${JSON.stringify(manifest, null, 2)}\n`],
  ]);
}
