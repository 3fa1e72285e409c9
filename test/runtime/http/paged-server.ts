/**
 * Servers whose pages for browsers are tested.
 */
import { type ServerConfig, Tool, type ToolOptions } from "@tenon/runtime";
import { allFeatures } from "@tenon/runtime/features";
import type { ToolEntry } from "@tenon/runtime/manifest";
import { type Application, createServer, type Server } from "@tenon/runtime/server";

/** A tool without arguments. */
export interface PagedTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** The parts of its entry in the manifest that differ from those of a plain tool. */
  readonly entry?: Partial<Omit<ToolEntry, "definition">>;
  readonly parameters?: ToolEntry["handler"]["parameters"];
  /** The options that its decorator records. */
  readonly options?: ToolOptions;
}

/** Creates a server with these tools. */
export function createPagedServer(tools: readonly PagedTool[], config: ServerConfig = {}): Server {
  class Tools {
    run(): string {
      return "text";
    }
  }
  const methods = Tools.prototype as unknown as Record<string, unknown>;
  for (const { name, options = {} } of tools) {
    methods[name] = methods["run"];
    Tool(options)(Tools.prototype, name, {});
  }
  const application: Application = {
    manifest: {
      manifestVersion: 1,
      server: { name: "sample", version: "1.2.3" },
      tools: tools.map(({ name, title, description, entry, parameters = [] }) => ({
        definition: {
          name,
          ...(title !== undefined && { title }),
          ...(description !== undefined && { description }),
          inputSchema: { type: "object" },
        },
        handler: { module: "src/tools.ts", export: "Tools", method: name, parameters },
        input: {},
        output: { kind: "text" },
        ...entry,
      })),
      prompts: [],
      resources: [],
      resourceTemplates: [],
    },
    classes: { "src/tools.ts": { Tools } },
    validators: {
      tools: Object.fromEntries(tools.map(({ name }) => [name, { input: () => true }])),
      prompts: {},
      resourceTemplates: {},
    },
    features: allFeatures,
    config: { log: "off", ...config },
  };
  return createServer(application);
}
