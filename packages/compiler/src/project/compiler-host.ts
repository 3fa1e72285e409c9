import { Project } from "ts-morph";
import { libraryFolder, ts } from "./typescript.js";

/**
 * TypeScript's own host, with the libraries that ts-morph holds.
 *
 * A program of ts-morph's `Project` would not do: it does not know which files are ESM and which are CommonJS, refuses
 * `import.meta` and does not find packages that only have an `import` condition.
 *
 * @param sourceFiles what has been read, by path: it is not read again, and what is read is added
 */
export function createCompilerHost(
  options: ts.CompilerOptions,
  sourceFiles: Map<string, ts.SourceFile>,
): ts.CompilerHost {
  // Parents are set by the binder, which sees every file before the checker is asked anything.
  const host = ts.createCompilerHost(options, false);
  const { getSourceFile, readFile } = host;
  const libraries = new Project().getModuleResolutionHost();
  return Object.assign(host, {
    // As `tsc` does: descriptions are read from the text of a file, by rules of our own.
    jsDocParsingMode: ts.JSDocParsingMode.ParseForTypeErrors,
    getDefaultLibLocation: () => libraryFolder,
    getDefaultLibFileName: () => `${libraryFolder}/${ts.getDefaultLibFileName(options)}`,
    readFile: (path: string) =>
      path.startsWith(`${libraryFolder}/`) ? libraries.readFile(path) : readFile(path),
    getSourceFile(path: string, settings: ts.ScriptTarget | ts.CreateSourceFileOptions) {
      const file = sourceFiles.get(path) ?? getSourceFile(path, settings);
      if (file) sourceFiles.set(path, file);
      return file;
    },
  });
}
