import { libraryFolder, Project, ts } from "../typescript/typescript.js";

/**
 * Creates TypeScript's own compiler host, with the libraries that ts-morph contains.
 *
 * A program of ts-morph's `Project` does not distinguish ESM files from CommonJS files: it rejects `import.meta` and does
 * not find packages that only have an `import` condition.
 *
 * @param sourceFiles cache of parsed files by path
 */
export function createCompilerHost(
  options: ts.CompilerOptions,
  sourceFiles: Map<string, ts.SourceFile>,
): ts.CompilerHost {
  // The binder sets parents before the checker is used.
  const host = ts.createCompilerHost(options, false);
  const { getSourceFile, readFile } = host;
  const libraries = new Project().getModuleResolutionHost();
  return Object.assign(host, {
    // Parses JSDoc as `tsc` does: `jsdoc/` reads comments from the text of a file.
    jsDocParsingMode: ts.JSDocParsingMode.ParseForTypeErrors,
    getDefaultLibLocation: () => libraryFolder,
    getDefaultLibFileName: () => `${libraryFolder}/${ts.getDefaultLibFileName(options)}`,
    readFile: (path: string) =>
      path.startsWith(`${libraryFolder}/`) ? libraries.readFile(path) : readFile(path),
    getSourceFile(path: string, settings: ts.ScriptTarget | ts.CreateSourceFileOptions) {
      const file = sourceFiles.get(path) ?? getSourceFile(path, withoutDeclarationComments(path, settings));
      if (file) sourceFiles.set(path, file);
      return file;
    },
  });
}

/**
 * Skips the JSDoc of declaration files, in which TypeScript reports no errors. This saves 0.05 of the 2.3 seconds of CPU
 * time of `tenon inspect` with 500 tools, because Node's types contain many links.
 */
function withoutDeclarationComments(
  path: string,
  settings: ts.ScriptTarget | ts.CreateSourceFileOptions,
): ts.ScriptTarget | ts.CreateSourceFileOptions {
  return typeof settings === "object" && DECLARATION_FILE.test(path)
    ? { ...settings, jsDocParsingMode: ts.JSDocParsingMode.ParseNone }
    : settings;
}

const DECLARATION_FILE = /\.d\.[cm]?ts$/;
