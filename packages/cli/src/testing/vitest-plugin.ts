/**
 * Lets vitest read decorated classes, and tests connect to the server of their project.
 *
 * @example
 * // vitest.config.ts
 * import { tenon } from "@tenon/cli/vitest";
 * import { defineConfig } from "vitest/config";
 * export default defineConfig({ plugins: [tenon()] });
 * @module
 */
import { isAbsolute, join } from "node:path";
import { projectRoot } from "../project/project-root.js";
import { TEST_MODULE } from "./test-module.js";
import { TestProjects } from "./test-projects.js";

/** The first test that connects waits until the project is compiled: on a busy machine, more than vitest's five seconds. */
const TEST_TIMEOUT_MS = 30_000;

/** As vite marks modules that are no files. */
const GENERATED = "\0tenon-generated:";

/** What vite calls while it is at work, in its own words. */
interface PluginContext {
  resolve(id: string, importer?: string): Promise<{ id: string } | null>;
}

/** What vite keeps of the modules that it has read. */
interface ModuleServer {
  readonly environments: Readonly<
    Record<
      string,
      {
        readonly moduleGraph: {
          readonly idToModuleMap: ReadonlyMap<string, object>;
          invalidateModule(module: object): void;
        };
      }
    >
  >;
}

/** A plugin of vite, as far as this one is one: any version of vite takes it. */
export interface TenonPlugin {
  readonly name: string;
  readonly enforce: "pre";
  config(given: object): object;
  configResolved(config: { root: string }): void;
  configureServer(server: ModuleServer): void;
  resolveId(this: PluginContext, id: string, importer?: string): Promise<{ id: string } | string | null>;
  load(id: string): Promise<{ code: string; map: string | null } | null>;
  watchChange(path: string): void;
}

/** @returns the plugin, for `plugins` of the vitest configuration */
export function tenon(): TenonPlugin {
  const projects = new TestProjects();
  let server: ModuleServer | undefined;

  /** A server is compiled from all sources together, so that each edit may change any generated module. */
  const forgetGenerated = (): void => {
    for (const { moduleGraph } of Object.values(server?.environments ?? {})) {
      for (const [id, module] of moduleGraph.idToModuleMap) {
        if (readGeneratedId(id) !== undefined) moduleGraph.invalidateModule(module);
      }
    }
  };

  return {
    name: "tenon",
    enforce: "pre",
    config: (given) => ({
      test: {
        ...timeouts(given),
        // The module that connects imports what only this plugin can load.
        server: { deps: { inline: [/@tenon[\\/]cli[\\/]dist[\\/]testing[\\/]/] } },
        // vitest does not know of a test that connects what it is made of. The first two are its own.
        forceRerunTriggers: ["**/package.json/**", "**/{vitest,vite}.config.*/**", "**/src/**"],
      },
    }),
    configResolved: ({ root }) => {
      projects.at(projectRoot(root));
    },
    configureServer: (given) => {
      server = given;
    },
    async resolveId(id, importer) {
      if (id.startsWith(TEST_MODULE)) return generatedId(id.slice(TEST_MODULE.length), "testing.js");
      const from = importer === undefined ? undefined : readGeneratedId(importer);
      if (from === undefined) return null;
      if (id.startsWith("./")) return generatedId(from.root, id.slice(2));
      return this.resolve(
        id.startsWith("../") ? join(from.root, "dist", id) : id,
        join(from.root, "package.json"),
      );
    },
    async load(id) {
      const generated = readGeneratedId(id);
      if (generated !== undefined) {
        const { root, name } = generated;
        const text = await projects.at(root).generated(name);
        return { code: name.endsWith(".json") ? `export default ${text};` : text, map: null };
      }
      return isAbsolute(id) ? ((await projects.author(id)) ?? null) : null;
    },
    watchChange: (path) => {
      projects.refresh(path);
      forgetGenerated();
    },
  };
}

/** How long tests and hooks may take, where the author's configuration does not say. */
function timeouts(given: object): { testTimeout?: number; hookTimeout?: number } {
  const { testTimeout, hookTimeout } = (given as { test?: Record<string, unknown> }).test ?? {};
  return {
    ...(testTimeout === undefined && { testTimeout: TEST_TIMEOUT_MS }),
    ...(hookTimeout === undefined && { hookTimeout: TEST_TIMEOUT_MS }),
  };
}

/** JSON would be taken for JSON by vite, though it is a module already. */
function generatedId(root: string, name: string): string {
  return `${GENERATED}${name}:${root}.js`;
}

function readGeneratedId(id: string): { name: string; root: string } | undefined {
  if (!id.startsWith(GENERATED)) return undefined;
  const text = id.slice(GENERATED.length, -".js".length);
  const end = text.indexOf(":");
  return { name: text.slice(0, end), root: text.slice(end + 1) };
}
