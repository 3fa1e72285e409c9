import type { HandlerRef, Manifest } from "@tenon/runtime/manifest";
import type { FileTree } from "./file-tree.js";
import { createValidatorMemory, validatorModules } from "./validators/validators.js";

export interface EmitInput {
  manifest: Manifest;
  /** Source file of the configuration, relative to the project folder. */
  configModule?: string;
}

/**
 * The modules of a server, as they belong into the project's `dist/` folder. They import the author's sources
 * as they stand (`../src/weather.ts`), so a bundler or a TypeScript-aware runtime has to follow.
 *
 * @param memory what emitting the project before has found out; the files are the same without it
 */
export function emit(input: EmitInput, memory = createValidatorMemory()): FileTree {
  return new Map([
    ["server.js", SERVER_MODULE],
    ["app.js", appModule(input)],
    ...validatorModules(input.manifest, memory),
    ["tenon.manifest.json", `${JSON.stringify(input.manifest, null, 2)}\n`],
  ]);
}

/**
 * The import is dynamic because a static one would run the author's code before the guard stands. There is one alone,
 * so that as few files as possible have to be found and read before the server answers.
 */
const SERVER_MODULE = `#!/usr/bin/env node
import { guardStdout } from "@tenon/runtime/stdout-guard";

guardStdout();

const { serve, server } = await import("./app.js");
await serve(server, process.argv.slice(2));
`;

function appModule({ manifest, configModule }: EmitInput): string {
  const classes = new ClassImports();
  const entries = [
    ...manifest.tools,
    ...manifest.prompts,
    ...manifest.resources,
    ...manifest.resourceTemplates,
  ];
  for (const { handler } of entries) classes.add(handler);
  const imports = [
    'import { createServer } from "@tenon/runtime/server";',
    'import manifest from "./tenon.manifest.json" with { type: "json" };',
    'import { validators } from "./validators.js";',
    ...(configModule ? [`import config from ${JSON.stringify(`../${configModule}`)};`] : []),
  ];
  return `${imports.join("\n")}
export { serve } from "@tenon/runtime/serve";
${classes.imports()}
/** The server, ready for any transport; running server.js serves it over stdio or HTTP. */
export const server = createServer({
  manifest,
  validators,
  classes: ${classes.table()},${configModule ? "\n  config," : ""}
});
`;
}

/** The author's classes by module, each under a name no other import uses. */
class ClassImports {
  readonly #modules = new Map<string, Map<string, string>>();
  readonly #taken = new Set(["createServer", "manifest", "validators", "config", "server"]);

  add(handler: HandlerRef): void {
    const names = this.#modules.get(handler.module) ?? new Map<string, string>();
    this.#modules.set(handler.module, names);
    if (!names.has(handler.export)) names.set(handler.export, this.#freshName(handler.export));
  }

  imports(): string {
    return [...this.#modules]
      .map(([module, names]) => {
        const list = [...names]
          .map(([name, local]) => (name === local ? name : `${name} as ${local}`))
          .join(", ");
        return `import { ${list} } from ${JSON.stringify(`../${module}`)};\n`;
      })
      .join("");
  }

  table(): string {
    const rows = [...this.#modules].map(([module, names]) => {
      const list = [...names]
        .map(([name, local]) => (name === local ? name : `${name}: ${local}`))
        .join(", ");
      return `    ${JSON.stringify(module)}: { ${list} },`;
    });
    return rows.length > 0 ? `{\n${rows.join("\n")}\n  }` : "{}";
  }

  #freshName(name: string): string {
    const base = name === "default" ? "DefaultExport" : name;
    let candidate = base;
    for (let count = 2; this.#taken.has(candidate); count += 1) candidate = `${base}${count}`;
    this.#taken.add(candidate);
    return candidate;
  }
}
