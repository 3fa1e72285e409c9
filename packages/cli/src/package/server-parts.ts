import { join } from "node:path";
import { createCompiler, type FileTree, type SourceEdits } from "@tenon/compiler";
import { bundleOnce } from "../bundle/bundle.js";
import { checkUnchanged } from "../project/changed-files.js";
import { compileWithServerTypes } from "../project/compile-project.js";
import { emitWithViews } from "../project/emit-with-views.js";
import { writeServerTypes } from "../project/server-types.js";
import { hasErrors, printDiagnostics } from "../terminal/print-diagnostics.js";
import type { Terminal } from "../terminal/terminal.js";
import { checkSettings } from "./check-settings.js";
import { isSetByMachine } from "./settings/environment-options.js";
import { type PackageSettings, readPackageSettings } from "./settings/package-settings.js";
import { getRegistryName } from "./settings/registry-name.js";
import { readAccompanyingFiles } from "./targets/accompanying-files.js";
import type { BuiltServer, ServerParts } from "./targets/package-target.js";
import { readServerJson } from "./targets/server-json.js";

type PackagingOptions = Pick<ServerParts, "root" | "outDir" | "url" | "targets" | "packaged">;

/**
 * Compiles the project and prints diagnostics.
 *
 * @returns the parts, or undefined if the project has errors
 * @throws Failure if package.json lacks what a target needs
 */
export async function compileParts(
  terminal: Terminal,
  options: PackagingOptions,
): Promise<ServerParts | undefined> {
  const { root, targets } = options;
  const { color } = terminal.err;
  const compiled = compileWithServerTypes(createCompiler({ root }), root);
  printDiagnostics(terminal.err, compiled.diagnostics);
  const { manifest, emit, sourceEdits, readEnvironment } = compiled;
  if (hasErrors(compiled.diagnostics) || !manifest || !emit || !sourceEdits || !readEnvironment)
    return undefined;
  const settings = readPackageSettings(root);
  checkSettings(settings, targets, targets.has("registry") ? readServerJson(root)?.description : undefined);
  writeServerTypes(manifest, root);
  const { modules, diagnostics } = await emitWithViews(compiled, emit, root, { color });
  printDiagnostics(terminal.err, diagnostics);
  if (!modules) return undefined;
  const { variables, unknownAt } = readEnvironment();
  let built: Promise<BuiltServer> | undefined;
  return {
    ...options,
    cwd: terminal.cwd,
    settings,
    version: settings.version ?? "",
    registryName: targets.has("registry") ? getRegistryName(settings) : settings.mcpName,
    manifest,
    identifiesCallers: compiled.identifiesHttpCallers === true,
    modules,
    edits: sourceEdits,
    environment: variables.filter(({ name }) => !isSetByMachine(name)),
    unknownAt,
    color,
    checkUnchanged: () => checkUnchanged(compiled),
    buildOnce: () => (built ??= buildRelease(root, settings, modules, sourceEdits, color)),
  };
}

async function buildRelease(
  root: string,
  { files: named = [] }: PackageSettings,
  modules: FileTree,
  edits: SourceEdits,
  color: boolean,
): Promise<BuiltServer> {
  const options = { root, outDir: join(root, "dist"), bundlePackages: true, sourcesContent: false, color };
  const { files, needed, ...externalFiles } = await bundleOnce(options, modules, edits);
  // Type declarations are only for tests, and each target has its own package.json.
  const isIncluded = (path: string): boolean => !path.endsWith(".d.ts") && path !== "package.json";
  return {
    files: new Map([...files].filter(([path]) => isIncluded(path))),
    needed,
    accompanying: readAccompanyingFiles(root, named, externalFiles),
  };
}
