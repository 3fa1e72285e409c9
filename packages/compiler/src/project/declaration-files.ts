import { dirname, posix } from "node:path";
import { resolvedFile } from "./imports.js";
import type { Project } from "./project.js";
import { ts } from "./typescript.js";

/**
 * The declarations of a module and of all files of the project that they import, by a path or by an alias of it, as
 * TypeScript would write them: with them the types of a server are known where its sources are not.
 *
 * @param module the source file, relative to the project folder
 * @returns by path, such as `src/server.d.ts`, relative to the project folder, too
 */
export function declarationFiles(project: Project, module: string): Map<string, string> {
  const { root } = project;
  const found = new Map<string, string>();
  const visit = (path: string): void => {
    const name = declarationPath(path.slice(root.length + 1));
    const text = found.has(name) ? undefined : declarationOf(path, project);
    if (text === undefined) return;
    found.set(name, "");
    let changed = text;
    // From the last to the first, so that places stay.
    for (const specifier of specifiersIn(text).toReversed()) {
      const imported = importedFile(specifier.text, path, project);
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

/** What declarations import from, in the order of their places. */
function specifiersIn(text: string): ts.StringLiteral[] {
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

/** `src/server.ts` → `src/server.d.ts` */
function declarationPath(path: string): string {
  return path.replace(/(?:\.d)?\.([cm]?)tsx?$/, ".d.$1ts");
}

function declarationOf(path: string, { program }: Project): string | undefined {
  const file = program.getSourceFile(path);
  if (!file || file.isDeclarationFile) return file?.text;
  let text: string | undefined;
  const write: ts.WriteFileCallback = (_, written) => (text = written);
  // The last argument, which language services use, writes declarations whatever the options say of output.
  const emit = program.emit as (...options: unknown[]) => unknown;
  emit(file, write, undefined, true, undefined, true);
  return text;
}

function importedFile(specifier: string, from: string, { program }: Project): string | undefined {
  const mode = program.getSourceFile(from)?.impliedNodeFormat;
  return resolvedFile(specifier, from, mode, program.getCompilerOptions());
}
