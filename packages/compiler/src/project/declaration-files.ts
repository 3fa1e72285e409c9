import { dirname, posix } from "node:path";
import { resolveFile } from "../typescript/imports.js";
import type { Project } from "./project.js";
import { ts } from "../typescript/typescript.js";

/**
 * Returns the declarations of a module and of all project files that they import, directly or through a path alias. They
 * provide the types of a server where its sources are missing.
 *
 * @param module path of the source file, relative to the project folder
 * @returns the text of each file, by path relative to the project folder, such as `src/server.d.ts`
 */
export function createDeclarationFiles(project: Project, module: string): Map<string, string> {
  const { root } = project;
  const found = new Map<string, string>();
  const visit = (path: string): void => {
    const name = toDeclarationPath(path.slice(root.length + 1));
    const text = found.has(name) ? undefined : emitDeclaration(path, project);
    if (text === undefined) return;
    found.set(name, "");
    let changed = text;
    // From last to first, so that offsets stay valid.
    for (const specifier of findSpecifiers(text).toReversed()) {
      const imported = resolveImport(specifier.text, path, project);
      if (imported?.startsWith(`${root}/`) !== true || imported.includes("/node_modules/")) continue;
      visit(imported);
      const target = posix.relative(dirname(path), imported).replace(/(?:\.d)?\.([cm]?)tsx?$/, ".$1js");
      const quoted = JSON.stringify(target.startsWith(".") ? target : `./${target}`);
      changed = changed.slice(0, specifier.getStart()) + quoted + changed.slice(specifier.end);
    }
    found.set(name, changed);
  };
  visit(`${root}/${module}`);
  return found;
}

/** Finds the module specifiers in declarations, in source order. */
function findSpecifiers(text: string): ts.StringLiteral[] {
  const found: ts.StringLiteral[] = [];
  const visit = (node: ts.Node): void => {
    const { parent } = node;
    const isSpecifier =
      ts.isImportDeclaration(parent) ||
      ts.isExportDeclaration(parent) ||
      ts.isExternalModuleReference(parent) ||
      (ts.isLiteralTypeNode(parent) && ts.isImportTypeNode(parent.parent));
    if (ts.isStringLiteral(node) && isSpecifier) found.push(node);
    ts.forEachChild(node, visit);
  };
  const file = ts.createSourceFile("declarations.d.ts", text, ts.ScriptTarget.Latest, true);
  file.statements.forEach(visit);
  return found;
}

/** Returns the path of a module's declarations: `src/server.d.ts` for `src/server.ts`. */
function toDeclarationPath(path: string): string {
  return path.replace(/(?:\.d)?\.([cm]?)tsx?$/, ".d.$1ts");
}

function emitDeclaration(path: string, { program }: Project): string | undefined {
  const file = program.getSourceFile(path);
  if (!file || file.isDeclarationFile) return file?.text;
  let text: string | undefined;
  const write: ts.WriteFileCallback = (_, written) => (text = written);
  // The last argument, which language services use, forces declarations regardless of the output options.
  const emit = program.emit as (...options: unknown[]) => unknown;
  emit(file, write, undefined, true, undefined, true);
  return text;
}

function resolveImport(specifier: string, from: string, { program }: Project): string | undefined {
  const mode = program.getSourceFile(from)?.impliedNodeFormat;
  return resolveFile(specifier, from, mode, program.getCompilerOptions());
}
