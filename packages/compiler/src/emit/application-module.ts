import type { HandlerRef, Manifest } from "@tenon/runtime/manifest";

/**
 * The text of `application.js`: manifest, validators and the author's classes, of which a server is made. A module of its
 * own, so that tests can make a server of it as they need one.
 *
 * @param configModule source file of the configuration, relative to the project folder
 * @param keepsDecorators some decorator is left that may record what the manifest does not hold
 */
export function applicationModule(
  manifest: Manifest,
  configModule: string | undefined,
  keepsDecorators: boolean,
): string {
  const entries = [
    ...manifest.tools,
    ...manifest.prompts,
    ...manifest.resources,
    ...manifest.resourceTemplates,
  ];
  const parts = partsOf(manifest, keepsDecorators || configModule !== undefined);
  const classes = new ClassImports(parts);
  for (const { handler } of entries) classes.add(handler);
  const imports = [
    ...(parts.length > 0 ? [`import { ${parts.join(", ")} } from "@tenon/runtime/parts";`] : []),
    'import manifest from "./tenon.manifest.json" with { type: "json" };',
    'import { compiled } from "@tenon/runtime/validation";',
    'import { createValidators } from "./validators.js";',
    ...(configModule ? [`import config from ${JSON.stringify(`../${configModule}`)};`] : []),
  ];
  return `${imports.join("\n")}
${classes.imports()}
/** What the server is made of. */
export const application = {
  manifest,
  validators: createValidators(compiled),
  classes: ${classes.table()},${parts.length > 0 ? `\n  parts: [${parts.join(", ")}],` : ""}${configModule ? "\n  config," : ""}
};
`;
}

/**
 * What serves the manifest besides its tools: a server is bundled without what it does not need.
 *
 * @param hasBehaviour which tools there are may depend on more than the manifest
 */
function partsOf(
  { tools, prompts, resources, resourceTemplates }: Manifest,
  hasBehaviour: boolean,
): string[] {
  const handlers = [...tools, ...prompts, ...resources, ...resourceTemplates].map(({ handler }) => handler);
  const hasResources = resources.length + resourceTemplates.length > 0;
  const hasTasks = tools.some(({ task }) => task !== undefined);
  const needed = {
    completion: prompts.length + resourceTemplates.length > 0,
    context: handlers.some(({ parameters }) => parameters.some(({ from }) => from === "context")),
    conversions: tools.some(({ input, output }) => (input.conversion ?? output.conversion) !== undefined),
    prompts: prompts.length > 0,
    resources: hasResources,
    subscriptions: hasBehaviour || hasResources || hasTasks,
    tasks: hasTasks,
  };
  return Object.entries(needed).flatMap(([name, isNeeded]) => (isNeeded ? name : []));
}

const RESERVED = ["manifest", "compiled", "createValidators", "config", "application"];

/** The author's classes by module, each under a name no other import uses. */
class ClassImports {
  readonly #modules = new Map<string, Map<string, string>>();
  readonly #taken: Set<string>;

  /** @param imported names that the module imports besides */
  constructor(imported: readonly string[]) {
    this.#taken = new Set([...RESERVED, ...imported]);
  }

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
