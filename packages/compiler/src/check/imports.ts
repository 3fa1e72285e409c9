import { existsSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join } from "node:path";
import { nearestName } from "@tenon/runtime/nearest-name";
import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import {
  exportedName,
  isUnresolved,
  moduleSpecifiers,
  namesNotExported,
  resolvedFile,
} from "../project/imports.js";
import { installCommands, isPlugAndPlay } from "../project/install-command.js";
import type { Project } from "../project/project.js";
import { reachedFiles } from "../project/reached-files.js";
import { RUNTIME } from "../project/runtime-symbols.js";
import { ts } from "../project/typescript.js";

/**
 * Imports that lead nowhere, each once: they explain why decorators are not recognised and types are not found.
 *
 * @returns false when Tenon's runtime is among them
 */
export function checkImports(project: Project, collector: DiagnosticCollector): boolean {
  const { checker, root } = project;
  const report = collector.reporter();
  let hasRuntime = true;
  for (const file of reachedFiles(project)) {
    for (const specifier of moduleSpecifiers(file)) {
      if (!isUnresolved(specifier, checker) || isFound(specifier, project) || isAccepted(specifier)) continue;
      const { text } = specifier;
      if (text === RUNTIME && hasRuntime) {
        report("runtime-not-installed", specifier, { edit: editForPackage(RUNTIME, root) });
      } else if (text !== RUNTIME)
        report("import-not-found", specifier, { module: text, edit: editFor(text, file, root) });
      hasRuntime &&= text !== RUNTIME;
    }
    for (const specifier of namesNotExported(file, checker)) {
      const { text } = exportedName(specifier);
      const { moduleSpecifier } = specifier.parent.parent.parent;
      if (isAccepted(specifier)) continue;
      const module = checker.getSymbolAtLocation(moduleSpecifier);
      const names = module ? checker.getExportsOfModule(module).map(({ name }) => name) : [];
      const nearest = nearestName(text, names);
      report("import-not-exported", exportedName(specifier), {
        module: ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : "",
        name: text,
        ...(nearest !== undefined && { nearest }),
      });
    }
  }
  return hasRuntime;
}

/** Whether the author has told TypeScript to say nothing of it. What cannot be loaded, the bundler reports. */
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

/** A file without types, or one that is no module, is TypeScript's to explain. */
function isFound(specifier: ts.StringLiteral, { program }: Project): boolean {
  const file = specifier.getSourceFile();
  const options = program.getCompilerOptions();
  const mode = ts.getModeForUsageLocation(file, specifier, options);
  return resolvedFile(specifier.text, file.fileName, mode, options) !== undefined;
}

/** What to do about a module that is not there. */
function editFor(module: string, file: ts.SourceFile, root: string): string {
  if (/^\.{0,2}\//.test(module)) return editForFile(module, dirname(file.fileName));
  const commands = installCommands(root);
  if (isBuiltin(module)) {
    return `The module belongs to Node.js. Its types are missing: run \`${commands.addForDevelopment} @types/node\`, and add "node" to \`types\` in tsconfig.json.`;
  }
  const name = /^(?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*/.exec(module)?.[0];
  if (name === undefined)
    return `Correct the name, or \`paths\` in tsconfig.json or \`imports\` in package.json.`;
  if (existsSync(join(root, "node_modules", name)))
    return `The package \`${name}\` is installed, but has no such module. Correct the path.`;
  return editForPackage(name, root);
}

function editForPackage(name: string, root: string): string {
  const { all, add } = installCommands(root);
  if (isPlugAndPlay(root))
    return `Tenon reads types from node_modules, and there is none with Plug'n'Play: set \`nodeLinker: node-modules\` in .yarnrc.yml, and run \`${all}\`.`;
  return isListed(name, root)
    ? `It is in package.json, but not installed: run \`${all}\`.`
    : `Run \`${add} ${name}\`.`;
}

/** Node wants the whole name of a file, as it is after compiling. */
function editForFile(module: string, folder: string): string {
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
