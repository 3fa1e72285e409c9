import { existsSync, readFileSync, realpathSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join } from "node:path";
import { findNearestName } from "@tenon/runtime/nearest-name";
import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import {
  getExportedName,
  isUnresolved,
  getModuleSpecifiers,
  getTypeSpecifiers,
  findNamesNotExported,
  resolveFile,
} from "../typescript/imports.js";
import { findInstallCommands, findInstalledFolder, isPlugAndPlay } from "../project/install-command.js";
import type { Project } from "../project/project.js";
import { findReachedFiles } from "../project/reached-files.js";
import { RUNTIME } from "../typescript/runtime-symbols.js";
import { ts } from "../typescript/typescript.js";

/**
 * Reports each unresolved import once, since it explains unrecognized decorators and missing types.
 *
 * @returns false if Tenon's runtime is among them
 */
export function checkImports(project: Project, collector: DiagnosticCollector): boolean {
  const { checker, root } = project;
  const report = collector.createReport();
  let hasRuntime = true;
  for (const file of findReachedFiles(project)) {
    for (const specifier of [...getModuleSpecifiers(file), ...getTypeSpecifiers(file)]) {
      if (!isUnresolved(specifier, checker) || isFound(specifier, project) || isAccepted(specifier)) continue;
      const { text } = specifier;
      if (text === RUNTIME && hasRuntime) {
        report("runtime-not-installed", specifier, { edit: getPackageEdit(RUNTIME, root) });
      } else if (text !== RUNTIME)
        report("import-not-found", specifier, { module: text, edit: getModuleEdit(text, file, root) });
      hasRuntime &&= text !== RUNTIME;
    }
    for (const specifier of findNamesNotExported(file, checker)) {
      const { text } = getExportedName(specifier);
      const { moduleSpecifier } = specifier.parent.parent.parent;
      if (isAccepted(specifier)) continue;
      const module = checker.getSymbolAtLocation(moduleSpecifier);
      const names = module ? checker.getExportsOfModule(module).map(({ name }) => name) : [];
      const nearest = findNearestName(text, names);
      report("import-not-exported", getExportedName(specifier), {
        module: ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : "",
        name: text,
        ...(nearest !== undefined && { nearest }),
      });
    }
  }
  return hasRuntime;
}

/** Returns whether a comment makes TypeScript ignore the import. The bundler reports modules that do not load. */
function isAccepted(specifier: ts.Node): boolean {
  const file = specifier.getSourceFile();
  const { line } = file.getLineAndCharacterOfPosition(specifier.getStart());
  const before = file.text.split(/\r\n|\r|\n/, line);
  const comments = before.slice(before.findLastIndex((each) => !/^\s*(?:\/\/.*)?$/.test(each)) + 1);
  return (
    comments.some((each) => /@ts-(?:ignore|expect-error)\b/.test(each)) ||
    /^\s*\/\/ *@ts-nocheck\b/m.test(file.text)
  );
}

/**
 * Returns whether a module file exists. TypeScript itself reports files without types and files that are not modules.
 */
function isFound(specifier: ts.StringLiteral, { program }: Project): boolean {
  const file = specifier.getSourceFile();
  const options = program.getCompilerOptions();
  const mode = ts.getModeForUsageLocation(file, specifier, options);
  return resolveFile(specifier.text, file.fileName, mode, options) !== undefined;
}

/** Returns the edit for a module that cannot be found. */
function getModuleEdit(module: string, file: ts.SourceFile, root: string): string {
  if (/^\.{0,2}\//.test(module)) return getFileEdit(module, dirname(file.fileName));
  const commands = findInstallCommands(root);
  if (isBuiltin(module)) {
    return `Run \`${commands.addForDevelopment} @types/node\`, and add "node" to \`types\` in tsconfig.json: the types of Node.js are missing.`;
  }
  const name = /^(?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*(?=$|\/)/.exec(module)?.[0];
  if (name === undefined)
    return `Correct the name, \`paths\` in tsconfig.json, or \`imports\` in package.json.`;
  const installed = findInstalledFolder(name, dirname(file.fileName));
  if (installed === undefined) return getPackageEdit(name, root);
  const isLink = !/[\\/]node_modules[\\/]/.test(realpathSync(installed));
  return isLink
    ? `Build the package \`${name}\`, or correct the path: the package is linked to this project, but has no such module.`
    : `Correct the path: the package \`${name}\` is installed, but has no such module.`;
}

function getPackageEdit(name: string, root: string): string {
  const { all, add } = findInstallCommands(root);
  if (isPlugAndPlay(root))
    return `Set \`nodeLinker: node-modules\` in .yarnrc.yml, and run \`${all}\`: Tenon reads types from node_modules, which Plug'n'Play does not create.`;
  return isListed(name, root)
    ? `Run \`${all}\`: the package is in package.json, but not installed.`
    : `Run \`${add} ${name}\`.`;
}

/** Returns the edit for a missing file. Node needs its complete name, as it is after compilation. */
function getFileEdit(module: string, folder: string): string {
  const found = [".ts", ".tsx", ".mts", ".cts", "/index.ts"].find((end) =>
    existsSync(join(folder, module + end)),
  );
  if (found === undefined) return `Correct the path, or create the file.`;
  return `Did you mean \`${module}${found.replace(/([mc]?)tsx?$/, "$1js")}\`?`;
}

function isListed(name: string, root: string): boolean {
  const path = join(root, "package.json");
  const { config } = ts.readConfigFile(path, () => readFileSync(path, "utf8")) as {
    config?: Record<string, Record<string, unknown> | undefined>;
  };
  const lists = [
    config?.dependencies,
    config?.devDependencies,
    config?.peerDependencies,
    config?.optionalDependencies,
  ];
  return lists.some((list) => list !== undefined && Object.hasOwn(list, name));
}
