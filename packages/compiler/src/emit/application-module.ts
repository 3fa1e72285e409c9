import { type HandlerRef, listConversions, type Manifest } from "@tenon/runtime/manifest";
import type { BuildOption } from "../model.js";
import { containsFile } from "../conversions/map-conversion.js";
import { getSkillModule } from "./skill-modules.js";
import { getViewModule } from "./view-modules.js";
import { writePropertyName } from "./validators/property-name.js";
import type { ValidatorModules } from "./validators/validator-modules.js";

/**
 * Returns the text of `application.js`: manifest, validators, and the author's classes. It is a separate module, so that
 * tests can create a server from it.
 *
 * @param validatorFiles module of each declaration's validators
 * @param configModule source file of the configuration, relative to the project folder
 * @param unseenOptions options that the configuration may have although the build does not know them
 * @param needsDecorators whether decorators remain that may record options missing from the manifest
 */
export function writeApplicationModule(
  manifest: Manifest,
  validatorFiles: ValidatorModules["fileNames"],
  configModule: string | undefined,
  unseenOptions: readonly BuildOption[],
  needsDecorators: boolean,
): string {
  const entries = [
    ...manifest.tools,
    ...manifest.prompts,
    ...manifest.resources,
    ...manifest.resourceTemplates,
  ];
  const features = findNeededFeatures(manifest, needsDecorators, configModule !== undefined);
  const validators = new ValidatorImports(validatorFiles);
  const classes = new ClassImports([...features, ...validators.names]);
  for (const { handler } of entries) classes.add(handler);
  const used = [...features, ...(unseenOptions.length > 0 ? [OPTION_CHECK] : [])];
  const config =
    unseenOptions.length > 0
      ? `\n  config: ${OPTION_CHECK}(config, ${JSON.stringify(unseenOptions)}),`
      : "\n  config,";
  const imports = [
    ...(used.length > 0 ? [`import { ${used.join(", ")} } from "@tenon/runtime/features";`] : []),
    'import manifest from "./tenon.manifest.json" with { type: "json" };',
    ...(configModule ? [`import config from ${JSON.stringify(`../${configModule}`)};`] : []),
  ];
  return `${imports.join("\n")}
${classes.writeImports()}${validators.writeConstants()}
/** Manifest, validators, and classes of the server. */
export const application = {
  manifest,
  validators: ${validators.writeTable()},
  classes: ${classes.writeTable()},${writeViews(manifest)}${writeSkillFiles(manifest)}${features.length > 0 ? `\n  features: [${features.join(", ")}],` : ""}${configModule ? config : ""}
};
`;
}

/** Returns the table of views, each of which is imported on demand. */
function writeViews({ views = {} }: Manifest): string {
  const rows = Object.keys(views).map((name) => {
    const load = `() => import(${JSON.stringify(`./${getViewModule(name)}`)})`;
    return `    ${JSON.stringify(name)}: { load: ${load} },\n`;
  });
  return rows.length > 0 ? `\n  views: {\n${rows.join("")}  },` : "";
}

/** Returns the table of the files of skills, each of which is imported on demand. */
function writeSkillFiles({ skillFiles = [] }: Manifest): string {
  const rows = skillFiles.map(({ definition, hash }) => {
    const load = `() => import(${JSON.stringify(`./${getSkillModule(hash)}`)})`;
    return `    ${JSON.stringify(definition.uri)}: { load: ${load} },\n`;
  });
  return rows.length > 0 ? `\n  skillFiles: {\n${rows.join("")}  },` : "";
}

/**
 * Returns the names of the runtime's features that the manifest needs: a server is bundled without the others.
 *
 * @param hasOptions whether decorators may have options that are not in the manifest
 */
function findNeededFeatures(manifest: Manifest, hasOptions: boolean, hasConfig: boolean): string[] {
  const { tools, prompts, resources, resourceTemplates } = manifest;
  const entries = [...tools, ...prompts, ...resources, ...resourceTemplates];
  const handlers = entries.map(({ handler }) => handler);
  const conversions = listConversions(manifest);
  const hasFiles =
    conversions.some((each) => containsFile(each)) || entries.some(({ files }) => files === true);
  const hasSkills = manifest.skills !== undefined;
  // The files of skills are resources, too.
  const hasResources = resources.length + resourceTemplates.length > 0 || hasSkills;
  const hasViews = manifest.views !== undefined;
  const hasTasks = tools.some(({ task }) => task !== undefined);
  const needed = {
    completion: prompts.length + resourceTemplates.length > 0,
    configuration: hasConfig,
    context: handlers.some(({ parameters }) => parameters.some(({ from }) => from === "context")),
    conversions: conversions.length > 0 && !hasFiles,
    cursors:
      resourceTemplates.some(({ lists }) => lists === true) ||
      handlers.some(({ parameters }) => parameters.some(({ from }) => from === "cursor")),
    files: hasFiles,
    fileDownloads: conversions.some((each) => containsFile(each, ({ remote }) => remote === true)),
    headers: JSON.stringify(tools).includes('"x-mcp-header":'),
    prompts: prompts.length > 0,
    // Views are resources, too.
    resources: hasResources && !hasViews,
    resultLimits: hasConfig || tools.some(({ maxResultChars = 0 }) => maxResultChars > 0),
    // Tokens can only be exchanged by a server with authorization.
    secrets: manifest.auth !== undefined || JSON.stringify(manifest).includes('"writeOnly":true'),
    skills: hasSkills,
    // The list of tools may change while the server runs.
    subscriptions: hasOptions || hasConfig || hasResources || hasTasks,
    tasks: hasTasks,
    toolSearch: manifest.toolSearch !== undefined,
    views: hasViews,
  };
  return Object.entries(needed).flatMap(([name, isNeeded]) => (isNeeded ? name : []));
}

/** The function of the runtime that rejects options that the build could not see. */
const OPTION_CHECK = "rejectBuildOptions";

const RESERVED = ["manifest", "config", "application", OPTION_CHECK];

/** Imports of validator modules: a constant for each, which imports it on demand. */
class ValidatorImports {
  readonly #files: ValidatorModules["fileNames"];
  /** Names of constants by file name. */
  readonly #constants: ReadonlyMap<string, string>;

  constructor(files: ValidatorModules["fileNames"]) {
    this.#files = files;
    const distinct = new Set(Object.values(files).flatMap((names) => [...names.values()]));
    this.#constants = new Map([...distinct].map((file, index) => [file, `validators${index}`]));
  }

  get names(): readonly string[] {
    return [...this.#constants.values()];
  }

  writeConstants(): string {
    return [...this.#constants]
      .map(([file, name]) => `const ${name} = { load: () => import(${JSON.stringify(`./${file}`)}) };\n`)
      .join("");
  }

  writeTable(): string {
    const kinds = Object.entries(this.#files).map(([kind, files]) => {
      const rows = [...files].map(
        ([name, file]) => `      ${writePropertyName(name)}: ${this.#constants.get(file)},\n`,
      );
      return `    ${kind}: {${rows.length > 0 ? `\n${rows.join("")}    ` : ""}},\n`;
    });
    return `{\n${kinds.join("")}  }`;
  }
}

/** Imports of the author's classes, with unique local names. */
class ClassImports {
  readonly #modules = new Map<string, Map<string, string>>();
  readonly #taken: Set<string>;

  /** @param imported other names in the module */
  constructor(imported: readonly string[]) {
    this.#taken = new Set([...RESERVED, ...imported]);
  }

  add(handler: HandlerRef): void {
    const names = this.#modules.get(handler.module) ?? new Map<string, string>();
    this.#modules.set(handler.module, names);
    if (!names.has(handler.export)) names.set(handler.export, this.#createName(handler.export));
  }

  writeImports(): string {
    return [...this.#modules]
      .map(([module, names]) => {
        const list = [...names]
          .map(([name, local]) => (name === local ? name : `${name} as ${local}`))
          .join(", ");
        return `import { ${list} } from ${JSON.stringify(`../${module}`)};\n`;
      })
      .join("");
  }

  writeTable(): string {
    const rows = [...this.#modules].map(([module, names]) => {
      const list = [...names]
        .map(([name, local]) => (name === local ? name : `${name}: ${local}`))
        .join(", ");
      return `    ${JSON.stringify(module)}: { ${list} },`;
    });
    return rows.length > 0 ? `{\n${rows.join("\n")}\n  }` : "{}";
  }

  #createName(name: string): string {
    const base = name === "default" ? "DefaultExport" : name;
    let candidate = base;
    for (let count = 2; this.#taken.has(candidate); count += 1) candidate = `${base}${count}`;
    this.#taken.add(candidate);
    return candidate;
  }
}
