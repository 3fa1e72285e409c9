/**
 * Lets Vitest read decorated classes, and tests connect to the server of their project.
 *
 * @example
 * // vitest.config.ts
 * import { tenon } from "@tenon/cli/vitest";
 * import { defineConfig } from "vitest/config";
 * export default defineConfig({ plugins: [tenon()] });
 * @module
 */
import { isAbsolute, join } from "node:path";
import { resolveProjectRoot } from "../project/project-root.js";
import { TEST_MODULE } from "./test-module.js";
import { TestProjects } from "./test-projects.js";
import { createTypeReporter } from "./type-reporter.js";

/** The time limit of tests. The first test waits for the compiler, which can exceed Vitest's default of five seconds. */
const TEST_TIMEOUT_MS = 30_000;

/** The prefix of the IDs of generated modules. Vite marks modules without a file with a NUL character. */
const GENERATED = "\0tenon-generated:";

/** The part of Vite's plugin context that this plugin uses. */
interface PluginContext {
  resolve(id: string, importer?: string): Promise<{ id: string } | null>;
}

/** The part of Vite's development server that this plugin uses: the modules that it has read. */
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

/** The part of Vitest that this plugin uses. */
interface VitestContext {
  readonly vitest: {
    readonly config: { readonly watch: boolean; readonly reporters: unknown[] };
  };
}

/** The options of {@link tenon}. */
export interface TenonPluginOptions {
  /**
   * Whether a type error in a test makes `vitest run` fail. It covers tests with a separate `test/tsconfig.json`, as in new
   * projects. In watch mode, only the editor shows type errors. Default: true.
   */
  readonly typeCheck?: boolean;
}

/** A Vite plugin with only the members that this one has, so that every version of Vite accepts it. */
export interface TenonPlugin {
  readonly name: string;
  readonly enforce: "pre";
  config(given: object): object;
  configResolved(config: { root: string }): void;
  configureServer(server: ModuleServer): void;
  configureVitest(context: VitestContext): void;
  resolveId(this: PluginContext, id: string, importer?: string): Promise<{ id: string } | string | null>;
  load(id: string): Promise<{ code: string; map: string | null } | null>;
  watchChange(path: string): void;
}

/** Returns the plugin for `plugins` in the Vitest configuration. */
export function tenon({ typeCheck = true }: TenonPluginOptions = {}): TenonPlugin {
  const projects = new TestProjects();
  let server: ModuleServer | undefined;

  /** Discards all generated modules: a server is compiled from all sources, so any edit may change any of them. */
  const discardGenerated = (): void => {
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
        ...getTimeouts(given),
        // The modules that connect import a module that only this plugin can load.
        server: { deps: { inline: [/@tenon[\\/]cli[\\/]dist[\\/](?:testing|eval)[\\/]/] } },
        // Vitest does not know the sources of a connected server. The first two are its defaults.
        forceRerunTriggers: ["**/package.json/**", "**/{vitest,vite}.config.*/**", "**/src/**"],
      },
    }),
    configResolved: ({ root }) => {
      projects.get(resolveProjectRoot(root));
    },
    configureServer: (given) => {
      server = given;
    },
    configureVitest({ vitest: { config } }) {
      if (!typeCheck || config.watch) return;
      config.reporters.push(createTypeReporter(() => projects.findTypeErrors(), process));
    },
    async resolveId(id, importer) {
      if (id.startsWith(TEST_MODULE)) return toGeneratedId(id.slice(TEST_MODULE.length), "testing.js");
      const from = importer === undefined ? undefined : readGeneratedId(importer);
      if (from === undefined) return null;
      if (id.startsWith("./")) return toGeneratedId(from.root, id.slice(2));
      return this.resolve(
        id.startsWith("../") ? join(from.root, "dist", id) : id,
        join(from.root, "package.json"),
      );
    },
    async load(id) {
      const generated = readGeneratedId(id);
      if (generated !== undefined) {
        const { root, name } = generated;
        const text = await projects.get(root).loadGenerated(name);
        return { code: name.endsWith(".json") ? `export default ${text};` : text, map: null };
      }
      return isAbsolute(id) ? ((await projects.loadAuthorModule(id)) ?? null) : null;
    },
    watchChange: (path) => {
      projects.refresh(path);
      discardGenerated();
    },
  };
}

/** Returns the time limits of tests and hooks that the author's configuration does not set. */
function getTimeouts(given: object): { testTimeout?: number; hookTimeout?: number } {
  const { testTimeout, hookTimeout } = (given as { test?: Record<string, unknown> }).test ?? {};
  return {
    ...(testTimeout === undefined && { testTimeout: TEST_TIMEOUT_MS }),
    ...(hookTimeout === undefined && { hookTimeout: TEST_TIMEOUT_MS }),
  };
}

/** Returns the ID of a generated module. It ends in `.js`, because Vite would convert `.json` a second time. */
function toGeneratedId(root: string, name: string): string {
  return `${GENERATED}${name}:${root}.js`;
}

function readGeneratedId(id: string): { name: string; root: string } | undefined {
  if (!id.startsWith(GENERATED)) return undefined;
  const text = id.slice(GENERATED.length, -".js".length);
  const end = text.indexOf(":");
  return { name: text.slice(0, end), root: text.slice(end + 1) };
}
